import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParts, inSlices, type Sliced } from './in-slices.ts';

/** Work of many steps, each of which takes a whole slice. */
function* longSteps(count: number, note: () => void): Sliced<number> {
  for (let step = 0; step < count; step++) {
    const end = performance.now() + 6;
    while (performance.now() < end);
    note();
    yield;
  }
  return count;
}

test('in each turn of the event loop one task does one slice, and tasks take turns', async () => {
  const turns: string[][] = [[]];
  const works = ['a', 'b', 'c'].map((name) => inSlices(longSteps(4, () => turns.at(-1)?.push(name))));
  let isDone = false;
  const done = Promise.all(works).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await setImmediate();
    turns.push([]);
  }
  expect(await done).toEqual([4, 4, 4]);
  expect(Math.max(...turns.map((slices) => slices.length))).toBe(1);
  expect(turns.flat().join('')).toBe('abcabcabcabc');
});

test('the parts of a list together have all its elements', () => {
  const list = Array.from({ length: 1234 }, (_, n) => n);
  const parts = [...inParts(list)];
  expect(parts.map(({ length }) => length)).toEqual([500, 500, 234]);
  expect(parts.flat()).toEqual(list);
  expect([...inParts([])]).toEqual([]);
});
