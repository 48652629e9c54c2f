import { startTimer, steadyMs, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';

/** A loop that waits only for its bell still looks around this often. */
export const LONG_REST_MS = 10_000;

/** Lets a loop wait until something arrives, and a moment longer, so that it handles in one round what arrives together. */
export class Bell {
  #isRung = false;
  #gatherMs = 0;
  #timer: Timer | undefined;
  #endsAt = 0;
  #resolve: (() => void) | undefined;

  ring(): void {
    if (this.#isRung) return;
    this.#isRung = true;
    this.#wait(this.#gatherMs);
  }

  /** Ends the rest under way after this many ms, unless it ends before. */
  endRestWithin(ms: number): void {
    if (steadyMs() + ms < this.#endsAt) this.#wait(ms);
  }

  /** Waits for `ms`, or until `gatherMs` after `ring()`. A call of `ring()` since the last wait counts. */
  async rest(ms: number, gatherMs: number): Promise<void> {
    this.#gatherMs = gatherMs;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      this.#wait(this.#isRung ? gatherMs : ms);
    });
    this.#isRung = false;
  }

  /** Ends the rest under way, if there is one, after this many ms. */
  #wait(ms: number): void {
    if (!this.#resolve) return;
    stopTimer(this.#timer);
    this.#endsAt = steadyMs() + ms;
    this.#timer = startTimer(() => {
      this.#resolve?.();
      this.#resolve = undefined;
    }, ms);
  }
}
