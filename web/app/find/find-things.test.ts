import { expect, test } from 'vitest';
import { makeHolder, makeLock } from '../../testing/make.ts';
import { findThings } from './find-things.ts';
import { rankOf } from './rank.ts';

const held = (name: string, id: string, client = 'payments-worker', part: object = {}) =>
  makeLock({ name, held: true, holders: [makeHolder(id, { name: client })], ...part });

const LOCKS = [
  held('shop:payment', 'p:1'),
  held('payment:settlement:EU', 'p:46', 'payments-worker', { subscribers: 2 }),
  held('repayment', 'p:2'),
  makeLock({ name: 'payment' }),
  held('order:1', 'o:7', 'orders-api'),
];

const namesFor = (text: string) => findThings(LOCKS, text).locks.best.map(({ name }) => name);

test('an exact match is first, then a prefix, then the beginning of a word, then any part', () => {
  expect(namesFor('Payment')).toEqual(['payment', 'payment:settlement:EU', 'shop:payment', 'repayment']);
  expect(namesFor('SETTLE')).toEqual(['payment:settlement:EU']);
  expect(namesFor('nothing')).toEqual([]);
});

test('names that match equally well are in the order of the attention that they need', () => {
  const locks = [held('a:free', 'x:1'), held('a:wanted', 'x:2', 'w', { subscribers: 3 })];
  expect(findThings(locks, 'a:').locks.best.map(({ name }) => name)).toEqual(['a:wanted', 'a:free']);
});

test('holders and clients are found by the name of the client, and a holder also by its id', () => {
  const { holders, clients } = findThings(LOCKS, 'worker');
  expect(holders.best.map(({ text }) => text)).toEqual([
    'payments-worker:1',
    'payments-worker:2',
    'payments-worker:46',
  ]);
  expect(clients.best).toEqual([{ client: 'p', text: 'payments-worker', locks: 3 }]);
  expect(findThings(LOCKS, 'o:7').holders.best.map(({ id }) => id)).toEqual(['o:7']);
});

test('a thread that holds one lock for reading and for writing counts as holding one lock', () => {
  const both = [makeHolder('p:1', { mode: 'write' }), makeHolder('p:1', { mode: 'read' })];
  const { holders, clients } = findThings([makeLock({ name: 'catalog', held: true, holders: both })], 'p:1');
  expect(holders.best).toMatchObject([{ id: 'p:1', locks: 1 }]);
  expect(clients.best).toEqual([]);
});

test('of 1,000 results, 8 locks and 4 holders are listed, and the locks left out are counted', () => {
  const many = Array.from({ length: 1000 }, (_, n) => held(`cart:${n}`, `c:${n}`));
  const { locks, holders } = findThings(many, 'c');
  expect(locks.best).toHaveLength(8);
  expect(locks.more).toBe(992);
  expect(holders.best).toHaveLength(4);
});

test('without a text, held locks are listed, the one that needs the most attention first', () => {
  expect(namesFor(' ')[0]).toBe('payment:settlement:EU');
  expect(namesFor('')).not.toContain('payment');
});

test('the text matches the beginning of a word after each of the usual separators', () => {
  for (const name of ['a:pay', 'a/pay', 'a.pay', 'a_pay', 'a-pay', 'a{pay}']) expect(rankOf(name, 'pay')).toBe(2);
});
