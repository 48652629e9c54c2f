import { expect, test } from 'vitest';
import { nearestRank } from './nearest-rank.ts';

test('the median of an even count is the lower of the two in the middle', () => {
  expect([nearestRank([1, 2, 3, 4], 0.5), nearestRank([1, 2, 3], 0.5), nearestRank([7], 0.5)]).toEqual([2, 2, 7]);
  expect(nearestRank([], 0.5)).toBeUndefined();
});

test('the 95th percentile of a few numbers is the greatest, and of the numbers 1 to 100 it is 95', () => {
  expect(nearestRank([1, 2, 3], 0.95)).toBe(3);
  expect(
    nearestRank(
      Array.from({ length: 100 }, (_, n) => n + 1),
      0.95,
    ),
  ).toBe(95);
});
