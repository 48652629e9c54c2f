/**
 * Asks again and again until `probe` gives something other than `undefined` or `false`; gives that back.
 * Throws after `withinMs`, with what `probe` last said was missing: late enough for a machine that is busy with much else.
 */
export async function waitFor<T>(
  what: string,
  probe: (missing: (why: string) => undefined) => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 60_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  let why = '';
  const missing = (reason: string): undefined => {
    why = `: ${reason}`;
  };
  for (;;) {
    const found = await probe(missing);
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${withinMs / 1000} s for ${what}${why}`);
    await pause(20);
  }
}

/** Lets time pass, where time itself is the story (a lease, a hold); never to wait for something to happen. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
