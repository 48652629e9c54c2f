import { expect, test } from 'vitest';
import { RedisClock } from './redis-clock.ts';

const MINUTE = 60_000;

/** The offset in ms after these measurements: the offset that each shows, its error, and when it was made, in ms. */
function offsetAfter(...measured: [offsetMs: number, errorMs: number, at: number][]): number {
  const clock = new RedisClock();
  for (const [offsetMs, errorMs, at] of measured) clock.note({ offset: offsetMs * 1000, errorMs, at });
  return clock.offset / 1000;
}

test('a slow reply does not replace a better measurement that it agrees with', () => {
  expect(offsetAfter([5, 1, 0], [2100, 2100, 1000])).toBe(5);
  expect(offsetAfter([2100, 2100, 0], [5, 1, 1000])).toBe(5);
});

test('a measurement as good as the one before replaces it', () => {
  expect(offsetAfter([5, 1, 0], [6, 1, 1000])).toBe(6);
});

test('a slow reply that contradicts the measurement before replaces it: a clock was set', () => {
  expect(offsetAfter([5, 1, 0], [-9000, 300, 1000])).toBe(-9000);
});

test('a measurement becomes less certain with time, because clocks drift', () => {
  expect(offsetAfter([5, 1, 0], [8, 10, 10_000])).toBe(5);
  expect(offsetAfter([5, 1, 0], [8, 10, MINUTE])).toBe(8);
});
