import { expect, test } from 'vitest';
import { oldestHold, oldestWait } from '../../shared/wire/locks/lock-facts.ts';
import { makeHolder, makeLock } from '../testing/make.ts';
import { compareLocks } from './columns/lock-order.ts';
import { countLocks } from './lock-list.ts';

const waiter = (since: number, part: object = {}) => ({
  ...{ id: `w:${since}`, client: 'w', thread: '1', name: null, letter: 'B', mode: 'exclusive' as const },
  ...{ since, attempts: 2, asleep: true, position: null, deadline: null, presumedGone: false, ...part },
});

test('the age of a lock is the age of its oldest hold', () => {
  const holders = [makeHolder('a:1', { since: 30 }), makeHolder('b:1', { since: 20 })];
  expect(oldestHold(makeLock({ name: 'x', held: true, holders }))).toEqual({ at: 20, isAtLeast: false });
  expect(oldestHold(makeLock({ name: 'x', held: false }))).toBeNull();
});

test('a hold that began before Lockscope saw it is at least as old as its first event', () => {
  const holders = [makeHolder('a:1', { since: null, firstSeenAt: 50 }), makeHolder('b:1', { since: 70 })];
  expect(oldestHold(makeLock({ name: 'x', held: true, holders }))).toEqual({ at: 50, isAtLeast: true });
  const unknown = [makeHolder('a:1', { since: null })];
  expect(oldestHold(makeLock({ name: 'x', held: true, holders: unknown }))).toBeNull();
});

test('the oldest wait ignores waiters that are presumed gone', () => {
  const waiters = [waiter(10, { presumedGone: true }), waiter(40), waiter(30)];
  expect(oldestWait(makeLock({ name: 'x', waiters }))).toEqual({ at: 30, isAtLeast: false });
  expect(oldestWait(makeLock({ name: 'x', waiters: [waiter(10, { presumedGone: true })] }))).toBeNull();
});

test('a wait whose beginning was not seen may be older than the oldest wait whose beginning was seen', () => {
  const found = waiter(60, { attempts: 0, asleep: false, position: 1 });
  const locks = [makeLock({ name: 'x', waiters: [waiter(30)] }), makeLock({ name: 'y', waiters: [found] })];
  for (const all of [locks, [...locks].reverse()])
    expect(countLocks(all).oldestWait).toMatchObject({ at: 30, isAtLeast: true });
});

test('locks are sorted by age, oldest wait or hand-overs, with locks without a value last', () => {
  const held = (name: string, since: number, part: object = {}) =>
    makeLock({ name, held: true, holders: [makeHolder('a:1', { since })], ...part });
  const locks = [
    held('young', 90, { waiters: [waiter(95)], handovers: { perSecond: 1, since: 0, at: 100 } }),
    held('old', 10),
    makeLock({ name: 'free' }),
    held('middle', 50, { waiters: [waiter(60)], handovers: { perSecond: 4, since: 0, at: 100 } }),
  ];
  const sorted = (by: 'held' | 'wait' | 'rate') =>
    [...locks].sort((a, b) => compareLocks(a, b, by, false)).map(({ name }) => name);
  expect(sorted('held')).toEqual(['old', 'middle', 'young', 'free']);
  expect(sorted('wait')).toEqual(['middle', 'young', 'free', 'old']);
  expect(sorted('rate')).toEqual(['middle', 'young', 'free', 'old']);
});
