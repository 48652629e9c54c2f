import { onceIn } from '../../data/live/ticker.ts';

/** While nothing moves, the next tick is that of the page's clock of seconds (`onceIn`). */
const REST_MS = 1000;
/** A longer frame counts as this long, so that a hidden page continues where it was. */
const LONGEST_FRAME_MS = 250;

/** Calls `tick` every frame while it returns true ("something moves"), and otherwise once a second. */
export class FrameClock {
  readonly #tick: (screenMs: number, now: number) => boolean;
  #isRunning = false;
  #isMoving = true;
  #lastAt = 0;
  #frame = 0;
  #stopWaiting: (() => void) | null = null;

  constructor(tick: (screenMs: number, now: number) => boolean) {
    this.#tick = tick;
  }

  /** Starts the clock; returns the function that stops it. */
  run(): () => void {
    this.#lastAt = performance.now();
    this.#isRunning = true;
    this.wake();
    return () => {
      this.#isRunning = false;
      this.#cancel();
    };
  }

  /** Asks for a frame at once. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#cancel();
    this.#isMoving = true;
    this.#schedule();
  }

  #schedule(): void {
    const frame = () => {
      const now = performance.now();
      const screenMs = Math.min(LONGEST_FRAME_MS, Math.max(0, now - this.#lastAt));
      this.#lastAt = now;
      this.#isMoving = this.#tick(screenMs, now);
      this.#schedule();
    };
    if (this.#isMoving) this.#frame = requestAnimationFrame(frame);
    else this.#stopWaiting = onceIn(REST_MS, frame);
  }

  #cancel(): void {
    cancelAnimationFrame(this.#frame);
    this.#stopWaiting?.();
  }
}
