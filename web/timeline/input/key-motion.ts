import type { TimelineActions } from '../store/actions.ts';

export type Motion = 'zoom-in' | 'zoom-out' | 'pan-back' | 'pan-on';

/** A held key pans by this share of the view per second, and zooms by a factor of `exp(ZOOM_RATE)` per second. */
const PAN_RATE = 0.9;
const ZOOM_RATE = 1.8;
/** With Shift, the view moves this many times as fast. */
const FAST = 3;
/** A short key press moves the view for at least this long. */
const TAP_MS = 90;

/**
 * Moves the view while keys are held, by elapsed time and not by key repeats. With reduced motion, each press is one
 * step.
 */
export class KeyMotion {
  readonly #actions: TimelineActions;
  readonly #held = new Map<string, { motion: Motion; until: number }>();
  #isFast = false;
  #last = 0;
  #frame = 0;

  constructor(actions: TimelineActions) {
    this.#actions = actions;
  }

  press(code: string, motion: Motion, isFast: boolean): void {
    this.#isFast = isFast;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return this.#move(motion, 0.25);
    if (this.#held.has(code)) return;
    this.#held.set(code, { motion, until: Number.POSITIVE_INFINITY });
    if (this.#frame) return;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(this.#step);
  }

  release(code: string): void {
    const held = this.#held.get(code);
    if (held) held.until = Math.max(performance.now(), this.#last + TAP_MS);
  }

  /** Stops all motion: the window lost the focus, so no key-up events will arrive. */
  stop(): void {
    this.#held.clear();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #step = (now: number): void => {
    const seconds = Math.min(0.1, (now - this.#last) / 1000);
    this.#last = now;
    for (const [code, { motion, until }] of this.#held) {
      this.#move(motion, seconds * (this.#isFast ? FAST : 1));
      if (now >= until) this.#held.delete(code);
    }
    this.#frame = this.#held.size > 0 ? requestAnimationFrame(this.#step) : 0;
  };

  #move(motion: Motion, seconds: number): void {
    const { timeline } = this.#actions;
    const view = timeline.view();
    const length = view.to - view.from;
    if (motion === 'pan-back') this.#actions.pan(-length * PAN_RATE * seconds);
    else if (motion === 'pan-on') this.#actions.pan(length * PAN_RATE * seconds);
    else this.#actions.zoom(Math.exp((motion === 'zoom-in' ? -1 : 1) * ZOOM_RATE * seconds), this.#anchor());
  }

  /** The instant that stays in place while zooming by key: the cursor, if it is visible. */
  #anchor(): number | undefined {
    const { timeline } = this.#actions;
    const view = timeline.view();
    const at = timeline.cursorAt();
    return at >= view.from && at <= view.to ? at : undefined;
  }
}
