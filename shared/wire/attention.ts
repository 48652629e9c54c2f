import type { Lock } from './lock.ts';

type Wanted = Pick<Lock, 'held' | 'waiters' | 'moreWaiters' | 'subscribers'>;

/**
 * Estimates how many threads want a lock: the number of its waiters or, if more, of the connections that listen for its
 * release. Listeners count only while the lock is held; at some levels they are all that is known.
 */
export function wantedBy({ held, waiters, moreWaiters = 0, subscribers }: Wanted): number {
  return Math.max(waiters.length + moreWaiters, held ? (subscribers ?? 0) : 0);
}

/**
 * Compares locks by the attention they need, for every list: held by a client that is gone, then wanted, then held, then
 * free. Equal locks are ordered by how many threads want them, the most first, then by name.
 */
export function byAttention(a: Lock, b: Lock): number {
  return attentionOf(b) - attentionOf(a) || wantedBy(b) - wantedBy(a) || byText(a.name, b.name) || byText(a.id, b.id);
}

function attentionOf(lock: Lock): number {
  const isOrphaned = lock.held && lock.holders.some(({ presence }) => presence === 'gone');
  return (isOrphaned ? 4 : 0) + (wantedBy(lock) > 0 ? 2 : 0) + (lock.held ? 1 : 0);
}

/** Compares two strings by their UTF-16 code units. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
