import { expect, test } from 'vitest';
import { ReadQueue } from './read-queue.ts';

const key = (name: string) => ({ db: 0, name });

test('the oldest key comes first, each once', () => {
  const queue = new ReadQueue();
  for (const name of ['a', 'b', 'a', 'c']) queue.add(key(name), 0);
  expect(queue.take(2).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(queue.take(2).map(({ name }) => name)).toEqual(['c']);
});

test('the lag is the age of the oldest key, not of the newest', () => {
  const queue = new ReadQueue();
  expect(queue.age(50)).toBe(0);
  queue.add(key('a'), 100);
  queue.add(key('b'), 900);
  queue.add(key('a'), 1000);
  expect(queue.age(1100)).toBe(1000);
  queue.take(1);
  expect(queue.age(1100)).toBe(200);
});
