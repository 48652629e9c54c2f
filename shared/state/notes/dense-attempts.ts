import type { Millis, RedisTime } from '../../base/time.ts';

/** Attempts further apart than this do not belong to one dense run. The pauses of a spin lock are 128 ms at most. */
const LONGEST_PAUSE: Millis = 200;

/**
 * Whether an attempt belongs to the same dense run as an earlier one of its holder. `attempts`: the difference of their
 * numbers.
 */
export function isDense(before: RedisTime, at: RedisTime, attempts: number): boolean {
  return at - before <= LONGEST_PAUSE * 1000 * attempts;
}
