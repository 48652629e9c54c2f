/** Keeps a list within its bound, one entry at a time: what was put in first is forgotten first. */
export function forgetOldest(list: Map<string, unknown> | Set<string>, most: number): void {
  if (list.size <= most) return;
  const [oldest] = list.keys();
  if (oldest !== undefined) list.delete(oldest);
}
