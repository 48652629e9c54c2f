/** Drops the oldest entry if the list has more than `most`. Call it after each insertion. */
export function forgetOldest<K>(list: Map<K, unknown> | Set<K>, most: number): void {
  if (list.size <= most) return;
  const [oldest] = list.keys();
  if (oldest !== undefined) list.delete(oldest);
}
