/** One timer for the whole page. It runs only while there are listeners. */
class Ticker {
  readonly #everyMs: number;
  readonly #listeners = new Set<() => void>();
  #timer: number | undefined;
  #now = Date.now();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Returns this machine's time at the last tick, in ms. */
  readonly last = (): number => this.#now;

  /** Calls `listener` at each tick. Returns the function that unsubscribes it. */
  readonly on = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#now = Date.now();
      this.#timer = window.setInterval(this.#tick, this.#everyMs);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      window.clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  readonly #tick = (): void => {
    this.#now = Date.now();
    for (const listener of this.#listeners) listener();
  };
}

/** For countdowns, which show tenths of a second. */
export const tenths = new Ticker(100);
/** For clocks and ages in whole seconds: they change at most this much too late. An idle page runs only this one. */
export const seconds = new Ticker(200);
