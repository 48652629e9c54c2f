import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import type { LockFacts, WaiterState } from '../lock-facts.ts';

/**
 * Up to 3.11.0 the deadline of each waiter is 5 s after that of the previous waiter, and an acquisition does not change
 * them.
 */
const OLD_STEP: Millis = 5000;
/** Up to this, a late deadline is normal: waiters give up, and holds are shorter than their leases. */
const FAR_TOO_LATE: Millis = 30_000;

/** By how much a deadline in an old queue is later than the lease and the waiter's position explain. */
export function driftOf(
  { expiresAt }: LockFacts,
  { position, deadline }: Pick<WaiterState, 'position' | 'deadline'>,
  now: RedisTime,
): Millis {
  if (position === null || deadline === null) return 0;
  const lease = expiresAt === null ? 0 : Math.max(0, millisBetween(now, expiresAt));
  return millisBetween(now, deadline) - lease - position * OLD_STEP;
}

/** Since when waiters enter an old queue with deadlines that are far too late. */
export type Drift = { readonly at: RedisTime; readonly seq: number };

export function driftAfter(drift: Drift | undefined, after: LockFacts, event: LockEvent): Drift | undefined {
  if (event.type !== 'waiter.queued' || !isOldQueue(after)) return drift;
  return driftOf(after, event, event.at) > FAR_TOO_LATE ? (drift ?? { at: event.at, seq: event.seq }) : undefined;
}

/** Whether the client is known to be Redisson 3.11.0 or older. */
function isOldQueue({ clientVersion }: LockFacts): boolean {
  const newest = clientVersion?.split('–').at(-1);
  const [major = 9, minor = 0, patch = 0] = newest?.split('.').map(Number) ?? [];
  return major < 3 || (major === 3 && (minor < 11 || (minor === 11 && patch === 0)));
}
