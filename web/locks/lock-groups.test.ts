import { expect, test } from 'vitest';
import { makeHolder, makeLock, makeWaiter } from '../testing/make.ts';
import { groupedRows, type LockRow } from './lock-groups.ts';

const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    makeLock({ name: `${prefix}${n}`, held: n < 5, holders: n < 5 ? [makeHolder('a:1')] : [] }),
  );
const text = (row: LockRow) => (row.kind === 'lock' ? row.lock.name : `${row.prefix}* ${row.locks} ${row.held}`);
const rows = (...[locks, troubled = [], open = []]: [ReturnType<typeof many>, string[]?, string[]?]) =>
  groupedRows(locks, new Set(troubled), new Set(open)).map(text);

test('many locks with one prefix and without a problem share a row', () => {
  expect(rows([...many('cart:', 25), ...many('job/', 3)])).toEqual(['cart:* 25 5', 'job/0', 'job/1', 'job/2']);
});

test('a lock with a problem, or with a waiter, has its own row above the groups', () => {
  const waited = makeLock({ name: 'cart:w', held: true, holders: [makeHolder('a:1')], waiters: [makeWaiter('b:1')] });
  const troubled = makeLock({ name: 'cart:x', held: true, holders: [makeHolder('a:1')] });
  expect(rows([waited, troubled, ...many('cart:', 25)], [troubled.id])).toEqual(['cart:w', 'cart:x', 'cart:* 25 5']);
});

test('an open group is followed by its locks', () => {
  const locks = many('cart:', 20);
  const key = JSON.stringify([locks[0]?.source, locks[0]?.db, 'cart:']);
  expect(rows(locks, [], [key])).toHaveLength(21);
  expect(rows(locks, [], [key]).slice(0, 2)).toEqual(['cart:* 20 5', 'cart:0']);
});

test('names without a separator, or with fewer than 20 names per prefix, are not grouped', () => {
  expect(rows([...many('lock', 30)])).toHaveLength(30);
  expect(rows([...many('cart:', 19)])).toHaveLength(19);
});
