import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { DroppedLocks, unknownAt } from './dropped-locks.ts';

const at = redisTime(5);

test('a lock is unknown from its drop to its next event', () => {
  const locks = new DroppedLocks();
  locks.drop(['s/0/a', 's/0/b/c'], 3, at);
  locks.noteKnown('s/0/a', 7);
  const unknown = (seq: number, filter = {}) => unknownAt(locks.all(), { seq, at, filter }).flatMap(({ ids }) => ids);
  expect(unknown(2)).toEqual([]);
  expect(unknown(6)).toEqual(['s/0/a', 's/0/b/c']);
  expect(unknown(7)).toEqual(['s/0/b/c']);
  expect(unknown(6, { lock: 'b/c', source: 's', db: 0 })).toEqual(['s/0/b/c']);
  for (const filter of [{ lock: 'c' }, { source: 't' }, { db: 1 }]) expect(unknown(6, filter)).toEqual([]);
});

test('a drop is forgotten if the lock was known again before the oldest event in memory, and kept otherwise', () => {
  const locks = new DroppedLocks();
  locks.drop(['s/0/a', 's/0/b'], 3, at);
  locks.noteKnown('s/0/a', 7);
  locks.dropBefore(8);
  expect(locks.all().map(({ id }) => id)).toEqual(['s/0/b']);
});

test('of 5,000 drops with names of 1 KB, the newest are kept, fewer than 1,000', () => {
  const locks = new DroppedLocks();
  const name = 'x'.repeat(1000);
  for (let n = 0; n < 5000; n++) locks.drop([`s/0/${name}${n}`], n, at);
  expect(locks.all().length).toBeLessThan(1000);
  expect(locks.all().at(-1)?.id).toContain('4999');
  locks.noteKnown('s/0/none', 1);
  expect(locks.areAllKnown).toBe(false);
});
