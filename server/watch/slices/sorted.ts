import type { Sliced } from './in-slices.ts';

type Compare<T> = (a: T, b: T) => number;

/** Elements that are sorted or merged between two yields. */
const STEP = 2000;

/** Sorts a list in short steps: short runs are sorted, then merged. */
export function* sortedInSteps<T>(list: readonly T[], compare: Compare<T>): Sliced<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < list.length; from += STEP) {
    runs.push(list.slice(from, from + STEP).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let n = 0; n < runs.length; n += 2) merged.push(yield* merge(runs[n] ?? [], runs[n + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: Compare<T>): Sliced<T[]> {
  const merged: T[] = [];
  let nextLeft = 0;
  let nextRight = 0;
  while (nextLeft < left.length || nextRight < right.length) {
    const a = left[nextLeft];
    const b = right[nextRight];
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      merged.push(a as T); // one of the two lists has an element left
      nextLeft++;
    } else {
      merged.push(b);
      nextRight++;
    }
    if (merged.length % STEP === 0) yield;
  }
  return merged;
}

/**
 * Collects the first `count` elements in the order of `compare`. Most others cost one comparison: much less work than
 * sorting all.
 */
export class FirstOf<T> {
  readonly #count: number;
  readonly #compare: Compare<T>;
  #first: T[] = [];
  /** The last of the first `count` elements so far. `undefined`: not computed yet. */
  #last: T | undefined;

  constructor(count: number, compare: Compare<T>) {
    this.#count = count;
    this.#compare = compare;
  }

  add(element: T): void {
    if (this.#last !== undefined && this.#compare(element, this.#last) >= 0) return;
    this.#first.push(element);
    if (this.#first.length >= 2 * this.#count + STEP) {
      this.#first = this.sorted();
      this.#last = this.#first.at(-1);
    }
  }

  sorted(): T[] {
    return this.#first.sort(this.#compare).slice(0, this.#count);
  }
}
