/**
 * An object with names as fields, for example those of holders. Without a prototype, V8 keeps it as a table: otherwise
 * each set of names has a hidden class of its own, which takes more memory than the object, and makes accesses slow.
 */
export function byName<T>(entries: Iterable<readonly [name: string, value: T]> = []): Record<string, T> {
  const table: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) table[name] = value;
  return table;
}
