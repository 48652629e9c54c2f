const BURST = 200;
const EACH_SECOND = 20;

/** Limits the messages of one connection: 200 at once, and 20 more each second. */
export class MessageRate {
  #left = BURST;
  #at: number;

  /** `now` is a monotonic clock in ms. */
  constructor(now: number) {
    this.#at = now;
  }

  /** Counts one message. False if it is over the limit. */
  take(now: number): boolean {
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / 1000) * EACH_SECOND) - 1;
    this.#at = now;
    return this.#left >= 0;
  }
}
