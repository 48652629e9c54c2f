const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const STEP = 1024;

/** A number of bytes, rounded to at most one decimal: `812 B`, `4.2 kB`, `1 GB`. A kB is 1,024 bytes. */
export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  const digits = unit === 0 || size >= 99.95 ? 0 : 1;
  return `${Number(size.toFixed(digits))} ${UNITS[unit]}`;
}
