/**
 * Makes an object whose fields are names, for example of holders. It has no prototype, so V8 keeps it as a table.
 * Otherwise each set of names would have its own hidden class, which takes more memory than the object and makes
 * accesses slow.
 */
export function byName<T>(entries: Iterable<readonly [name: string, value: T]> = []): Record<string, T> {
  const table: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) table[name] = value;
  return table;
}
