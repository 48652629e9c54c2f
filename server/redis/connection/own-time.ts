import { startTicks, stopTimer, type Timer } from './surroundings.ts';

const BEAT_MS = 100;

/**
 * Calls `run` once, after the process has run for `ms`, rounded up to beats of 100 ms. A stop of the process or of the
 * machine counts as one beat, so that what arrived meanwhile is read first. `stopTimer` cancels the returned timer.
 */
export function afterOwnTime(ms: number, run: () => void): Timer {
  let beats = Math.ceil(ms / BEAT_MS);
  const timer = startTicks(() => {
    if (--beats > 0) return;
    stopTimer(timer);
    run();
  }, BEAT_MS);
  return timer;
}
