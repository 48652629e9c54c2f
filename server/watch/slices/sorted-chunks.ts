/** Chunks have at most this many elements, so that an insertion moves few of them. */
const MOST = 512;

/**
 * A list that is always sorted. Adding and removing one of n elements costs O(log n) comparisons. No two elements are
 * equal.
 */
export class SortedChunks<T> {
  readonly #compare: (a: T, b: T) => number;
  #chunks: T[][] = [];

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  add(element: T): void {
    const at = this.#chunkOf(element);
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#chunks.push([element]);
      return;
    }
    chunk.splice(this.#placeIn(chunk, element), 0, element);
    if (chunk.length > MOST) this.#chunks.splice(at + 1, 0, chunk.splice(MOST >> 1));
  }

  /** Removes an element, which must still have the place in the order that it was added with. */
  remove(element: T): void {
    const at = this.#chunkOf(element);
    const chunk = this.#chunks[at];
    const place = chunk ? this.#placeIn(chunk, element) : -1;
    if (chunk?.[place] !== element) return;
    chunk.splice(place, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Replaces all elements. */
  set(elements: Iterable<T>): void {
    const sorted = [...elements].sort(this.#compare);
    this.#chunks = [];
    for (let from = 0; from < sorted.length; from += MOST >> 1)
      this.#chunks.push(sorted.slice(from, from + (MOST >> 1)));
  }

  /** All elements in order. The list must not change meanwhile. */
  *[Symbol.iterator](): Generator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The index of the last chunk that begins at or before the element; 0 if no chunk does. */
  #chunkOf(element: T): number {
    let [low, high] = [0, this.#chunks.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const first = this.#chunks[middle]?.[0];
      if (first !== undefined && this.#compare(first, element) <= 0) low = middle;
      else high = middle;
    }
    return low;
  }

  /** How many elements of a chunk are before this one. */
  #placeIn(chunk: readonly T[], element: T): number {
    let [low, high] = [0, chunk.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = chunk[middle];
      if (other !== undefined && this.#compare(other, element) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
