import { expect, test } from 'vitest';
import { lineThrough } from './slope.ts';

test('points on a line give its slope and an error of 0', () => {
  const { slope, error } = lineThrough([
    [0, 3],
    [1, 5],
    [2, 7],
    [4, 11],
  ]);
  expect(slope).toBeCloseTo(2);
  expect(error).toBeCloseTo(0);
});

test('points off the line give an error above 0', () => {
  const { slope, error } = lineThrough([
    [0, 1],
    [1, -1],
    [2, 1],
    [3, -1],
    [4, 1],
  ]);
  expect(slope).toBeCloseTo(0);
  expect(error).toBeCloseTo(2 * Math.sqrt(4.8 / 3 / 10));
});
