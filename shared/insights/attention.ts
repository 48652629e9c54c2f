import { KINDS } from '../events/kinds/kinds.ts';
import type { LockKind } from '../events/types/lock-kind.ts';

/*
 * Which locks need attention first. This is a ranking, not a verdict: a lock that is wanted may be healthy.
 */

/** The fields that the ranking needs; `Lock` on the wire has all of them. */
type Ranked = {
  readonly id: string;
  readonly name: string;
  readonly kind: LockKind;
  readonly held: boolean;
  readonly holders: readonly { readonly presence: string }[];
  readonly waiters: readonly unknown[];
  readonly moreWaiters?: number | undefined;
  readonly subscribers: number | null;
  readonly permits?: { readonly available: number } | undefined;
  readonly lost?: unknown;
};

/**
 * Estimates how many threads want a lock: the number of its waiters or, if more, of the connections that listen for its
 * release. Listeners count only as `areListenersWaiting` describes. At levels without commands, they are often all that
 * is known.
 */
export function wantedBy(
  lock: Pick<Ranked, 'waiters' | 'moreWaiters' | 'subscribers'> & Parameters<typeof areListenersWaiting>[0],
): number {
  const { waiters, moreWaiters = 0, subscribers } = lock;
  return Math.max(waiters.length + moreWaiters, areListenersWaiting(lock) ? (subscribers ?? 0) : 0);
}

/**
 * Whether the connections that listen for a lock wait for it:
 *
 * - They wait while the lock is held, and after its key was lost, because no message comes then.
 * - They wait for a semaphore without a free permit, even if its holders are not known.
 * - They wait for a semaphore whose permits were never set. Such a semaphore has no key.
 */
export function areListenersWaiting({
  kind,
  held,
  permits,
  lost,
}: Pick<Ranked, 'kind' | 'held' | 'lost'> & { readonly permits?: Ranked['permits'] | null }): boolean {
  const isShut = KINDS[kind].counts === 'permit' && (permits?.available ?? 0) === 0;
  return held || lost !== undefined || isShut;
}

/** Whether a holder of the lock is gone: no client releases or renews that hold. */
export function hasGoneHolder({ held, holders }: Pick<Ranked, 'held' | 'holders'>): boolean {
  return held && holders.some(isGone);
}

/** Whether the lock is held only by clients that are gone. */
export function isOrphaned(holders: Ranked['holders']): boolean {
  return holders.length > 0 && holders.every(isGone);
}

function isGone({ presence }: Ranked['holders'][number]): boolean {
  return presence === 'gone';
}

/** Where a lock is in the order of attention. */
export type AttentionPlace = Pick<Ranked, 'id' | 'name'> & {
  /** The higher, the earlier: 4 if a holder is gone, plus 2 if a thread wants the lock, plus 1 if the lock is held. */
  readonly need: number;
  /** How many threads want the lock. */
  readonly wanted: number;
};

/**
 * Compares locks by the attention they need, for every list: held by a client that is gone, then wanted, then held,
 * then free. Equal locks are ordered by how many threads want them, the most first, then by name.
 */
export function byAttention(a: Ranked, b: Ranked): number {
  return byPlace(placeOf(a), placeOf(b));
}

/** As `byAttention`, for locks whose places are known. */
export function byPlace(a: AttentionPlace, b: AttentionPlace): number {
  return b.need - a.need || b.wanted - a.wanted || byText(a.name, b.name) || byText(a.id, b.id);
}

function placeOf(lock: Ranked): AttentionPlace {
  const wanted = wantedBy(lock);
  return { id: lock.id, name: lock.name, wanted, need: needOf(hasGoneHolder(lock), wanted, lock.held) };
}

/** The first part of the order of attention. */
export function needOf(hasGone: boolean, wanted: number, isHeld: boolean): number {
  return (hasGone ? 4 : 0) + (wanted > 0 ? 2 : 0) + (isHeld ? 1 : 0);
}

/** Compares two strings by their UTF-16 code units. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
