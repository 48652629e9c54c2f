import { expect, test } from 'vitest';
import { ReadQueue } from './read-queue.ts';

const key = (name: string) => ({ db: 0, name });

test('the oldest key is read first, and each key is read once', () => {
  const queue = new ReadQueue();
  for (const name of ['a', 'b', 'a', 'c']) queue.add(key(name), 0);
  expect(queue.take(2, 0).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(queue.take(2, 0).map(({ name }) => name)).toEqual(['c']);
});

test('the age of the queue is that of the oldest key, not the newest, until it has been read', () => {
  const queue = new ReadQueue();
  expect(queue.oldest()).toBeUndefined();
  queue.add(key('a'), 100);
  queue.add(key('b'), 900);
  queue.add(key('a'), 1000);
  expect(queue.oldest()).toBe(100);
  queue.take(1, 0);
  queue.add(key('a'), 1200);
  expect(queue.oldest()).toBe(100);
  queue.done();
  expect(queue.oldest()).toBe(900);
});

test('a key that is due later is left until then, unless it is added again as due now', () => {
  const queue = new ReadQueue();
  queue.add(key('a'), 100, 150);
  queue.add(key('b'), 101);
  queue.add(key('c'), 102, 160);
  expect([queue.oldest(), queue.dueInMs(110)]).toEqual([100, 0]);
  expect(queue.take(9, 110).map(({ name }) => name)).toEqual(['b']);
  queue.done();
  expect([queue.oldest(), queue.dueInMs(110), queue.take(9, 149)]).toEqual([100, 40, []]);
  queue.done();
  queue.add(key('a'), 120, 170); // it has waited since 100, and stays due at 150
  expect(queue.take(9, 150).map(({ name }) => name)).toEqual(['a']);
  queue.done();
  queue.add(key('c'), 155);
  expect(queue.take(9, 155).map(({ name }) => name)).toEqual(['c']);
  expect([queue.size, queue.dueInMs(155)]).toEqual([0, undefined]);
});
