import { expect, test } from 'vitest';
import { endRange } from './use-follow-end.ts';

test('the last rows fill the window and a little more, in order', () => {
  expect(endRange(1000, 4)).toEqual([993, 994, 995, 996, 997, 998, 999]);
});

test('all rows of a short table are rendered', () => {
  expect(endRange(3, 40)).toEqual([0, 1, 2]);
  expect(endRange(0, 40)).toEqual([]);
});
