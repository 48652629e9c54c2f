/** Characters between the words of a name. */
const BETWEEN_WORDS = /[\s:./_\-{}]/;

/**
 * How well a name matches a text in lower case: 0 for the same, 1 for a prefix, 2 for the beginning of a word, 3 for
 * any other part, null for no match. Only the first place of the text in the name counts. Ignores the case of the name.
 */
export function rankOf(name: string, wanted: string): number | null {
  const place = name.toLowerCase().indexOf(wanted);
  if (place === -1) return null;
  if (place === 0) return name.length === wanted.length ? 0 : 1;
  return BETWEEN_WORDS.test(name.charAt(place - 1)) ? 2 : 3;
}

/** Items that match, the best first, and how many others match. */
export type Matches<T> = { readonly best: readonly T[]; readonly more: number };

/**
 * Returns the `most` best matches. A `compare` orders items that match equally well; without it they keep their order.
 */
export function bestMatches<T>(
  items: Iterable<T>,
  rank: (item: T) => number | null,
  most: number,
  compare: (a: T, b: T) => number = () => 0,
): Matches<T> {
  const byRank: T[][] = [];
  let count = 0;
  for (const item of items) {
    const place = rank(item);
    if (place === null) continue;
    count++;
    const equals = byRank[place] ?? [];
    equals.push(item);
    byRank[place] = equals;
  }
  const best: T[] = [];
  for (const equals of byRank) {
    if (best.length >= most) break;
    best.push(...(equals ?? []).sort(compare).slice(0, most - best.length));
  }
  return { best, more: count - best.length };
}
