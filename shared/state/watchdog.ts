import { millisBetween, type RedisTime } from '../base/time.ts';
import type { HolderState, LockState } from './lock-state.ts';

/** Renewals arrive every third of the lease (`docs/protocol.md` 10). This much later, one is missing. */
const LATE_MS = 1000;

/**
 * Whether a watchdog keeps this hold alive, judged by its renewals.
 *
 *   set |·····⅓·····(+1 s)|  no renewal by here: an explicit lease, or a watchdog that died at once
 *
 * `on` needs at least one renewal. Until the first one is due, it is `unknown`.
 */
export function watchdogOf(lock: LockState, holder: HolderState, now: RedisTime): 'on' | 'off' | 'unknown' {
  if (holder.renewals > 0) return 'on';
  if (holder.leaseSetAt === null || lock.leaseMs === null) return 'unknown';
  const silence = millisBetween(holder.leaseSetAt, now);
  return silence > lock.leaseMs / 3 + LATE_MS || (lock.expiresAt !== null && now >= lock.expiresAt) ? 'off' : 'unknown';
}
