import { expect, test } from 'vitest';
import { fairStory } from '../../testing/stories/fair-story.ts';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { holderOf, reported, seconds, story } from '../../testing/stories/story.ts';
import { waitsFromEvents } from '../spans/waits-from-events.ts';
import {
  collectionOfEntryLock,
  fieldOf,
  holderOfField,
  isWriteField,
  parseHolder,
  parseReadTimeoutKey,
  readTimeoutKey,
} from './names/names.ts';

const A = holderOf('A');
const TX = '0123456789abcdef0123456789abcdef';

test('[H7b] a non-reentrant lock refuses its own holder, which does not wait', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  A attempts own-hold
    1.100  A attempts own-hold
    2.000  A releases
  `);
  expect(reported(events)).toEqual([
    'lock.acquired A ×1',
    'lock.refused A own-hold',
    'lock.refused A own-hold',
    'lock.released A ×0',
    'wakeup.published',
  ]);
  expect(lockAt(events, seconds(1.5)).waiters).toEqual([]);
  expect(waitsFromEvents(events)).toEqual([]);
});

test('a second attempt by the holder of a reentrant fair lock is a re-entry', () => {
  expect(reported(fairStory('0.000  A waits 300\n1.000  A waits 300'))).toEqual([
    'lock.acquired A ×1',
    'lock.reentered A ×2',
  ]);
});

test.each([
  ['a thread', A],
  ['a negative thread', A.replace(/:1$/, ':-7')],
  ['a transaction', `${A}:${TX}`],
])('the field of %s contains its holder, for an exclusive hold and for writing', (_what, holder) => {
  expect(fieldOf(holder, 'exclusive')).toBe(holder);
  const field = fieldOf(holder, 'write');
  expect(field).toContain(':write');
  expect(isWriteField(field)).toBe(true);
  expect(isWriteField(holder)).toBe(false);
  expect(holderOfField(field)).toBe(holder);
  expect(parseHolder(holderOfField(field))?.client).toBe(A.slice(0, 36));
});

test.each(['catalog', '{a}:b', 'a:b:write', 'with {one brace'])(
  'a timeout key of %j contains the lock, the reader and the count',
  (lock) => {
    expect(parseReadTimeoutKey(readTimeoutKey(lock, A, 3))).toEqual({ lock, holder: A, count: 3 });
  },
);

test('the holder id of a thread in a transaction contains the transaction', () => {
  expect(parseHolder(`${A}:${TX}`)).toEqual({ client: A.slice(0, 36), thread: '1', transaction: TX });
  expect(parseHolder(A)).toEqual({ client: A.slice(0, 36), thread: '1' });
});

test.each([
  ['{orders}:dGhpcyBpcyAxNiBieXRlcw==:lock', 'orders'],
  ['{orders}:dGhpcyBpcyAxNiBieXRlcw:rw_lock', 'orders'],
  ['tenant:{42}:dGhpcyBpcyAxNiBieXRlcw:fairlock', 'tenant:{42}'],
  ['orders:42:lock', undefined],
  ['{orders}:short:lock', undefined],
  ['{orders}:dGhpcyBpcyAxNiBieXRlcw:semaphore', undefined],
])('of a lock named %s, the collection whose entry it locks is %s', (name, collection) => {
  expect(collectionOfEntryLock(name)).toBe(collection);
});

test('a key whose name is not that of a timeout key contains no holder', () => {
  expect(parseReadTimeoutKey('{catalog}:someone:rwlock_timeout:1')).toBeUndefined();
  expect(parseReadTimeoutKey(`${A}:rwlock_timeout:`)).toBeUndefined();
});
