/** Index of the first item whose `key` is at least `wanted`, or the length if no item is. Keys must be ascending. */
export function firstFrom<T>(items: readonly T[], wanted: number, key: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // `middle` is below the length, so there is an item
    if (key(items[middle] as T) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The items whose `key` is between `from` and `to`, inclusive. Keys must be ascending. */
export function itemsWithin<T>(items: readonly T[], from: number, to: number, key: (item: T) => number): readonly T[] {
  const first = firstFrom(items, from, key);
  let last = first;
  while (last < items.length && key(items[last] as T) <= to) last++; // `last` is below the length
  return items.slice(first, last);
}
