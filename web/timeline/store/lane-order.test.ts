import { expect, test } from 'vitest';
import { makeHolder, makeLock, makeWaiter } from '../../testing/make.ts';
import { inOrderOfAttention, peopleInOrder, withNewLocks } from './lane-order.ts';

const ranked = (name: string, part: Parameters<typeof makeLock>[0] | null) => ({
  id: `s/0/${name}`,
  lock: part === null ? undefined : makeLock(part),
});
const held = (name: string) => ranked(name, { name, held: true, holders: [makeHolder('u:1')] });
const stuck = (name: string) =>
  ranked(name, { name, held: true, holders: [makeHolder('u:1')], waiters: [makeWaiter('v:1')] });
const names = (ids: readonly string[]) => ids.map((id) => id.slice('s/0/'.length));

test('locks are in order of attention, with locks of unknown state last', () => {
  expect(names(inOrderOfAttention([ranked('a', null), held('b'), stuck('z'), ranked('c', { name: 'c' })]))).toEqual([
    'z',
    'b',
    'c',
    'a',
  ]);
});

test('new locks with waiters go after the wanted locks, other new locks to the end, and known locks keep their order', () => {
  const order = ['s/0/z', 's/0/b', 's/0/c'];
  const after = withNewLocks(order, new Set(['s/0/z']), [held('new'), stuck('hot')]);
  expect(names(after)).toEqual(['z', 'hot', 'b', 'c', 'new']);
});

test('the holder is first, then the waiters, the longest wait first', () => {
  const lock = makeLock({
    name: 'a',
    holders: [makeHolder('h:1')],
    waiters: [makeWaiter('late:1', { since: 9 }), makeWaiter('early:1', { since: 5 }), makeWaiter('h:1')],
  });
  expect(peopleInOrder(lock)).toEqual(['h:1', 'early:1', 'late:1']);
});
