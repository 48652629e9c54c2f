/** A row of a table in a file: values by the names of their columns. */
export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

/** Writes rows as CSV (RFC 4180), with the columns of the first row. */
export function csvOf(rows: readonly TableRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** A value that a spreadsheet would run as a formula is written as text. */
function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function jsonOf(rows: readonly TableRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}
