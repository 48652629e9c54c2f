import { startTimer, steadyMs, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';

/** A loop that has nothing to do still looks around this often. */
export const LONG_PAUSE_MS = 10_000;

/** The pause of a loop. It ends a moment after something arrives, so that one round handles what arrives together. */
export class LoopPause {
  #isEnding = false;
  #gatherMs = 0;
  #timer: Timer | undefined;
  #endsAt = 0;
  #resolve: (() => void) | undefined;

  /** Ends the pause, because something has arrived. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#endAfter(this.#gatherMs);
  }

  /** Ends the pause under way after this many ms, unless it ends before. */
  endWithin(ms: number): void {
    if (steadyMs() + ms < this.#endsAt) this.#endAfter(ms);
  }

  /** Waits for `ms`, or until `gatherMs` after `end()`. A call of `end()` since the last pause counts. */
  async wait(ms: number, gatherMs: number): Promise<void> {
    this.#gatherMs = gatherMs;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      this.#endAfter(this.#isEnding ? gatherMs : ms);
    });
    this.#isEnding = false;
  }

  /** Ends the pause under way, if there is one, after this many ms. */
  #endAfter(ms: number): void {
    if (!this.#resolve) return;
    stopTimer(this.#timer);
    this.#endsAt = steadyMs() + ms;
    this.#timer = startTimer(() => {
      this.#resolve?.();
      this.#resolve = undefined;
    }, ms);
  }
}
