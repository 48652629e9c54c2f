import { random, startTimer, steadyMs, stopTimer } from '../../redis/connection/surroundings.ts';

const FIRST_MS = 250;
const LAST_MS = 10_000;
/** Changes of level or master follow each other at least this far apart. */
const CHANGES_APART_MS = 1000;
/** A connection that lasted this long counts as good. */
const GOOD_MS = 5000;

/**
 * The pauses before reconnecting. Their upper bound doubles from 250 ms to 10 s. Each pause is a random time between
 * half of the bound and the bound, so that many observers of one server do not reconnect at the same moment.
 */
export class RetryPause {
  readonly #random: () => number;
  #nextMs = FIRST_MS;
  #observedAt: number | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => {};

  /** `chance` returns a number from 0 to below 1. */
  constructor(chance: () => number = random) {
    this.#random = chance;
  }

  /**
   * Settles when the pause is over, or when `end` is called; calls `onBegin` with the length of the pause first.
   * `fixedMs`: this length, instead of one that grows.
   */
  rest(onBegin: (ms: number) => void = () => {}, fixedMs?: number): Promise<void> {
    if (fixedMs !== undefined) {
      onBegin(fixedMs);
      return this.#wait(fixedMs);
    }
    if (this.#observedAt !== undefined && steadyMs() - this.#observedAt >= GOOD_MS) this.reset();
    this.#observedAt = undefined;
    const ms = this.#nextMs * (0.5 + this.#random() / 2);
    this.#nextMs = Math.min(this.#nextMs * 2, LAST_MS);
    onBegin(ms);
    return this.#wait(ms);
  }

  /** Settles at once, or 1 s after the last change, so that frequent changes do not flood a server with connections. */
  async change(): Promise<void> {
    await this.#wait(Math.max(0, this.#changedAt + CHANGES_APART_MS - steadyMs()));
    this.#changedAt = steadyMs();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = startTimer(resolve, ms);
      this.#wake = () => {
        stopTimer(timer);
        resolve();
      };
    });
  }

  /**
   * Notes that the connection has read a whole round. If it stays open for five more seconds, the next pause is a short
   * one again.
   */
  observes(): void {
    this.#observedAt = steadyMs();
  }

  /** Makes the next pause a short one again. */
  reset(): void {
    this.#nextMs = FIRST_MS;
  }

  end(): void {
    this.#wake();
  }
}
