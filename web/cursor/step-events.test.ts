import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { countUntil, instantAfterSteps } from './step-events.ts';

const events = [10, 20, 20, 30, 40].map((at) => ({ at: redisTime(at) }));

test.each([
  [20, 1, 30],
  [20, -1, 10],
  [20, 10, 40],
  [25, -1, 20],
  [25, 1, 30],
  [40, 1, null],
  [10, -10, null],
  [99, -2, 30],
])('from %d, a step of %d events leads to %s', (cursor, steps, expected) => {
  expect(instantAfterSteps(events, redisTime(cursor), steps)).toBe(expected);
});

test('in an empty list a step does not move the cursor', () => {
  expect(instantAfterSteps([], redisTime(1), 1)).toBeNull();
});

test('a later event counts if it is in the list before an inferred event with an earlier time', () => {
  const list = [10, 30, 20, 40].map((at) => ({ at: redisTime(at) }));
  expect(countUntil(list, redisTime(25))).toBe(3);
  expect(countUntil(list, redisTime(9))).toBe(0);
  expect(countUntil(list, redisTime(40))).toBe(4);
});
