import { KINDS } from '../../events/kinds/kinds.ts';
import { MOST_WAITERS } from '../../state/lock-state.ts';
import type { Source } from '../source.ts';
import { countsListeners, readsQueues, type VisiblePart } from '../watched.ts';
import type { Holder, Lock, Waiter } from './lock.ts';

/** When something began, in Redis time (µs). `isAtLeast`: it was first seen then, and may have begun earlier. */
export type Beginning = { readonly at: number; readonly isAtLeast: boolean };

/** Returns when the oldest hold of a lock began; null if the lock is free, or if no beginning is known. */
export function oldestHold({ held, holders }: Pick<Lock, 'held' | 'holders'>): Beginning | null {
  if (!held) return null;
  return oldest(
    holders.map(({ since, firstSeenAt }) => {
      if (since !== null) return { at: since, isAtLeast: false };
      return firstSeenAt === undefined ? null : { at: firstSeenAt, isAtLeast: true };
    }),
  );
}

/** A waiter is late, or gone, if it has not attempted this long after it should have: in microseconds. */
const LATE = 2_000_000;

/**
 * Whether a waiter should have attempted again by `now`, and was not seen to: it is late, or gone. False for a waiter
 * that is presumed gone or is in a queue. Also false while its lock is not watched: an attempt may be unseen.
 */
export function isLate(
  { asleep, attempts, since, deadline, position, presumedGone }: Omit<Waiter, 'id' | 'client'>,
  { unwatchedSince }: Pick<Lock, 'unwatchedSince'>,
  now: number,
): boolean {
  if (presumedGone || position !== null || unwatchedSince !== undefined) return false;
  const dueAt = asleep ? deadline : attempts === 1 ? since : null;
  return dueAt !== null && now > dueAt + LATE;
}

/** Returns when the oldest wait for a lock began; null: no waiter is known. Waiters presumed gone do not count. */
export function oldestWait({ waiters }: Pick<Lock, 'waiters'>): Beginning | null {
  const alive = waiters.filter(({ presumedGone }) => !presumedGone);
  return oldest(alive.map((waiter) => ({ at: waiter.since, isAtLeast: isOlder(waiter) })));
}

/**
 * Returns since when connections have listened for a lock and the lock has not changed hands; null: no connection
 * listens. A thread of these connections may have waited longer.
 */
export function oldestListening(
  lock: Pick<Lock, 'held' | 'holders' | 'permits' | 'listenedSince' | 'handovers' | 'changedAt'>,
) {
  const { held, holders, permits, listenedSince, handovers, changedAt } = lock;
  if (listenedSince === undefined) return null;
  // a semaphore may show no holders: then any event about it may be a change
  const isUnnamed = !held || (permits !== undefined && holders.length === 0);
  const changes = isUnnamed ? [changedAt] : holders.map(({ since, firstSeenAt }) => since ?? firstSeenAt ?? 0);
  return { at: Math.max(listenedSince, handovers?.at ?? 0, ...changes), isAtLeast: true } satisfies Beginning;
}

/** The earliest beginning. `isAtLeast`: one of them was not seen, so it may be earlier than the earliest one seen. */
function oldest(all: readonly (Beginning | null)[]): Beginning | null {
  let first: Beginning | null = null;
  for (const each of all) if (each !== null && (first === null || each.at < first.at)) first = each;
  const isAtLeast = all.some((each) => each === null || each.isAtLeast);
  return first && { at: first.at, isAtLeast };
}

/** Whether the lock is held, perhaps since before it was watched: then threads may have been refused unseen. */
function isHeldFromBefore({ held, holders }: Pick<Lock, 'held' | 'holders'>): boolean {
  return held && (holders.length === 0 || holders.some(({ since }) => since === null));
}

/**
 * Why threads that wait for a lock may not be seen; null: all are seen. `showsAttempts`: refused attempts were visible
 * at the shown instant.
 *
 *   level       refused attempts are not visible
 *   unread      its key is not read, so connections that listened before are not counted
 *   listeners   they were refused before it was watched, and listeners are not counted
 *   queue       this user may not read the queue of a fair lock, in which threads may wait
 *   own         waiters of an application's own lock may sleep without asking, for example in BLPOP
 *   free        connections listen for a free lock, and how it became free was not seen: they may sleep
 */
