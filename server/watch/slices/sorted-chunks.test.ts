import { expect, test } from 'vitest';
import { SortedChunks } from './sorted-chunks.ts';

/** The numbers from 0 to `count` - 1, in the same mixed order each time. */
function mixed(count: number): number[] {
  return Array.from({ length: count }, (_, n) => (n * 7919) % count);
}

test('elements are in order after they were added and removed in any order', () => {
  const list = new SortedChunks<number>((a, b) => a - b);
  const numbers = mixed(5003);
  for (const number of numbers) list.add(number);
  expect([...list]).toEqual(numbers.toSorted((a, b) => a - b));
  for (const number of numbers) if (number % 3 !== 0) list.remove(number);
  expect([...list]).toEqual(numbers.filter((number) => number % 3 === 0).toSorted((a, b) => a - b));
  for (const number of numbers) list.remove(number);
  expect([...list]).toEqual([]);
});

test('after all elements were replaced, elements can be added and removed', () => {
  const list = new SortedChunks<number>((a, b) => a - b);
  list.add(-1);
  list.set(mixed(1009));
  list.add(1009);
  list.remove(500);
  expect([...list]).toEqual(Array.from({ length: 1010 }, (_, n) => n).filter((number) => number !== 500));
});
