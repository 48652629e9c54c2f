/** Control characters of ASCII and Latin-1, line separators, and characters that change the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Escapes control characters (`\x1b` for ESC) in text from a server, an application or a file. On a terminal, such text
 * could otherwise move the cursor, change colours or imitate a log line.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** Like `printable`, but keeps line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
