import { eastAsianWidth } from 'get-east-asian-width';

const ASCII = /^[\x20-\x7e]*$/;
const NO_COLUMN = /^[\p{Mn}\p{Me}]$/u;
const CUT = '…';

/** Number of columns that a text takes on a terminal. The text must be printable (`printableInCell`). */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += widthOfChar(char);
  return width;
}

/** The beginning of a text that takes at most `width` columns. If the text is longer, the result ends with `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? '' : `${beginning(text, width - 1)}${CUT}`;
}

/** Like `cut`, but leaves out the middle: names often differ at their ends. */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 5) return cut(text, width);
  const end = Math.floor((width - 1) / 2);
  const backwards = beginning([...text].reverse().join(''), end);
  return `${beginning(text, width - 1 - end)}${CUT}${[...backwards].reverse().join('')}`;
}

/** Fills a text with spaces up to `width` columns. */
export function padded(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}

/**
 * Breaks a text between words into lines of at most `width` columns; the later ones begin with `indent`. Longer words
 * are divided.
 */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const room = Math.max(1, width);
  const margin = indent.length < room ? indent : '';
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  let isBlank = true;
  for (let word of text.split(' ').filter(Boolean)) {
    if (!isBlank && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line);
      line = margin;
      isBlank = true;
    }
    line += isBlank ? '' : ' ';
    while (widthOf(line) + widthOf(word) > room) {
      const part = beginning(word, room - widthOf(line)) || (line.trim() === '' ? ([...word][0] ?? '') : '');
      lines.push(line + part);
      word = word.slice(part.length);
      line = margin;
    }
    line += word;
    isBlank = false;
  }
  return [...lines, line];
}

/** As many characters as fit into `width` columns. */
function beginning(text: string, width: number): string {
  let taken = '';
  let left = width;
  for (const char of text) {
    left -= widthOfChar(char);
    if (left < 0) break;
    taken += char;
  }
  return taken;
}

function widthOfChar(char: string): number {
  if (ASCII.test(char)) return 1;
  return NO_COLUMN.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);
}
