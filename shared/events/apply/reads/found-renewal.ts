import type { Millis } from '../../../base/time.ts';
import type { LockKey } from '../../mirror/lock-keys.ts';
import { SAME_END } from './found-holds.ts';

/** `lockWatchdogTimeout` of Redisson where it is not set. */
const DEFAULT_LEASE: Millis = 30_000;

/**
 * Whether a watchdog moved the end of a lease, where only reads show it. A watchdog sets the same lease again when a third
 * of it is over; other libraries do so at half of it.
 *
 *   set ├──────⅓──────½─────────────┤ end          left: the lease again
 *              └ renewed ├──────────┼──────────────┤ new end
 *                                   └─── moved ────┘
 *
 * Anything else may be an expiry command as well. `movedBy`: by how much the end is later; `left`: what is left now.
 */
export function isWatchdogs(key: LockKey, movedBy: Millis, left: Millis): boolean {
  const lease = key.foundLeaseMs ?? (isAbout(left, DEFAULT_LEASE) ? DEFAULT_LEASE : left);
  const error = errorOf(lease);
  return isAbout(left, lease) && movedBy >= lease / 3 - error && movedBy <= lease / 2 + error;
}

function isAbout(left: Millis, lease: Millis): boolean {
  return Math.abs(left - lease) <= errorOf(lease);
}

/** Timers and reads are late on a busy machine. */
function errorOf(lease: Millis): Millis {
  return SAME_END + lease / 15;
}
