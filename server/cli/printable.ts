/** Control characters of ASCII and Latin-1, line separators, and characters that change the direction of text. */
const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Control characters, and everything whose width depends on the terminal: invisible and unassigned characters, parts of
 * emoji and of Hangul syllables, a combining mark without a letter, and the third and later ones on one letter.
 */
const UNEVEN =
  /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Emoji_Modifier}\p{Regional_Indicator}\u1160-\u11FF\uD7B0-\uD7FF]|^\p{M}|(?<=\p{M}{2})\p{M}/gu;

/**
 * Escapes control characters (`\x1b` for ESC) in text from a server, an application or a file. On a terminal, such text
 * could otherwise move the cursor, change colours or imitate a log line.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, escaped);
}

/** Like `printable`, but keeps line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Like `printable`, for text beside other text on a screen: every character of the result has a known width. */
export function printableInCell(text: string): string {
  return text.replace(UNEVEN, escaped);
}

function escaped(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
}
