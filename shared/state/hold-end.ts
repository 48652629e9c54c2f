import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import { clientOf } from '../events/names/names.ts';
import type { HolderState, LockState } from './lock-state.ts';

/**
 * When a hold ends. Null: never, or not known.
 *
 * - If these ends are known, a permit ends at its deadline, a group lock's holder with its last value, and a reader
 *   with its last timeout key.
 * - Any other hold ends with the lock's lease. But if other clients hold the lock too, the end of a reader is then not
 *   known, because those clients prolong the lease.
 */
export function holdEnd(lock: LockState, holder: HolderState): RedisTime | null {
  const { timeouts, expiresAt, values } = holder;
  if (expiresAt !== undefined) return expiresAt;
  if (values?.every((each) => each.expiresAt !== null)) {
    return redisTime(Math.max(...values.map((each) => each.expiresAt ?? 0)));
  }
  const known = timeouts?.filter((end) => end !== null) ?? [];
  if (known.length > 0) return redisTime(Math.max(...known));
  return holder.mode === 'read' && isShared(lock, holder) ? null : lock.expiresAt;
}

/** If the lease was set more than this after the holder last set it, another client set it. */
const SET_BY_OTHER: Millis = 1000;

/**
 * When a hold ends if no client sets its lease again, as `holdEnd`. Null also if another client has set the lock's
 * lease since the holder did, for example EXPIRE from another process: that may happen again.
 */
export function endsByItself(lock: LockState, holder: HolderState): RedisTime | null {
  const { leaseMs, expiresAt } = lock;
  const own = holder.leaseSetAt ?? holder.firstAt;
  const isOfLock = holder.mode !== 'read' && holder.expiresAt === undefined && holder.values === undefined;
  if (!isOfLock || leaseMs === null || expiresAt === null || own === undefined) return holdEnd(lock, holder);
  return millisBetween(own, plusMillis(expiresAt, -leaseMs)) > SET_BY_OTHER ? null : expiresAt;
}

/** Whether other clients hold the lock too. Holders that are not listed count as other clients. */
export function isShared({ holders, holdersBeyond }: LockState, { id }: Pick<HolderState, 'id'>): boolean {
  return holdersBeyond > 0 || holders.some((other) => clientOf(other.id) !== clientOf(id));
}
