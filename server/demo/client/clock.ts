import { steadyEpochMs, wallMs } from '../../redis/connection/surroundings.ts';

const MOST_DRIFT_MS = 2;
let aheadMs = 0;

/** Sets how far the clock that this client uses for its locks is ahead of the machine's; negative: behind. */
export function setAhead(ms: number): void {
  aheadMs = ms;
}

/** What this client sends to Redis as the current time, in ms since the epoch. */
export function lockMillis(): number {
  return wallMs() + aheadMs;
}

/**
 * The machine's wall clock in microseconds since the epoch, for reports. Follows the system clock if that is changed.
 */
export function epochMicros(): number {
  const fine = steadyEpochMs();
  const wall = wallMs();
  return Math.round((Math.abs(fine - wall) <= MOST_DRIFT_MS ? fine : wall) * 1000);
}
