/** On a screen with 60 Hz, a page draws at most once in this time. */
const SHORTEST_MS = 16;
const LONGEST_MS = 250;
/**
 * Shares of a core. A short message costs as much to write as a long message, so it pays to wait until messages are
 * longer.
 */
const SHARE_TO_WRITE = 1 / 8;
const SHARE_TO_MAKE = 1 / 4;
/** On a busy machine, other programs interrupt most flushes. The cheapest of the last few shows what a flush costs. */
const REMEMBERED = 8;

/** How long to collect changes until the next message: 16 to 250 ms, the longer the more all messages cost together. */
export class FlushPace {
  readonly #toMake = new RecentValues();
  readonly #toWriteOne = new RecentValues();

  /** Notes how long it took to make the messages of one flush. */
  made(ms: number): void {
    this.#toMake.add(ms);
  }

  /** Notes how long it took to write one message to this many pages. */
  wrote(pages: number, ms: number): void {
    this.#toWriteOne.add(ms / pages);
  }

  /** The time from one flush to the next. */
  intervalMs(pages: number): number {
    const needed = Math.max(
      (this.#toWriteOne.smallest * pages) / SHARE_TO_WRITE,
      this.#toMake.smallest / SHARE_TO_MAKE,
      SHORTEST_MS,
    );
    return Math.min(needed, LONGEST_MS);
  }
}

class RecentValues {
  readonly #values: number[] = [];

  add(value: number): void {
    this.#values.push(value);
    if (this.#values.length > REMEMBERED) this.#values.shift();
  }

  /** 0 before the first value. */
  get smallest(): number {
    return this.#values.length === 0 ? 0 : Math.min(...this.#values);
  }
}
