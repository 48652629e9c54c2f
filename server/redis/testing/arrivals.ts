/**
 * Waits until a connection has received something. The listener calls `check` for each piece, and `fail` at the end.
 */
type Arrivals = {
  check(): void;
  fail(error: Error): void;
  /** Settles once `isThere` returns true. Rejects with everything received after `withinMs`, or on `fail`. */
  until(isThere: () => boolean, withinMs?: number): Promise<void>;
};

/** `heard` returns what has arrived so far, as text. */
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
