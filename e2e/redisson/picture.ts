import { expect } from 'vitest';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { JavaThread } from '../support/clients/redisson-thread.ts';

/** What Lockscope should show about one lock. Missing fields are not compared. */
export type Picture = {
  /** The only holder; null if the lock is free. */
  holder?: JavaThread | null;
  /** All holders; the order does not matter. */
  holders?: readonly JavaThread[];
  holdCount?: number;
  /** The waiters, asleep after at least two attempts; the order does not matter. */
  waiters?: readonly JavaThread[];
  /** The waiters in the order of the queue. */
  queue?: readonly JavaThread[];
  leaseMs?: number;
  watchdog?: 'on' | 'off' | 'unknown';
  /** The hold has at least this many renewals. */
  renewals?: number;
  /** Further fields of the expected lock, in the form for `toMatchObject`. */
  like?: object;
};

/** Returns the differences between a lock and the expected picture, in words. */
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
  // If a wait ends while Redisson subscribes, Redisson keeps listening. So Lockscope may still show such a waiter, as
  // presumed gone.
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
