/** A name up to its first separator, such as `cart:`; null if it has none. */
export function prefixOf(name: string): string | null {
  return /^[^:/.]{1,80}[:/.]/.exec(name)?.[0] ?? null;
}
