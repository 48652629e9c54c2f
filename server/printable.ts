/** Control characters of ASCII and Latin-1, line separators, and the characters that turn the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Text from a server, an application or a file as a terminal may show it: control characters are escaped, `\x1b` for
 * ESC, so that no such text moves the cursor, changes colours or looks like a line of ours.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** The same for several lines, each escaped by itself. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
