import { startTicks, stopTimer, type Timer } from './surroundings.ts';

const BEAT_MS = 100;

/**
 * Calls `run` once after this much time in which the process ran. A stop of the process or of the machine counts as one
 * beat of 100 ms, so that what arrived meanwhile is read first. `stopTimer` of the result cancels it.
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
