import { KINDS } from '../../events/kinds/kinds.ts';
import { MOST_WAITERS } from '../../state/lock-state.ts';
import type { Source } from '../source.ts';
import { countsListeners, readsQueues, type VisiblePart } from '../watched.ts';
import type { Holder, Lock, Waiter } from './lock.ts';

/** When something began, in Redis time (µs). `isAtLeast`: it was first seen then, and may have begun earlier. */
export type Beginning = { readonly at: number; readonly isAtLeast: boolean };

/** Returns when the oldest hold of a lock began; null if it is free, or if that is unknown. */
export function oldestHold({ held, holders }: Pick<Lock, 'held' | 'holders'>): Beginning | null {
  if (!held) return null;
  return oldest(
    holders.map(({ since, firstSeenAt }) => {
      if (since !== null) return { at: since, isAtLeast: false };
      return firstSeenAt === undefined ? null : { at: firstSeenAt, isAtLeast: true };
    }),
  );
}

/** After this time without an attempt, a waiter is late, or gone: in microseconds. */
const LATE = 2_000_000;

/**
 * Whether a waiter should have attempted again by `now`, and was not seen to. It is not known whether it is late or
 * gone. While its lock is not watched, an attempt may be unseen.
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

/** Returns when the oldest wait for a lock began; null without a known waiter. Waiters presumed gone do not count. */
export function oldestWait({ waiters }: Pick<Lock, 'waiters'>): Beginning | null {
  const alive = waiters.filter(({ presumedGone }) => !presumedGone);
  return oldest(alive.map((waiter) => ({ at: waiter.since, isAtLeast: isOlder(waiter) })));
}

/**
 * Returns since when at least one connection has listened for a lock that has not changed hands; null: none listens.
 * The thread of that connection may have waited before.
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

/** The earliest beginning. One that is only known to be earlier than its instant may be earlier than all others. */
function oldest(all: readonly (Beginning | null)[]): Beginning | null {
  let first: Beginning | null = null;
  for (const each of all) if (each !== null && (first === null || each.at < first.at)) first = each;
  const isAtLeast = all.some((each) => each === null || each.isAtLeast);
  return first && { at: first.at, isAtLeast };
}

/** Whether a lock is held, and may be so since before it was watched: threads that were refused before that were not seen. */
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
 *   queue       the queue of a fair lock may not be read, and may have such threads
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

/** Whether connections listen for a lock that is free, and no command has shown it free. */
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

/** Number of holders, listed or not. */
export function holderCount({ holders, moreHolders = 0 }: Lock): number {
  return holders.length + moreHolders;
}

/** Number of waiters, listed or not. */
export function waiterCount({ waiters, moreWaiters = 0 }: Lock): number {
  return waiters.length + moreWaiters;
}

/** Whether more threads may wait than are counted. The places in a queue are all read. */
export function hasMoreWaiters(lock: Lock, hidden: HiddenWaiters | null): boolean {
  if (lock.waiters.length >= MOST_WAITERS && lock.moreWaiters === undefined) return true;
  return hidden !== null && (hidden !== 'level' || lock.waiters.every(({ position }) => position === null));
}

/** True if a waiter was found in the queue and no attempt of it has been seen. */
export function isFound({ attempts, asleep, position }: Waiter): boolean {
  return attempts === 0 && !asleep && position !== null;
}

/** Whether its wait began before it was seen. */
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
 * The number of locks that clients certainly wait for, of those that are wanted. Redis does not report in which database a
 * listener of a channel waits, so locks of one name that only have listeners count once.
 */
export function waitedLocks(waited: readonly Pick<Lock, 'id' | 'source' | 'name' | 'waiters'>[]): number {
  return new Set(waited.map(({ id, source, name, waiters }) => (waiters.length > 0 ? id : `${source} ${name}`))).size;
}
