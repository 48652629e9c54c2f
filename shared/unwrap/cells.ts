/** One quoted cell of a table with commas (CSV), and its column, counted from 0. */
type Cell = { readonly column: number; readonly value: string };

/**
 * The quoted cells of a table; none if the text is not a table. A cell may have several lines; quotes in it are
 * doubled. Takes linear time for any text.
 */
export function cellsIn(text: string): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfCell(text, at) : at - 1;
    if (end > at) cells.push({ column, value: text.slice(at + 1, end).replaceAll('""', '"') });
    const next = nextBreak(text, end + 1);
    if (end > at && text.slice(end + 1, next < 0 ? end + 10 : next).trim() !== '') return [];
    if (next < 0) return cells;
    column = text[next] === '\n' ? 0 : column + 1;
    at = next + 1;
  }
  return cells;
}

/**
 * The columns of a table whose cells are quoted only if they contain quotes or separators. None if a row has more or
 * fewer cells than the first one. Each line of a text is one cell, and its quotes are doubled.
 */
export function columnsOfTable(text: string): readonly (readonly string[])[] {
  const separator = /[,;\t]/.exec(text)?.[0];
  if (separator === undefined || !text.includes('""')) return [];
  const columns: string[][] = [];
  let column = 0;
  let rows = 0;
  for (let at = 0; at < text.length; ) {
    const quoted = text[at] === '"' ? endOfCell(text, at) : undefined;
    let end = quoted === undefined ? at : quoted + 1;
    while (end < text.length && text[end] !== separator && text[end] !== '\n') end++;
    if (quoted !== undefined && end > quoted + 1 && quoted < text.length) return [];
    if (rows > 0 && column >= columns.length) return [];
    columns[column] ??= [];
    columns[column]?.push(
      quoted === undefined ? text.slice(at, end) : text.slice(at + 1, quoted).replaceAll('""', '"'),
    );
    const isRowEnd = end >= text.length || text[end] === '\n';
    if (isRowEnd && rows > 0 && column + 1 !== columns.length) return [];
    if (isRowEnd) rows++;
    column = isRowEnd ? 0 : column + 1;
    at = end + 1;
  }
  return rows > 1 && columns.length > 1 ? columns : [];
}

const SEPARATORS = /[,;\t\n]/g;

function nextBreak(text: string, from: number): number {
  SEPARATORS.lastIndex = from;
  return SEPARATORS.exec(text)?.index ?? -1;
}

/** The place of the quote that ends a cell; the end of the text without one. */
function endOfCell(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}

/** A line within a cell, without the quote that ends the cell. Its quotes are doubled, so their number is even. */
export function undoubled(line: string): string {
  const quotes = /"{0,9}$/.exec(line)?.[0].length ?? 0;
  return (quotes % 2 === 1 ? line.slice(0, -1) : line).replaceAll('""', '"');
}
