import { nearestRank } from '../base/nearest-rank.ts';
import { FINE_LENGTHS } from '../base/round-lengths.ts';

/** The spread of many lengths, in µs. */
type Spread = {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
};

/**
 * How many lengths are at least `fromMs` and less than `toMs`, which are neighbours among the round lengths. The first
 * pair of round lengths also counts what is shorter, and the last pair what is longer.
 */
type LengthCount = { readonly fromMs: number; readonly toMs: number; readonly count: number };

/** Neighbouring bins differ by 2 %. */
const RATIO = Math.log(1.02);

/** Up to this many lengths are kept as they are. */
const MOST_EXACT = 100;

/**
 * Counts lengths in bins, so that any number of them takes little memory. Percentiles of more than 100 lengths are
 * exact to 1 %.
 */
export class Lengths {
  readonly #bins = new Map<number, number>();
  /** How many lengths there are, by the index of the greatest round length that each has reached. */
  readonly #reached = new Map<number, number>();
  /** The first `MOST_EXACT` lengths. */
  readonly #exact: number[] = [];
  #count = 0;
  #longest = 0;

  /** Takes a length in µs. */
  add(micros: number): void {
    const bin = Math.round(Math.log(Math.max(1, micros)) / RATIO);
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    const reached = Math.max(0, Math.min(FINE_LENGTHS.length - 2, lastUpTo(micros / 1000)));
    this.#reached.set(reached, (this.#reached.get(reached) ?? 0) + 1);
    if (this.#count < MOST_EXACT) this.#exact.push(micros);
    this.#count++;
    this.#longest = Math.max(this.#longest, micros);
  }

  spread(): Spread | null {
    if (this.#count === 0) return null;
    const at = this.#count <= MOST_EXACT ? this.#exactly() : this.#approximately();
    return { count: this.#count, median: at(0.5), p95: at(0.95), longest: this.#longest };
  }

  /** Exact counts between round lengths, the shortest first. Counts of 0 are left out. */
  counts(): LengthCount[] {
    const sorted = [...this.#reached].sort(([a], [b]) => a - b);
    return sorted.map(([n, count]) => ({ fromMs: FINE_LENGTHS[n] ?? 0, toMs: FINE_LENGTHS[n + 1] ?? 0, count }));
  }

  #exactly(): (part: number) => number {
    const sorted = this.#exact.sort((a, b) => a - b);
    return (part) => nearestRank(sorted, part) ?? this.#longest;
  }

  /** Finds a percentile in the bins: the middle of the bin that has the nearest rank. */
  #approximately(): (part: number) => number {
    const bins = [...this.#bins].sort(([a], [b]) => a - b);
    return (part) => {
      const rank = Math.ceil(this.#count * part);
      let passed = 0;
      for (const [bin, count] of bins) {
        passed += count;
        if (passed >= rank) return Math.min(Math.exp(bin * RATIO), this.#longest);
      }
      return this.#longest;
    };
  }
}

/** The index of the last round length that is not greater; -1 if all are greater. */
function lastUpTo(ms: number): number {
  let [low, high] = [0, FINE_LENGTHS.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((FINE_LENGTHS[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
