import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { compareLocks } from './columns/lock-order.ts';
import { countLocks, isLockShown } from './lock-list.ts';

const lease = { ms: 6000, expiresAt: redisTime(10_000_000) };

const locks = [
  makeLock({ name: 'free' }),
  makeLock({ name: 'held', held: true, holders: [makeHolder('u:1', { name: 'order-svc-1' })], lease }),
  makeLock({
    name: 'fought',
    held: true,
    holders: [makeHolder('v:1', { holdCount: 3 })],
    waiters: [makeWaiter('w:9')],
  }),
  makeLock({ name: 'orphan', held: true, holders: [makeHolder('x:1', { presence: 'gone' })] }),
];
const names = (sort: Parameters<typeof compareLocks>[2], isReversed = false) =>
  [...locks].sort((a, b) => compareLocks(a, b, sort, isReversed)).map((lock) => lock.name);

test('locks are sorted by attention, by name in both directions, by number of holds or by the end of the lease', () => {
  expect(names('attention')).toEqual(['orphan', 'fought', 'held', 'free']);
  expect(names('name')).toEqual(['fought', 'free', 'held', 'orphan']);
  expect(names('name', true)).toEqual(['orphan', 'held', 'free', 'fought']);
  expect(names('count')[0]).toBe('fought');
  expect(names('lease')).toEqual(['held', 'fought', 'orphan', 'free']);
});

test('the find box finds locks by name, holder and waiter, and the filters show held or waited locks', () => {
  const found = (show: Parameters<typeof isLockShown>[1], q: string) =>
    locks.filter((lock) => isLockShown(lock, show, q)).map((lock) => lock.name);
  expect(found('all', 'ORDER-svc-1:1')).toEqual(['held']);
  expect(found('all', 'w:9')).toEqual(['fought']);
  expect(found('all', ' f ')).toEqual(['free', 'fought']);
  expect(found('held', '')).toEqual(['held', 'fought', 'orphan']);
  expect(found('waited', '')).toEqual(['fought']);
});

test('locks, held locks and waiters are counted, and the listeners of a channel once for all databases of a source', () => {
  expect(countLocks(locks)).toMatchObject({ locks: 4, held: 3, waiters: 1, listeners: 0 });
  expect(countLocks(locks).oldestWait).toEqual({ source: 's', at: 1, isAtLeast: false });
  const listened = makeLock({ name: 'a', held: true, subscribers: 2 });
  expect(isLockShown(listened, 'waited', '')).toBe(true);
  expect(countLocks([listened])).toMatchObject({ waiters: 0, listeners: 2 });
  const ofOther = makeLock({ name: 'a', id: 's/3/a', db: 3, held: true, subscribers: 2 });
  expect(countLocks([listened, ofOther]).listeners).toBe(2); // all databases share a channel
  expect(countLocks([listened, { ...ofOther, source: 't' }]).listeners).toBe(4);
});
