const MOST_DRIFT_MS = 2;

/** This client's wall clock in microseconds since the epoch. Follows the system clock if that is changed. */
export function epochMicros(): number {
  const fine = performance.timeOrigin + performance.now();
  const wall = Date.now();
  return Math.round((Math.abs(fine - wall) <= MOST_DRIFT_MS ? fine : wall) * 1000);
}
