/**
 * How much of Redis's time reads may take, in µs a second. Unused time is saved up to a bound. Each read counts with
 * its highest possible cost, not with the time it took: a busy server replies late although each command is quick.
 */
export class ReadBudget {
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #at: number;

  constructor(microsPerSecond: number, most: number, now: number) {
    this.#perSecond = microsPerSecond;
    this.#most = most;
    this.#left = most;
    this.#at = now;
  }

  spend(micros: number, now: number): void {
    this.#refill(now);
    this.#left -= micros;
  }

  /** Milliseconds until something may be spent again; 0: now. */
  pauseMs(now: number): number {
    this.#refill(now);
    return this.#left > 0 ? 0 : Math.ceil((1 - this.#left) / (this.#perSecond / 1000));
  }

  #refill(now: number): void {
    this.#left = Math.min(this.#most, this.#left + (Math.max(0, now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
  }
}
