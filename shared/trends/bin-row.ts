import type { OldestWait } from '../state/oldest-waits.ts';

/**
 * The counts of one bin. `waiters`: the highest number in the bin. A flag is true if it was true at any time in the
 * bin.
 */
export type CountedBin = {
  waiters: number;
  handovers: number;
  refusals: number;
  renewals: number;
  /** Lock events of any type. */
  events: number;
  /** The greatest age of a wait in progress, in µs, 0 without a wait; null: not known. */
  oldestMicros: number | null;
  /** Whether that wait, or another one in progress, may have begun earlier than was seen. */
  isOldestAtLeast: boolean;
  readonly waits: WaitSample;
  /** Whether at least one source was watched. */
  isWatched: boolean;
  /** Whether at least one source was not watched. */
  isUnwatched: boolean;
  /** Whether the level of at least one source did not show waits, or renewals. */
  lacksWaits: boolean;
  lacksRenewals: boolean;
};

/** The number of waiters, the oldest wait (null: no wait) and the flags at one instant. */
export type Standing = { readonly waiting: number; readonly oldest: OldestWait | null } & Pick<
  CountedBin,
  'isWatched' | 'isUnwatched' | 'lacksWaits' | 'lacksRenewals'
>;

/** How many waits of one bin are kept. Beyond that, every second wait is kept, then every fourth, and so on. */
const MOST_WAITS = 256;

/** A sample of waits whose beginning was seen: their lengths in ms; one of `stride` waits is kept. */
export type WaitSample = { values: number[]; stride: number; skipped: number };

/** The newest bins, all of the same length. They begin at multiples of that length. */
export class BinRow {
  readonly micros: number;
  readonly #most: number;
  readonly #bins = new Map<number, CountedBin>();
  #newest: number | undefined;

  constructor(micros: number, most: number) {
    this.micros = micros;
    this.#most = most;
  }

  /** Makes the bins up to an instant. `standing` has lasted since the last call. */
  advance(at: number, standing: Standing): void {
    const target = Math.floor(at / this.micros);
    this.age(at, standing);
    const first = this.#newest === undefined ? target : Math.max(this.#newest + 1, target - this.#most + 1);
    for (let index = first; index <= target; index++) {
      this.#bins.set(index, newBin(standing));
      this.#newest = index;
      this.age(at, standing);
    }
    for (const index of this.#bins.keys()) {
      if (this.#bins.size <= this.#most) break;
      this.#bins.delete(index);
    }
  }

  /** The bin of an instant; undefined if it was dropped, or does not exist yet. */
  at(at: number): CountedBin | undefined {
    return this.#bins.get(Math.floor(at / this.micros));
  }

  newest(): CountedBin | undefined {
    return this.#newest === undefined ? undefined : this.#bins.get(this.#newest);
  }

  /**
   * Notes the age of the oldest wait in the newest bin, at an instant or at the end of the bin, whichever is earlier.
   */
  age(at: number, { oldest, isWatched }: Standing): void {
    const bin = this.newest();
    if (!bin || this.#newest === undefined || !isWatched) return;
    const age = oldest ? Math.max(0, Math.min(at, (this.#newest + 1) * this.micros) - oldest.at) : 0;
    if (bin.oldestMicros === null || age > bin.oldestMicros) bin.oldestMicros = age;
    bin.isOldestAtLeast ||= oldest?.isAtLeast ?? false;
  }

  /** Drops the ages of the oldest wait in a range of time: they were not seen. */
  dropAges(from: number, to: number): void {
    for (const [index, bin] of this.#bins)
      if ((index + 1) * this.micros > from && index * this.micros <= to) bin.oldestMicros = null;
  }

  /** Marks the bins of a range of time as not watched. */
  blind(from: number, to: number): void {
    for (const [index, bin] of this.#bins) {
      if ((index + 1) * this.micros > from && index * this.micros <= to) bin.isUnwatched = true;
    }
  }

  /** The beginning and the content of each bin, oldest first. */
  *bins(): Generator<[at: number, bin: CountedBin]> {
    for (const [index, bin] of this.#bins) yield [index * this.micros, bin];
  }
}

function newBin({ waiting, oldest: _, ...flags }: Standing): CountedBin {
  const waits = { values: [], stride: 1, skipped: 0 };
  const oldest = { oldestMicros: null, isOldestAtLeast: false };
  return { waiters: waiting, handovers: 0, refusals: 0, renewals: 0, events: 0, waits, ...oldest, ...flags };
}

/** Adds the length of a wait to a sample. A full sample drops every second value and doubles its stride. */
export function addWait(sample: WaitSample, ms: number): void {
  if (++sample.skipped < sample.stride) return;
  sample.skipped = 0;
  sample.values.push(ms);
  if (sample.values.length <= MOST_WAITS) return;
  sample.values = sample.values.filter((_, n) => n % 2 === 0);
  sample.stride *= 2;
}
