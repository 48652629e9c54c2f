import { startTimer, steadyMs, stopTimer } from '../../redis/connection/surroundings.ts';

/** A healthy server answers within this time, even if several round trips are needed. */
const PATIENCE_MS = 800;

/**
 * Waits for a job; calls `onWait` about every 0.8 s with the time waited so far, until the job is done. Each job has its
 * own timer: ticks of a worker are aligned, so the first of them may come at once.
 */
export function whileWaiting<T>(job: Promise<T>, onWait: (waitedMs: number) => void): Promise<T> {
  const began = steadyMs();
  const next = () =>
    startTimer(() => {
      timer = next();
      onWait(steadyMs() - began);
    }, PATIENCE_MS);
  let timer = next();
  return job.finally(() => stopTimer(timer));
}
