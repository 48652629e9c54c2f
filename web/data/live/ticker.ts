/** One timer for the whole page. It runs only while there are listeners. */
export class Ticker {
  /** Returns how long after this machine's instant `now` the next tick is due, in ms. */
  readonly #untilNext: (now: number) => number;
  readonly #listeners = new Set<() => void>();
  #timer: number | undefined;
  #now = Date.now();

  constructor(untilNext: (now: number) => number) {
    this.#untilNext = untilNext;
  }

  /** Returns this machine's time at the last tick, in ms. */
  readonly last = (): number => this.#now;

  /** Calls `listener` at each tick. Returns the function that unsubscribes it. */
  readonly on = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#timer === undefined) this.#waitFrom(Date.now());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      window.clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  };

  #waitFrom(now: number): void {
    this.#now = now;
    this.#timer = window.setTimeout(this.#tick, this.#untilNext(now));
  }

  readonly #tick = (): void => {
    this.#waitFrom(Date.now());
    // a copy: a listener that subscribes again is not called before the next tick
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener();
  };
}

/** Ticks every 100 ms. For countdowns, which show tenths of a second. */
export const tenths = new Ticker(() => 100);

let clock = (now: number): number => now * 1000;

/**
 * For clocks and ages, at each full second of Redis's clock, so that all of them change in the same frame: an idle page
 * is drawn once a second. Between two ticks, an age stays as it was at the last tick.
 */
export const seconds = new Ticker((now) => 1000 - Math.floor((clock(now) / 1000) % 1000));

/**
 * Aligns the ticks of `seconds` with a clock: `read` returns its time in µs at this machine's instant in ms, or null if
 * it is not known. While that clock is unknown or stopped, the ticks are the seconds of this machine.
 */
export function followClock(read: (now: number) => number | null): void {
  clock = (now) => {
    const at = read(now);
    return at === null || at === read(now + 1) ? now * 1000 : at;
  };
}

/**
 * Calls `then` once after `ms`. From a second on, it waits for the next tick of `seconds`, so that the page needs no
 * extra frame. Returns the function that cancels it.
 */
export function onceIn(ms: number, then: () => void): () => void {
  if (ms < 1000) {
    const timer = window.setTimeout(then, ms);
    return () => window.clearTimeout(timer);
  }
  const stop = seconds.on(() => {
    stop();
    then();
  });
  return stop;
}
