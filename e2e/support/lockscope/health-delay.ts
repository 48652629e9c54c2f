import type { Lockscope } from './lockscope.ts';

/**
 * How many requests `/api/health` answered, and how long the slowest answer took, in ms: about the longest delay of the
 * server's event loop.
 */
type HealthDelay = { readonly answers: number; readonly longestMs: number };

/** Requests health without a pause until `work` is done. Rejects if `work` does. */
export async function healthDuring(lockscope: Lockscope, work: Promise<unknown>): Promise<HealthDelay> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  let answers = 0;
  let longestMs = 0;
  while (!isDone) {
    const began = performance.now();
    await lockscope.health();
    longestMs = Math.max(longestMs, Math.round(performance.now() - began));
    answers++;
  }
  await work;
  return { answers, longestMs };
}
