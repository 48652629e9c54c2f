import { type Line, type Look, type Part, textOfPart } from '../../cli/text/line.ts';
import { widthOf } from '../../cli/text/width.ts';

/** What a terminal can show. */
export type Abilities = { readonly hasColors: boolean; readonly isUtf8: boolean };

const RESET = '\u001b[0m';
const REVERSE = '\u001b[7m';
const ASCII = /^[\x20-\x7e]*$/;

const COLORED: Readonly<Record<Look, string>> = {
  ...{ plain: '', strong: '\u001b[1m', quiet: '\u001b[90m', bad: '\u001b[1;31m', warn: '\u001b[33m' },
};
/** Bold and faint are not colours. */
const UNCOLORED: Readonly<Record<Look, string>> = {
  ...{ plain: '', strong: '\u001b[1m', quiet: '\u001b[2m', bad: '\u001b[1m', warn: '\u001b[1m' },
};

/** Characters of our own texts in ASCII, each one column wide. */
const IN_ASCII: Readonly<Record<string, string>> = { '…': '~', '’': "'", '“': '"', '”': '"', '–': '-', '×': 'x' };

/**
 * The output that clears a row (from 1) and then draws a line there: after a full row, the cursor is on its last
 * character, which clearing would remove. If a terminal may compute the width of a text differently, the cursor is
 * moved to the right column after it.
 */
export function painted({ parts, isSelected = false }: Line, row: number, { hasColors, isUtf8 }: Abilities): string {
  const looks = hasColors ? COLORED : UNCOLORED;
  let column = 1;
  let output = `\u001b[${row};1H${RESET}\u001b[K`;
  for (const part of parts) {
    const text = textOfPart(part);
    const before = isSelected ? REVERSE : looks[lookOf(part)];
    output += `${before}${isUtf8 ? text : asciiOf(text)}${before === '' ? '' : RESET}`;
    column += widthOf(text);
    if (!ASCII.test(text)) output += `\u001b[${column}G`;
  }
  return output;
}

function lookOf(part: Part): Look {
  return typeof part === 'string' ? 'plain' : part.look;
}

/** The text in ASCII, as wide as before: characters that ASCII does not have become `?`. */
function asciiOf(text: string): string {
  if (ASCII.test(text)) return text;
  return [...text].map((char) => (ASCII.test(char) ? char : (IN_ASCII[char] ?? '?'.repeat(widthOf(char))))).join('');
}
