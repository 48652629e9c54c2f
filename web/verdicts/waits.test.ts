import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { waitedLocks } from '../../shared/wire/locks/lock-facts.ts';
import { EN } from '../words/en.ts';
import { headlineOf } from './headline.ts';
import { askedIn, longestIn } from './waits.ts';

const second = (n: number) => n * 1_000_000;

function lock(name: string, part: Partial<Lock> = {}): Lock {
  const id = `s/${part.db ?? 0}/${name}`;
  return {
    ...{ id, source: 's', db: 0, name, kind: 'lock', library: 'redisson', held: false, holders: [] },
    ...{ waiters: [], subscribers: null, lease: { ms: null, expiresAt: null }, certainty: 'observed', changedAt: 1 },
    ...part,
  } as Lock;
}

const waiter = { since: second(5), attempts: 2, asleep: true, presumedGone: false, position: null };
const listened = { subscribers: 1, listenedSince: second(10) };
const taken = { kind: 'semaphore', permits: { available: 0, total: null }, ...listened } as const;

test('a listener for permits has waited at least since it was first seen, or since the number of permits last changed', () => {
  const semaphore = lock('printers', { ...taken, changedAt: second(12) });
  expect(longestIn([semaphore], redisTime(second(40)))).toBe(null);
  expect(longestIn([semaphore], redisTime(second(43)))).toEqual({ ms: 31_000, isAtLeast: true });
});

test('a listener of a semaphore whose permits were never set waits, so the headline is not that nothing is wrong', () => {
  const { permits: _, ...unset } = lock('printers', { ...taken, changedAt: second(10) });
  const now = redisTime(second(60));
  expect([unset].filter((each) => wantedBy(each) > 0)).toEqual([unset]);
  const waits = { locks: waitedLocks([unset]), longest: longestIn([unset], now), asked: null };
  expect(waits).toEqual({ locks: 1, longest: { ms: 50_000, isAtLeast: true }, asked: null });
  const seen = { cannotTell: [], failed: [], kinds: 47, isPast: false, isMoreVisible: false, isPart: false };
  expect(headlineOf({ ...seen, waits }, EN.verdicts)).toBe(
    'No cause is known, but clients wait for 1 lock, the longest for at least 50 s.',
  );
});

test('a permit that was acquired or released 10 s ago rules out longer waits at the semaphore', () => {
  const permits = { available: 0, total: 4 };
  const printers = lock('printers', { ...taken, held: true, permits, changedAt: second(80) });
  expect(longestIn([printers], redisTime(second(90)))).toBe(null);
});

test('a listener of a lock that changes hands has not waited since it was first seen', () => {
  const handovers = { perSecond: 1, since: second(11), at: second(80) };
  const busy = lock('hot', { held: true, ...listened, handovers });
  expect(longestIn([busy], redisTime(second(90)))).toBe(null);
});

test('the longest wait of all locks is reported as exact if its beginning was seen', () => {
  const known = lock('a', { held: true, waiters: [waiter] as unknown as Lock['waiters'] });
  expect(longestIn([known, lock('printers', taken)], redisTime(second(60)))).toEqual({ ms: 55_000, isAtLeast: false });
});

test('the longest wait at a latch names the latch and its count', () => {
  const latch = lock('boot', {
    kind: 'latch',
    held: true,
    latch: { count: 2 },
    waiters: [waiter] as unknown as Lock['waiters'],
  });
  expect(longestIn([latch], redisTime(second(60)))).toEqual({
    ...{ ms: 55_000, isAtLeast: false },
    latch: { name: 'boot', count: 2 },
  });
});

test('threads that ask often for a held lock are reported after the length of its lease, until they stop', () => {
  const refusedAgain = { threads: 6, attempts: 1800, since: second(1), oftenSince: second(2), lastAt: second(60) };
  const polled = lock('orders', { held: true, refusedAgain });
  expect(askedIn([polled, lock('a'), polled], redisTime(second(60)))).toEqual({ locks: 2, ms: 58_000 });
  expect(askedIn([polled], redisTime(second(32)))).toBe(null);
  expect(askedIn([polled], redisTime(second(71)))).toBe(null);
  expect(askedIn([lock('orders', { refusedAgain })], redisTime(second(60)))).toBe(null);
  const { oftenSince: _, ...seldom } = refusedAgain;
  expect(askedIn([lock('orders', { held: true, refusedAgain: seldom })], redisTime(second(60)))).toBe(null);
});

test('the listeners of a channel shared by several databases are counted for one lock', () => {
  const held = { held: true, ...listened };
  expect(waitedLocks([lock('rebuild', held), lock('rebuild', { ...held, db: 3 })])).toBe(1);
  const seen = { ...held, waiters: [waiter] as unknown as Lock['waiters'] };
  expect(waitedLocks([lock('rebuild', seen), lock('rebuild', { ...seen, db: 3 })])).toBe(2);
});
