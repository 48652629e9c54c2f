/**
 * Where the oldest entry of a list is. Everything before it has been deleted. To look for it from the beginning would
 * mean to pass every deleted entry each time, since a list keeps their places until it is arranged again.
 */
const oldestOf = new WeakMap<object, Iterator<unknown>>();

/** Drops the oldest entry if the list has more than `most`. Call it after each insertion. */
export function forgetOldest<K>(list: Map<K, unknown> | Set<K>, most: number): void {
  if (list.size <= most) return;
  let next = oldestOf.get(list)?.next();
  if (next === undefined || next.done) {
    const oldest = list.keys();
    oldestOf.set(list, oldest);
    next = oldest.next();
  }
  if (!next.done) list.delete(next.value as K); // the key is in the list
}
