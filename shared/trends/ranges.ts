/**
 * The ranges of one kind, as `from, to, from, to, …` in order. `#openFrom`: when the range began that is still open.
 */
export class Ranges {
  #ends: number[] = [];
  #openFrom: number | null = null;
  /** How many numbers there were after the last merge. */
  #merged = 0;

  /** How many numbers are kept. */
  get size(): number {
    return this.#ends.length;
  }

  /** Whether enough ranges were added since the last merge to make the next one worth the work. */
  get hasGrown(): boolean {
    return this.#ends.length > 2 * this.#merged + 256;
  }

  /**
   * Begins a range at `at`, or ends the open one. If an event is dated before the previous one, the later time is used.
   */
  set(isOn: boolean, at: number): void {
    if (isOn === (this.#openFrom !== null)) return;
    const last = this.#ends.at(-1) ?? 0;
    if (isOn) this.#openFrom = Math.max(last, at);
    else {
      const from = this.#openFrom ?? last;
      this.#ends.push(from, Math.max(from, at));
      this.#openFrom = null;
    }
  }

  /**
   * Merges ranges with a gap shorter than a part of their age, and drops those that ended before `oldest`. The picture
   * of everything up to now stays exact to `1 / parts` of its width.
   *
   *   age      a day                an hour          now
   *   before   |▪▪ ▪ ▪▪|            |▪ ▪ ▪|       ▪ ▪|
   *   after    |███████|            |▪▪ ▪ |       ▪ ▪|
   */
  merge(now: number, oldest: number, parts: number): void {
    const ends = this.#ends;
    const kept: number[] = [];
    for (let i = 0; i < ends.length; i += 2) {
      const [from, to] = [ends[i] as number, ends[i + 1] as number]; // i is even and below the length
      if (to < oldest) continue;
      const before = kept.at(-1);
      if (before !== undefined && from - before < (now - before) / parts) kept[kept.length - 1] = to;
      else kept.push(from, to);
    }
    this.#ends = kept;
    this.#merged = kept.length;
  }

  /**
   * The columns of `from`..`to` that ranges touch, as `first, length, …`. `now`: the end of a range that is still open.
   */
  columns(from: number, to: number, count: number, now: number): number[] {
    const found: number[] = [];
    const perMicro = count / Math.max(1, to - from);
    const add = (begin: number, end: number) => {
      if (end < from || begin > to) return;
      const first = Math.max(0, Math.floor((begin - from) * perMicro));
      const last = Math.min(count - 1, Math.floor((end - from) * perMicro));
      const place = found.length - 2;
      const before = (found[place] ?? 0) + (found[place + 1] ?? -1);
      if (place >= 0 && first <= before) found[place + 1] = Math.max(before, last + 1) - (found[place] ?? 0);
      else if (last >= first) found.push(first, last - first + 1);
    };
    const ends = this.#ends;
    for (let i = firstEndAfter(ends, from); i < ends.length && (ends[i] ?? 0) <= to; i += 2) {
      add(ends[i] as number, ends[i + 1] as number); // i is even and below the length
    }
    if (this.#openFrom !== null) add(this.#openFrom, Math.max(now, this.#openFrom));
    return found;
  }
}

/** The index in `ends` of the first range that ends at or after an instant. */
function firstEndAfter(ends: readonly number[], at: number): number {
  let low = 0;
  let high = ends.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[2 * middle + 1] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return 2 * low;
}
