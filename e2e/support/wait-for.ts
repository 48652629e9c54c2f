/** The pause between two probes grows from the shortest to the longest: probes take time that other processes need. */
const SHORTEST_MS = 20;
const LONGEST_MS = 100;

/**
 * Calls `probe` again and again until it returns something other than `undefined` or `false`, and returns that.
 * Throws after `withinMs`, with the newest reason given to `missing`. The default is long enough for a busy machine.
 */
export async function waitFor<T>(
  what: string,
  probe: (missing: (why: string) => undefined) => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 60_000,
): Promise<T> {
  const began = performance.now();
  let why = '';
  const missing = (reason: string): undefined => {
    why = `: ${reason}`;
  };
  for (;;) {
    const found = await probe(missing);
    if (found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - began;
    if (waitedMs > withinMs) throw new Error(`waited ${withinMs / 1000} s for ${what}${why}`);
    await pause(Math.min(SHORTEST_MS + waitedMs / 20, LONGEST_MS));
  }
}

/** Lets time pass, if the test is about time (a lease, a hold). Never use it to wait for something to happen. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
