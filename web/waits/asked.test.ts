import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { askedOf, askedToCompare } from './asked.ts';

const MINUTE = 60_000_000;
const loaded = { from: 5 * MINUTE, to: 8 * MINUTE, askedFrom: 4 * MINUTE, askedTo: 8 * MINUTE };

test('the last minutes end now, or at the cursor', () => {
  expect(askedOf(5, null)).toEqual({ lastMicros: 5 * MINUTE });
  expect(askedOf(5, 9 * MINUTE)).toEqual({ from: 4 * MINUTE, to: 9 * MINUTE });
  const span = { from: redisTime(3), to: redisTime(4) };
  expect(askedOf(span, 9 * MINUTE)).toEqual(span);
});

test('"the range before" has the length of the chosen range and ends where it begins', () => {
  expect(askedToCompare('before', null, loaded)).toEqual({ from: 0, to: 4 * MINUTE });
  expect(askedToCompare('before', null, { ...loaded, askedTo: null })).toEqual({ from: 0, to: 4 * MINUTE });
  expect(askedToCompare('before', null, undefined)).toBeNull();
});

test('a chosen range to compare with does not depend on the first range', () => {
  expect(askedToCompare(1, 9 * MINUTE, undefined)).toEqual({ from: 8 * MINUTE, to: 9 * MINUTE });
});
