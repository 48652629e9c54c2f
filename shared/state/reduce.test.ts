import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import type { RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { lockView, UNKNOWN_PRESENCE } from '../wire/locks/lock-view.ts';

function viewAt(events: readonly LockEvent[], at: RedisTime) {
  return lockView(lockAt(events, at), at, UNKNOWN_PRESENCE);
}

const CONTENTION = story(`
  orders:42 lease 6s
  0.000  A attempts acquired
  2.000  A renews
  2.500  B attempts refused
  2.501  B subscribes
  2.502  B attempts refused
  7.000  A releases
  7.003  B attempts acquired
  7.004  B unsubscribes
`);

test('[W1] a single refusal does not show a waiter', () => {
  expect(viewAt(CONTENTION, seconds(2.5005)).waiters).toEqual([]);
});

test('[W1] [W3] a waiter waits since its first refusal and is asleep after its second', () => {
  expect(viewAt(CONTENTION, seconds(6)).waiters).toMatchObject([
    { id: holderOf('B'), attempts: 2, asleep: true, presumedGone: false, since: seconds(2.5) + 3 },
  ]);
});

test('[W2] a waiter that acquires leaves the queue', () => {
  const lock = viewAt(CONTENTION, seconds(8));
  expect(lock.waiters).toEqual([]);
  expect(lock.holders).toMatchObject([{ id: holderOf('B'), holdCount: 1, renewals: 0 }]);
});

test('[L4] a renewal sets a new end of the lease, and the watchdog is on from then', () => {
  expect(viewAt(CONTENTION, seconds(1)).holders[0]).toMatchObject({ watchdog: 'unknown', expiresAt: seconds(6) + 3 });
  expect(viewAt(CONTENTION, seconds(6)).holders[0]).toMatchObject({
    watchdog: 'on',
    renewals: 1,
    expiresAt: seconds(8) + 2,
  });
});

test('[H3] between a release and the next acquisition the lock is free', () => {
  expect(viewAt(CONTENTION, seconds(7.001))).toMatchObject({ held: false, lease: { ms: null, expiresAt: null } });
});

test('without a renewal, the watchdog is unknown at first, and off once a renewal is overdue', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
  `);
  expect(viewAt(events, seconds(1)).holders[0]?.watchdog).toBe('unknown');
  expect(viewAt(events, seconds(4)).holders[0]?.watchdog).toBe('off');
});

test('[S2] drift replaces the holders and keeps the times of those that stay', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  - snapshot A×3 5000
  `);
  expect(viewAt(events, seconds(2)).holders).toMatchObject([{ holdCount: 3, since: seconds(0) + 2 }]);
});

test('[W7] a waiter presumed gone is shown at first, and no longer after 70 s', () => {
  const events = story(
    `
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.001  B subscribes
    1.002  B attempts refused
    4.000  A renews
  `,
    'other lease 6s\n 7 A attempts acquired\n 7.1 B2 attempts refused\n 7.101 B2 subscribes\n 7.102 B2 attempts refused',
    'orders:42 lease 6s\n 9.000 A renews',
  ).filter(({ lock }) => lock === 'orders:42');
  expect(viewAt(events, seconds(10)).waiters).toMatchObject([{ presumedGone: true, asleep: false }]);
  expect(viewAt(events, seconds(80)).waiters).toEqual([]);
});

test.each(['semaphore', 'latch'] as const)(
  'a %s known only by a message is not reported as observed to be free',
  (kind) => {
    const about = { source: 'redis', db: 0, lock: 'permits', kind, certainty: 'observed' } as const;
    const events: LockEvent[] = [
      { ...about, seq: 1, at: seconds(1), type: 'wakeup.published', channel: 'redisson_sc:{permits}', message: '1' },
      { ...about, seq: 2, at: seconds(2), type: 'permits.set', available: 1 },
    ];
    expect(viewAt(events, seconds(1))).toMatchObject({ held: false, certainty: 'inferred' });
    expect(viewAt(events, seconds(2))).toMatchObject({ certainty: 'observed' });
  },
);
