import { expect } from 'vitest';
import type { Lock } from '../../shared/wire/lock.ts';
import type { JavaThread } from '../support/clients/redisson-thread.ts';

/** What Lockscope should show of one lock. What is left out is not looked at. */
export type Picture = {
  /** The only one; null: nobody. */
  holder?: JavaThread | null;
  /** All of them; the order does not matter. */
  holders?: readonly JavaThread[];
  holdCount?: number;
  /** Who waits for it, asleep after at least two attempts; the order does not matter. */
  waiters?: readonly JavaThread[];
  /** Who waits for it, first come first served. */
  queue?: readonly JavaThread[];
  leaseMs?: number;
  watchdog?: 'on' | 'off' | 'unknown';
  /** At least so many renewals of this hold. */
  renewals?: number;
  /** Anything else about it, as `toMatchObject` takes it. */
  like?: object;
};

/** What a lock's view lacks to be the picture, in words. */
export function differences(lock: Lock, picture: Picture): string[] {
  const why: string[] = [];
  const check = (what: string, shown: unknown, wanted: unknown): void => {
    if (JSON.stringify(shown) !== JSON.stringify(wanted))
      why.push(`${what} is ${JSON.stringify(shown)}, not ${JSON.stringify(wanted)}`);
  };
  const ids = (threads: readonly JavaThread[]) => threads.map((thread) => thread.holder);
  const holders = picture.holder === undefined ? picture.holders : picture.holder === null ? [] : [picture.holder];
  const [holder] = lock.holders;
  if (holders) {
    check('held', lock.held, holders.length > 0);
    check('holders', lock.holders.map(({ id }) => id).sort(), ids(holders).sort());
  }
  if (picture.holdCount !== undefined) check('hold count', holder?.holdCount, picture.holdCount);
  if (picture.leaseMs !== undefined) check('lease', lock.lease.ms, picture.leaseMs);
  if (picture.watchdog !== undefined) check('watchdog', holder?.watchdog, picture.watchdog);
  if (picture.renewals !== undefined && (holder?.renewals ?? -1) < picture.renewals) {
    why.push(`${holder?.renewals} renewals, not ${picture.renewals}`);
  }
  // Redisson goes on listening when a wait ends while it subscribes: nobody can be sure that such a waiter is gone.
  const waiters = lock.waiters.filter(({ presumedGone }) => !presumedGone);
  if (picture.waiters) {
    const awake = waiters.filter(({ asleep, attempts }) => !asleep || attempts < 2);
    check('waiters', waiters.map(({ id }) => id).sort(), ids(picture.waiters).sort());
    check('waiters awake', awake.length, 0);
  }
  if (picture.queue) {
    const inLine = waiters.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
    check(
      'queue',
      inLine.map(({ id }) => id),
      ids(picture.queue),
    );
  }
  if (picture.like) {
    try {
      expect(lock).toMatchObject(picture.like);
    } catch (error) {
      why.push(error instanceof Error ? error.message : String(error));
    }
  }
  return why;
}
