import { wrapped } from '../cli/text/width.ts';

/** The indent of the lines below a heading. */
export const INDENT = '    ';
/** On a narrower terminal, lines have this length. */
const LEAST_COLUMNS = 40;

/** Breaks a text into indented lines. */
export function paragraph(text: string, columns: number, indent = INDENT): string[] {
  if (!Number.isFinite(columns)) return [indent + text];
  const room = Math.max(LEAST_COLUMNS, columns) - indent.length;
  return wrapped(text, room).map((line) => indent + line);
}
