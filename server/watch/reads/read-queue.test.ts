import { expect, test } from 'vitest';
import { ReadQueue } from './read-queue.ts';

const key = (name: string) => ({ db: 0, name });

test('the oldest key comes first, and each key comes once', () => {
  const queue = new ReadQueue();
  for (const name of ['a', 'b', 'a', 'c']) queue.add(key(name), 0);
  expect(queue.take(2).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(queue.take(2).map(({ name }) => name)).toEqual(['c']);
});

test('the oldest key counts, not the newest, until it has been read', () => {
  const queue = new ReadQueue();
  expect(queue.oldest()).toBeUndefined();
  queue.add(key('a'), 100);
  queue.add(key('b'), 900);
  queue.add(key('a'), 1000);
  expect(queue.oldest()).toBe(100);
  queue.take(1);
  queue.add(key('a'), 1200);
  expect(queue.oldest()).toBe(100);
  queue.done();
  expect(queue.oldest()).toBe(900);
});
