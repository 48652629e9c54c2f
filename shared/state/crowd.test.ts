import { describe, expect, test } from 'vitest';
import { plusMillis, redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { lockView, UNKNOWN_PRESENCE } from '../wire/locks/lock-view.ts';
import { isFree, type LockState, MOST_WAITERS } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

const CROWD = 100_000;
const CLIENT = '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11';
const START = redisTime(1_795_000_000_000_000);

let seq = 0;
function event(kind: LockEvent['kind'], part: Record<string, unknown>): LockEvent {
  seq++;
  const common = { seq, at: plusMillis(START, seq), source: 'redis', db: 0, lock: 'orders:42', certainty: 'observed' };
  return { ...common, kind, mode: 'exclusive', ...part } as LockEvent; // each caller passes the fields of the type
}

/** Thread numbers are negative here: in Java they are a signed `long`. */
const holder = (n: number) => `${CLIENT}:${-1 - n}`;

function queued(n: number): LockEvent[] {
  const refused = { type: 'lock.refused', holder: holder(n), ttlMs: 1000, attempt: 1, asleep: false, reason: 'held' };
  const deadline = plusMillis(START, 300_000 * (n + 1));
  return [
    event('fair-lock', refused),
    event('fair-lock', { type: 'waiter.queued', holder: holder(n), position: n + 1, deadline }),
  ];
}

function reduced(events: readonly LockEvent[], before?: LockState): LockState {
  let lock = before;
  for (const each of events) lock = reduceLock(lock, each);
  if (!lock) throw new Error('no events');
  return lock;
}

describe('100,000 waiters in the queue of a fair lock', () => {
  const crowd = Array.from({ length: CROWD }, (_, n) => queued(n)).flat();
  const lock = reduced(crowd);

  test('[F1] [W9] the first 1,000 waiters are listed, and the others are counted', () => {
    expect(lock.waiters).toHaveLength(MOST_WAITERS);
    expect(lock.waitersBeyond).toBe(CROWD - MOST_WAITERS);
    expect(lock.waiters.at(-1)).toMatchObject({ id: holder(MOST_WAITERS - 1), position: MOST_WAITERS });
  });

  test('[F4] a waiter that acquires leaves the queue, listed or only counted', () => {
    const acquired = { type: 'lock.acquired', holdCount: 1, leaseMs: 30_000, waitedMs: 5 };
    const head = reduced([event('fair-lock', { ...acquired, holder: holder(0) })], lock);
    expect([head.waiters.length, head.waitersBeyond]).toEqual([MOST_WAITERS - 1, CROWD - MOST_WAITERS]);
    expect(head.waiters[0]).toMatchObject({ id: holder(1), position: 1 });
    const beyondListed = reduced([event('fair-lock', { ...acquired, holder: holder(50_000) })], lock);
    expect([beyondListed.waiters.length, beyondListed.waitersBeyond]).toEqual([MOST_WAITERS, CROWD - MOST_WAITERS - 1]);
  });

  test('[F3] a counted waiter that gives up is no longer counted', () => {
    const left = reduced(
      [event('fair-lock', { type: 'waiter.dequeued', holder: holder(50_000), reason: 'gave-up' })],
      lock,
    );
    expect(left.waitersBeyond).toBe(CROWD - MOST_WAITERS - 1);
  });

  test('[W9] a lock without a holder is not free while waiters are only counted', () => {
    const gaveUp = (n: number) => event('fair-lock', { type: 'waiter.dequeued', holder: holder(n), reason: 'gave-up' });
    const left = reduced(
      Array.from({ length: MOST_WAITERS }, (_, n) => gaveUp(n)),
      lock,
    );
    expect([left.waiters.length, left.waitersBeyond]).toEqual([0, CROWD - MOST_WAITERS]);
    expect(isFree(left)).toBe(false);
  });

  test('the lock on the wire has a limited size, and the number of waiters that are left out', () => {
    const view = lockView(lock, lock.changedAt, UNKNOWN_PRESENCE);
    expect(view.moreWaiters).toBe(CROWD - MOST_WAITERS);
    expect(JSON.stringify(view).length).toBeLessThan(500_000);
  });
});

test('[W1] [W9] each waiter of a plain lock beyond the first 1,000 is counted once after three attempts', () => {
  const attempt = (n: number, attempt: number) =>
    event('lock', {
      type: 'lock.refused',
      holder: holder(n),
      ttlMs: 1000,
      attempt,
      asleep: attempt > 1,
      reason: 'held',
    });
  const crowd = Array.from({ length: 3000 }, (_, n) => [attempt(n, 1), attempt(n, 2), attempt(n, 3)]).flat();
  const lock = reduced(crowd);
  expect([lock.waiters.length, lock.waitersBeyond]).toEqual([MOST_WAITERS, 3000 - MOST_WAITERS]);
});

test('[W1] [W9] threads with a single attempt make room for a waiter', () => {
  const attempt = (n: number, attempt: number) =>
    event('lock', {
      type: 'lock.refused',
      holder: holder(n),
      ttlMs: 1000,
      attempt,
      asleep: attempt > 1,
      reason: 'held',
    });
  const tries = Array.from({ length: 3000 }, (_, n) => attempt(n, 1));
  const lock = reduced([...tries, attempt(2999, 2), attempt(2999, 3)]);
  expect([lock.waiters.length, lock.waitersBeyond]).toEqual([MOST_WAITERS, 0]);
  expect(lock.waiters.filter(({ isConfirmed }) => isConfirmed).map(({ id }) => id)).toEqual([holder(2999)]);
});
