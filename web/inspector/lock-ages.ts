import type { Lock } from '../../shared/wire/lock.ts';
import { isFound } from './lock-words.ts';

/** When something began, in Redis time (µs). `isAtLeast`: it began before that, and was first seen then. */
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

/** Returns when the oldest wait for a lock began; null without a known waiter. Waiters presumed gone do not count. */
export function oldestWait({ waiters }: Pick<Lock, 'waiters'>): Beginning | null {
  const alive = waiters.filter(({ presumedGone }) => !presumedGone);
  return oldest(alive.map((waiter) => ({ at: waiter.since, isAtLeast: isFound(waiter) })));
}

/** The earliest beginning. One that is only known to be earlier than its instant may be earlier than all others. */
function oldest(all: readonly (Beginning | null)[]): Beginning | null {
  let first: Beginning | null = null;
  for (const each of all) if (each !== null && (first === null || each.at < first.at)) first = each;
  const isAtLeast = all.some((each) => each === null || each.isAtLeast);
  return first && { at: first.at, isAtLeast };
}
