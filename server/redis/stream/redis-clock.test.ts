import { expect, test } from 'vitest';
import { MACHINE, surroundWith } from '../connection/surroundings.ts';
import { RedisClock, setBackAfter } from './redis-clock.ts';

const MINUTE = 60_000;
const NOW = 1_795_000_000_000;

/** The offset in ms after these measurements: the offset that each shows, its error, and when it was made, in ms. */
function offsetAfter(...measured: [offsetMs: number, errorMs: number, at: number][]): number {
  const clock = new RedisClock();
  for (const [offsetMs, errorMs, at] of measured) clock.note({ offset: offsetMs * 1000, errorMs, at, leadMs: 0 });
  surroundWith({ ...MACHINE, steadyEpochMs: () => NOW });
  const offset = Math.round(clock.now() / 1000 - NOW);
  surroundWith();
  return offset;
}

test('a slow reply does not replace a more exact measurement that it agrees with', () => {
  expect(offsetAfter([5, 1, 0], [2100, 2100, 1000])).toBe(5);
  expect(offsetAfter([2100, 2100, 0], [5, 1, 1000])).toBe(5);
});

test('a measurement replaces an earlier one that is as exact', () => {
  expect(offsetAfter([5, 1, 0], [6, 1, 1000])).toBe(6);
});

test('a slow reply replaces an earlier measurement that it contradicts, because a clock was set', () => {
  expect(offsetAfter([5, 1, 0], [-9000, 300, 1000])).toBe(-9000);
});

test('a measurement becomes less certain with time, because clocks drift', () => {
  expect(offsetAfter([5, 1, 0], [8, 10, 10_000])).toBe(5);
  expect(offsetAfter([5, 1, 0], [8, 10, MINUTE])).toBe(8);
});

const HOUR = 3_600_000;

test.each([
  ['went back by an hour', 0, -HOUR, 0, 5000, HOUR],
  ['went back by 1.2 s', 0, -1200, 0, 5000, 1200],
  ['went back a second time', HOUR, -5000, 0, 5000, HOUR + 5000],
  ['went forward again', HOUR, HOUR, 0, 5000, 0],
  ['went forward again, but not as far', HOUR, HOUR - 5000, 0, 5000, 5000],
  ['went forward again, by nearly as much', HOUR, HOUR - 400, 0, 5000, 0],
  ['went back by less than a second', 0, -900, 0, 5000, 0],
  ['may not have gone back: a reply took 6 s', 0, -3500, 3000, 5000, 0],
  ['went on', HOUR, 0, 0, 5000, HOUR],
  ['went forward', 0, HOUR, 0, 5000, 0],
  ['may have drifted for a day', 0, -10_000, 0, 24 * 60 * MINUTE, 0],
])(
  'a clock that %s: setBack %i ms, a step of %i ms (error %i ms) within %i ms give setBack %i ms',
  (_, behindMs, movedMs, errorMs, passedMs, nowBehindMs) => {
    for (const [errorBefore, errorNow] of [
      [0, errorMs],
      [errorMs, 0],
    ] as const) {
      const before = { offset: 5000, errorMs: errorBefore, at: 0, leadMs: 0 };
      const now = { offset: 5000 + movedMs * 1000, errorMs: errorNow, at: passedMs, leadMs: 0 };
      expect(setBackAfter(behindMs * 1000, before, now) / 1000).toBe(nowBehindMs);
    }
  },
);

test('a step back of 1.1 s is used if lines have shown it; a step forward while this machine slept is ignored', () => {
  const before = { offset: 0, errorMs: 150, at: 0, leadMs: 0 };
  expect(setBackAfter(0, before, { ...before, offset: -1_100_000, at: 5000 }, true)).toBe(1_100_000);
  const slept = { ...before, offset: HOUR * 1000, at: 5000, leadMs: -HOUR };
  expect(setBackAfter(HOUR * 1000, before, slept)).toBe(HOUR * 1000);
});
