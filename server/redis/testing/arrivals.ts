/** Waits for what a connection hears: whoever listens calls `check` after each piece, and `fail` when nothing more comes. */
export type Arrivals = {
  check(): void;
  fail(error: Error): void;
  /** Settles once `isThere` holds; rejects with everything heard when it does not within `withinMs`, or on `fail`. */
  until(isThere: () => boolean, withinMs?: number): Promise<void>;
};

/** `heard` tells in words what has come so far. */
export function watchArrivals(heard: () => string): Arrivals {
  let check: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  return {
    check: () => check(),
    fail: (error) => fail(error),
    until: (isThere, withinMs = 15_000) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`not seen within ${withinMs} ms; seen:\n${heard()}`));
        const timer = setTimeout(late, withinMs);
        fail = (error) => {
          clearTimeout(timer);
          reject(error);
        };
        check = () => {
          if (!isThere()) return;
          clearTimeout(timer);
          resolve();
        };
        check();
      }),
  };
}
