import { expect, test } from 'vitest';
import { DueTimes } from './due-times.ts';
import { redisTime } from './time.ts';

test('due ids are returned in the order of their instants, each once, and not before its instant', () => {
  const due = new DueTimes();
  const order = [5, 3, 9, 1, 7, 2, 8, 6, 4, 0];
  for (const at of order) due.set(`id ${at}`, redisTime(at));
  expect([...due.take(redisTime(4))]).toEqual(['id 0', 'id 1', 'id 2', 'id 3', 'id 4']);
  expect([...due.take(redisTime(4))]).toEqual([]);
  expect([...due.take(redisTime(100))]).toEqual(['id 5', 'id 6', 'id 7', 'id 8', 'id 9']);
});

test('an id is returned at the instant that was set last; a removed id is never returned', () => {
  const due = new DueTimes();
  due.set('later', redisTime(1));
  due.set('later', redisTime(20));
  due.set('sooner', redisTime(30));
  due.set('sooner', redisTime(2));
  due.set('never', redisTime(3));
  due.set('never', undefined);
  expect([...due.take(redisTime(10))]).toEqual(['sooner']);
  expect([...due.take(redisTime(40))]).toEqual(['later']);
});

test('an id whose instant is replaced a hundred thousand times is returned once', () => {
  const due = new DueTimes();
  for (let at = 1; at <= 100_000; at++) due.set('renewed', redisTime(at));
  expect([...due.take(redisTime(200_000))]).toEqual(['renewed']);
});
