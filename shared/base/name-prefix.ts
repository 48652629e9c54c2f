/** A name up to its first `:`, `/` or `.`, such as `cart:`; null if there is none behind 1 to 80 other characters. */
export function prefixOf(name: string): string | null {
  return /^[^:/.]{1,80}[:/.]/.exec(name)?.[0] ?? null;
}
