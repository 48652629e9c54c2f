import type { Lockscope } from './lockscope.ts';

/** How long `/api/health` took to answer repeated requests, in ms: the delay of the server's event loop. */
type HealthDelay = { readonly answers: number; readonly longestMs: number };

/** Requests health without a pause until `work` is done. */
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
