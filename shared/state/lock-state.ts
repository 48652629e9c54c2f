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
 * Whether a lock is held. A semaphore is held if a permit is taken, by a known holder or not; a latch if it is not
 * open. While a refused thread sleeps, a holder that was not seen has the lock: the timer of the sleeper ends with the
 * lease.
 */
export function isHeld({ holders, holdersBeyond, permits, latch, holderUnseen, waiters }: LockState): boolean {
  if (holderUnseen && waiters.some(({ isAsleep, presumedGoneAt }) => isAsleep && presumedGoneAt === null)) return true;
  const isOut = permits !== null && permits.total !== null && permits.available < permits.total;
  return holders.length + holdersBeyond > 0 || isOut || (latch?.count ?? 0) > 0;
}

/** Whether a lock is not held, has no waiters or believers, and no connection listens for it. */
export function isFree(lock: LockState): boolean {
  return !isHeld(lock) && lock.waiters.length + lock.believers.length === 0 && !lock.subscribers;
}

/** The number of confirmed waiters of a lock that are not presumed gone. */
export function waitingFor(lock: LockState): number {
  let waiting = lock.waitersBeyond;
  for (const { isConfirmed, presumedGoneAt } of lock.waiters) if (isConfirmed && presumedGoneAt === null) waiting++;
  return waiting;
}
