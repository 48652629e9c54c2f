import type { LockFacts } from './lock-facts.ts';
import type { LockNotes } from './notes/lock-notes.ts';

export * from './lock-facts.ts';

/** One lock at one instant, derived from its events. It is never changed: every event makes a new one. */
export type LockState = LockFacts & {
  /** What single detectors need to know of the lock's past. Absent: nothing. */
  readonly notes?: LockNotes;
};

/** The id of a lock: unique over all sources. */
export function lockIdOf(of: { source: string; db: number; lock: string }): string {
  return `${of.source}/${of.db}/${of.lock}`;
}

export function idOf({ source, db, name }: Pick<LockState, 'source' | 'db' | 'name'>): string {
  return lockIdOf({ source, db, lock: name });
}

export function sourceInId(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** The database in the id of a lock. */
export function dbInId(id: string): number {
  const from = id.indexOf('/') + 1;
  return Number(id.slice(from, id.indexOf('/', from)));
}

export function nameInId(id: string): string {
  return id.slice(id.indexOf('/', id.indexOf('/') + 1) + 1);
}

/**
 * Whether a lock is held, as far as known.
 *
 * - A semaphore is held if a permit is taken, by a known holder or not. A latch is held if its count is above 0.
 * - If the holder was not seen, a refused thread that sleeps shows that the lock is held: the timer of the sleeper ends
 *   with the lease.
 */
export function isHeld({ holders, holdersBeyond, permits, latch, holderUnseen, waiters }: LockState): boolean {
  if (holderUnseen && waiters.some(({ isAsleep, presumedGoneAt }) => isAsleep && presumedGoneAt === null)) return true;
  const isOut = permits !== null && permits.total !== null && permits.available < permits.total;
  return holders.length + holdersBeyond > 0 || isOut || (latch?.count ?? 0) > 0;
}

/**
 * Whether a lock is not held, has no waiters, listed or only counted, and no believers, and no connection is known to
 * listen for it.
 */
export function isFree(lock: LockState): boolean {
  const { waiters, waitersBeyond, believers, subscribers } = lock;
  return !isHeld(lock) && waiters.length + waitersBeyond + believers.length === 0 && !subscribers;
}

/** The number of confirmed waiters of a lock that are not presumed gone, with those that are only counted. */
export function waitingFor(lock: LockState): number {
  let waiting = lock.waitersBeyond;
  for (const { isConfirmed, presumedGoneAt } of lock.waiters) if (isConfirmed && presumedGoneAt === null) waiting++;
  return waiting;
}
