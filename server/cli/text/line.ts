import { printableInCell } from '../printable.ts';
import { cut, padded, widthOf } from './width.ts';

/** How a part of a line looks. Without its look, the text means the same: a terminal may have no colours. */
export type Look = 'plain' | 'strong' | 'quiet' | 'bad' | 'warn';

/** A part of a line; plain text is a part with the look `plain`. */
export type Part = string | { readonly text: string; readonly look: Look };

/** One line of a screen. `isSelected`: the whole line is highlighted. */
export type Line = { readonly parts: readonly Part[]; readonly isSelected?: boolean };

export function line(...parts: readonly Part[]): Line {
  return { parts };
}

export function textOfPart(part: Part): string {
  return typeof part === 'string' ? part : part.text;
}

/** The text of a line, without looks. */
export function textOfLine({ parts }: Line): string {
  return parts.map(textOfPart).join('');
}

/**
 * Makes a line safe for a screen of `width` columns: nothing in it can control the terminal, and it is not wider. A
 * selected line is exactly as wide.
 */
export function fitted({ parts, isSelected = false }: Line, width: number): Line {
  const fit: Part[] = [];
  let left = width;
  for (const part of parts) {
    const whole = printableInCell(textOfPart(part));
    const text = cut(whole, left);
    if (text !== '') fit.push(typeof part === 'string' ? text : { ...part, text });
    left -= widthOf(text);
    if (text !== whole) break;
  }
  if (isSelected && left > 0) fit.push(' '.repeat(left));
  return { parts: fit, isSelected };
}

/**
 * A line with `right` at the end of the row. If both do not fit, `left` is cut; if `right` alone does not fit, it is
 * left out.
 */
export function withRight(left: readonly Part[], right: Part, width: number): Line {
  const room = width - widthOf(printableInCell(textOfPart(right))) - 1;
  if (room < 1) return line(...left);
  const fit = fitted(line(...left), room);
  const gap = padded('', room + 1 - widthOf(textOfLine(fit)));
  return line(...fit.parts, gap, right);
}
