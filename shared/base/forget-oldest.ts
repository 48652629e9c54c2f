/**
 * For each list, an iterator that is at its oldest entry. A `Map` keeps the places of deleted entries until it is
 * rehashed, so a new iterator would have to pass all of them each time.
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
