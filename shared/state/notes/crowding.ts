import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { CROWD, type LockFacts } from '../lock-facts.ts';

/** If no woken attempt was refused for longer than this, counting begins again. */
const PAUSE: Millis = 30_000;

/**
 * Since when threads crowd at a lock: `CROWD` of them or more at first, and never fewer than `CROWD - 1` since.
 * `isOlder`: each of them may have waited before it was seen, so they may have crowded before.
 */
export type Crowd = { readonly at: RedisTime; readonly seq: number; readonly isOlder?: true };

export function crowdAfter(
  since: Crowd | undefined,
  { waiters, waitersBeyond }: LockFacts,
  { at, seq }: LockEvent,
): Crowd | undefined {
  // at a hand-over, one thread of a crowd holds the lock, and the former holder has not attempted again
  if (waiters.length + waitersBeyond < (since ? CROWD - 1 : CROWD)) return undefined;
  const isOlder = since === undefined && waitersBeyond === 0 && waiters.every((waiter) => waiter.isOlder);
  return since ?? { at, seq, ...(isOlder ? { isOlder } : undefined) };
}

/** Wake-ups that ended in a refused attempt, at most `PAUSE` apart. */
export type Herd = {
  readonly since: RedisTime;
  readonly at: RedisTime;
  /** Releases whose message was published since then. */
  readonly releases: number;
  /** Woken attempts that were refused. */
  readonly refused: number;
};

export function herdAfter(herd: Herd | undefined, event: LockEvent): Herd | undefined {
  const { at, type } = event;
  if (type === 'wakeup.published' && herd) return { ...herd, releases: herd.releases + 1 };
  if (type !== 'lock.refused' || event.wokenBy !== 'message') return herd;
  const isNew = !herd || millisBetween(herd.at, at) > PAUSE;
  return isNew ? { since: at, at, releases: 1, refused: 1 } : { ...herd, at, refused: herd.refused + 1 };
}

/** The reads of a read-write lock that were admitted while a writer waited and the lock was never free. */
export type ReadsAhead = { readonly since: RedisTime; readonly at: RedisTime; readonly reads: number };

export function readsAheadAfter(
  readsAhead: ReadsAhead | undefined,
  before: LockFacts,
  after: LockFacts,
  event: LockEvent,
): ReadsAhead | undefined {
  if (readsAhead === undefined && (event.type !== 'lock.acquired' || event.mode !== 'read')) return undefined;
  const isHeld = before.holders.length > 0 && after.holders.length > 0;
  if (!isHeld || !after.waiters.some(isWriter)) return undefined;
  if (event.type !== 'lock.acquired' || event.mode !== 'read') return readsAhead;
  return { since: readsAhead?.since ?? event.at, at: event.at, reads: (readsAhead?.reads ?? 0) + 1 };
}

function isWriter({ mode, isConfirmed, presumedGoneAt }: LockFacts['waiters'][number]): boolean {
  return mode === 'write' && isConfirmed && presumedGoneAt === null;
}
