import { type RedisTime, redisTime } from '../base/time.ts';
import type { HolderState, LockState } from './lock-state.ts';

/**
 * When a hold ends: a permit at its deadline, a group lock's holder with its last value, a reader with its last timeout
 * key, any other hold with the lock's lease. Null: never, or not known.
 */
export function holdEnd(lock: LockState, { timeouts, expiresAt, values }: HolderState): RedisTime | null {
  if (expiresAt !== undefined) return expiresAt;
  if (values?.every((each) => each.expiresAt !== null)) {
    return redisTime(Math.max(...values.map((each) => each.expiresAt ?? 0)));
  }
  const known = timeouts?.filter((end) => end !== null) ?? [];
  return known.length === 0 ? lock.expiresAt : redisTime(Math.max(...known));
}