export function hidesWaiters(
  lock: Lock,
  source: ({ readonly level?: Source['level'] } & VisiblePart) | undefined,
  showsAttempts = source?.level === 'monitor',
): HiddenWaiters | null {
  if (!showsAttempts) return 'level';
  if (lock.unread !== undefined) return 'unread';
  if (lock.held && lock.library === 'unknown') return 'own';
  if (isListenedWhileFree(lock)) return 'free';
  if (!lock.held || source === undefined) return null;
  const mayBeFair = KINDS[lock.kind].hasQueue || (lock.kind === 'lock' && lock.kindKnown === false);
  if (mayBeFair && !readsQueues(source)) return 'queue';
  return isHeldFromBefore(lock) && !countsListeners(source) ? 'listeners' : null;
}
export type HiddenWaiters = 'level' | 'unread' | 'listeners' | 'queue' | 'own' | 'free';

/** Whether connections listen for a lock that is free, and how it became free was only inferred. */
function isListenedWhileFree({ held, waiters, subscribers, certainty, lost }: Lock): boolean {
  return !held && waiters.length === 0 && (subscribers ?? 0) > 0 && certainty === 'inferred' && lost === undefined;
}

/** Whether every waiter of these locks is seen. `showsAttempts`: whether all sources show attempts to acquire. */
export function seesAllWaiters(
  locks: Iterable<Lock>,
  sources: readonly ({ readonly id: string; readonly level?: Source['level'] } & VisiblePart)[],
  showsAttempts = sources.every(({ level }) => level === 'monitor'),
): boolean {
  if (!showsAttempts) return false;
  const byId = new Map(sources.map((source) => [source.id, source]));
  for (const lock of locks) if (hidesWaiters(lock, byId.get(lock.source), true) !== null) return false;
  return true;
}

/** When the hold of a holder ends; null: never, or not known. Readers of other clients prolong the lease of a lock. */
export function endOfHolder(lock: Lock, holder: Holder): number | null {
  if (holder.expiresAt !== null || holder.mode !== 'read') return holder.expiresAt ?? lock.lease.expiresAt;
  const isShared = lock.moreHolders !== undefined || lock.holders.some(({ client }) => client !== holder.client);
  return isShared ? null : lock.lease.expiresAt;
}

/** Number of readers, listed or not. */
export function readersOf({ holders, moreHolders = 0 }: Lock): number {
  return holders.filter(({ mode }) => mode === 'read').length + moreHolders;
}

/** Number of holders, listed or not. Semaphore: holders beyond the listed ones are counted by their permits. */
export function holderCount({ holders, moreHolders = 0 }: Lock): number {
  return holders.length + moreHolders;
}

/** Number of waiters, listed or not. */
export function waiterCount({ waiters, moreWaiters = 0 }: Lock): number {
  return waiters.length + moreWaiters;
}

/**
 * Whether more threads may wait than are counted. At a level without attempts, a queue with waiters is complete: the
 * whole queue is read.
 */
export function hasMoreWaiters(lock: Lock, hidden: HiddenWaiters | null): boolean {
  if (lock.waiters.length >= MOST_WAITERS && lock.moreWaiters === undefined) return true;
  return hidden !== null && (hidden !== 'level' || lock.waiters.every(({ position }) => position === null));
}

/** Whether a waiter was found in a queue, and was not seen to attempt. */
export function isFound({ attempts, asleep, position }: Waiter): boolean {
  return attempts === 0 && !asleep && position !== null;
}

/** Whether a wait began before it was seen. */
export function isOlder(waiter: Waiter): boolean {
  return waiter.isAtLeast === true || isFound(waiter);
}

/** Sorts waiters in a queue first, by position. The order of the others does not change. */
export function inQueueOrder(waiters: readonly Waiter[]): readonly Waiter[] {
  if (waiters.every(({ position }) => position === null)) return waiters;
  const last = Number.MAX_SAFE_INTEGER;
  return [...waiters].sort((a, b) => (a.position ?? last) - (b.position ?? last));
}

/**
 * The number of locks that clients certainly wait for. `waited`: locks that have waiters or listeners. Redis does not
 * report in which database a listener of a channel waits. So locks of one source and name without a waiter count once.
 */
export function waitedLocks(waited: readonly Pick<Lock, 'id' | 'source' | 'name' | 'waiters'>[]): number {
  return new Set(waited.map(({ id, source, name, waiters }) => (waiters.length > 0 ? id : `${source} ${name}`))).size;
}
