import { expect, test } from 'vitest';
import { makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { blockedBy, byBlocked } from './blocked-by.ts';

const hold = (id: string) => ({
  ...{ id, db: 0, lock: id, holder: 'a:1', mode: 'exclusive' as const, since: 1, holdCount: 1 },
});
const lock = (name: string, waiting: number) =>
  makeLock({
    ...{ name, held: true, holders: [makeHolder('a:1')] },
    waiters: Array.from({ length: waiting }, (_, n) => makeWaiter(`b:${n}`)),
  });
const locks = new Map([
  ['a', lock('a', 12)],
  ['b', lock('b', 2)],
  ['c', lock('c', 0)],
]);

test('a client blocks the threads that wait for the locks it holds', () => {
  expect(blockedBy({ holds: [hold('a'), hold('b'), hold('c'), hold('gone')] }, locks)).toEqual({
    threads: 14,
    locks: 2,
    isAtLeast: false,
  });
  expect(blockedBy({ holds: [hold('a'), hold('a')] }, locks)).toMatchObject({ threads: 12, locks: 1 });
  expect(blockedBy({ holds: [] }, locks)).toMatchObject({ threads: 0, locks: 0 });
});

test('if only listeners are known, more threads may wait', () => {
  const listened = { ...lock('d', 0), subscribers: 1 };
  expect(blockedBy({ holds: [hold('d')] }, new Map([['d', listened]]))).toEqual({
    threads: 1,
    locks: 1,
    isAtLeast: true,
  });
});

test('the client that blocks most threads is first', () => {
  const [few, none, most] = [{ holds: [hold('b')] }, { holds: [hold('c')] }, { holds: [hold('a')] }];
  expect(byBlocked([none, few, most], locks)).toEqual([most, few, none]);
});
