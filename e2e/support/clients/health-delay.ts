import type { Lockscope } from './lockscope.ts';

/** How long health took to answer, again and again: the delay of the event loop that answers everybody. */
export type HealthDelay = { readonly answers: number; readonly longestMs: number };

/** Asks for health without a pause while `work` is under way. */
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
