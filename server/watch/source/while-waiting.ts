import { startTicks, steadyMs, stopTimer } from '../../redis/connection/surroundings.ts';

/** A healthy server answers within this time, even if several round trips are needed. */
const PATIENCE_MS = 800;

/** Waits for a job; calls `onWait` about every 0.8 s with the time waited so far, until the job is done. */
export function whileWaiting<T>(job: Promise<T>, onWait: (waitedMs: number) => void): Promise<T> {
  const began = steadyMs();
  const timer = startTicks(() => onWait(steadyMs() - began), PATIENCE_MS);
  return job.finally(() => stopTimer(timer));
}
