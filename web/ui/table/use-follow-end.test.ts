import { expect, test } from 'vitest';
import { endRange, rowsToFill } from './use-follow-end.ts';

test('the end of a table consists of its last rows, in order', () => {
  expect(endRange(1000, 6.2)).toEqual([993, 994, 995, 996, 997, 998, 999]);
});

test('all rows of a short table are rendered', () => {
  expect(endRange(3, 40)).toEqual([0, 1, 2]);
  expect(endRange(0, 40)).toEqual([]);
});

test('the rows that fill the window at the end are rendered, plus one', () => {
  expect(rowsToFill([50, 50, 20, 20, 20], 60)).toBe(4);
  expect(rowsToFill([20, 20, 20, 50, 50], 60)).toBe(3);
  expect(rowsToFill([20, 20], 60)).toBeNull();
  expect(rowsToFill([], 60)).toBeNull();
});
