/** The spread of many lengths, in µs; null without any. */
export type Spread = {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
};

/** Neighbouring bins differ by 2 %. */
const RATIO = Math.log(1.02);

/** Counts lengths in bins, so that any number of them takes little memory. Percentiles are right to 1 %. */
export class Lengths {
  readonly #bins = new Map<number, number>();
  #count = 0;
  #longest = 0;

  /** Takes a length in µs. */
  add(micros: number): void {
    const bin = Math.round(Math.log(Math.max(1, micros)) / RATIO);
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    this.#count++;
    this.#longest = Math.max(this.#longest, micros);
  }

  spread(): Spread | null {
    if (this.#count === 0) return null;
    const bins = [...this.#bins].sort(([a], [b]) => a - b);
    return { count: this.#count, median: this.#at(bins, 0.5), p95: this.#at(bins, 0.95), longest: this.#longest };
  }

  /** The nearest rank. */
  #at(bins: readonly [number, number][], part: number): number {
    const rank = Math.ceil(this.#count * part);
    let passed = 0;
    for (const [bin, count] of bins) {
      passed += count;
      if (passed >= rank) return Math.min(Math.exp(bin * RATIO), this.#longest);
    }
    return this.#longest;
  }
}
