import { random } from '../../redis/connection/surroundings.ts';

const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** If an observer has lived this long, its failure counts as the first in a row. */
const STEADY_MS = 60_000;
/** A pause is up to this share longer or shorter, so that several observers do not start together. */
const JITTER = 0.25;

/** After this many failures in a row, there are no further starts. The pauses up to then add up to about a minute. */
export const MOST_FAILURES = 9;

/** The pauses before an observer is started again: each twice as long as the one before, up to 30 s. */
export class RestartPause {
  /** Failures in a row. */
  failures = 0;
  readonly #random: () => number;

  constructor(chance = random) {
    this.#random = chance;
  }

  /** Notes a failure after `livedMs`, and returns the pause before the next start; undefined after too many. */
  afterFailure(livedMs: number): number | undefined {
    this.failures = livedMs >= STEADY_MS ? 1 : this.failures + 1;
    if (this.failures >= MOST_FAILURES) return undefined;
    const ms = Math.min(FIRST_MS * 2 ** (this.failures - 1), LONGEST_MS);
    return ms * (1 - JITTER + 2 * JITTER * this.#random());
  }
}
