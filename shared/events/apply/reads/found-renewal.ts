import type { Millis } from '../../../base/time.ts';
import { type LockKey, SAME_END } from '../../mirror/lock-key.ts';

/** The default of Redisson's `lockWatchdogTimeout`. */
const DEFAULT_LEASE: Millis = 30_000;

/**
 * Whether a watchdog moved the end of a lease that only reads show. Redisson's watchdog sets the same lease again when
 * a third of it is over; other libraries do so at half of it.
 *
 *   set ├──────⅓──────½─────────────┤ end          left: the lease again
 *              └ renewed ├──────────┼──────────────┤ new end
 *                                   └─── moved ────┘
 *
 * Any other new end may also be that of an expiry command. `movedBy`: by how much the end is later; `left`: the TTL.
 */
export function isWatchdogs(key: LockKey, movedBy: Millis, left: Millis): boolean {
  const lease = key.foundLeaseMs ?? (isSameLease(left, DEFAULT_LEASE) ? DEFAULT_LEASE : left);
  const error = errorOf(lease);
  return isSameLease(left, lease) && movedBy >= lease / 3 - error && movedBy <= lease / 2 + error;
}

/** Whether a TTL that a read found equals the lease that was set shortly before. */
export function isSameLease(left: Millis, lease: Millis): boolean {
  return Math.abs(left - lease) <= errorOf(lease);
}

/** How far a time may be off, because timers and reads are late on a busy machine. */
function errorOf(lease: Millis): Millis {
  return SAME_END + lease / 15;
}
