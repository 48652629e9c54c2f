import type { Lock } from './lock.ts';

type Wanted = Pick<Lock, 'held' | 'waiters' | 'moreWaiters' | 'subscribers'>;

/**
 * How many clients want a lock, as far as anybody can tell: its known waiters, or the clients that listen for the release
 * of a held lock where waiters are hidden.
 */
export function wantedBy({ held, waiters, moreWaiters = 0, subscribers }: Wanted): number {
  return Math.max(waiters.length + moreWaiters, held ? (subscribers ?? 0) : 0);
}

/**
 * The order of attention, the same in every list: held by a client that is gone, then wanted, then held, then free; of
 * equals the most wanted first, then by name.
 */
export function byAttention(a: Lock, b: Lock): number {
  return attentionOf(b) - attentionOf(a) || wantedBy(b) - wantedBy(a) || byText(a.name, b.name) || byText(a.id, b.id);
}

function attentionOf(lock: Lock): number {
  const isOrphaned = lock.held && lock.holders.some(({ presence }) => presence === 'gone');
  return (isOrphaned ? 4 : 0) + (wantedBy(lock) > 0 ? 2 : 0) + (lock.held ? 1 : 0);
}

/** Compares two texts by their characters. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
