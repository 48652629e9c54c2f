import { describe, expect, test } from 'vitest';
import { changeOfEach, changeOfSum, gapsOf, NEEDED, NEEDED_P95, overlapMs } from './comparison.ts';

const MINUTE = 60_000_000;
const seen = { from: MINUTE, to: 3 * MINUTE, askedFrom: MINUTE, askedTo: 3 * MINUTE, isCut: false, unseen: [] };
const level = { ...seen, unseen: [{ source: 'redis-1', reason: 'level' as const, ms: 5 }] };
const unwatched = { ...seen, unseen: [{ source: 'redis-1', reason: 'unwatched' as const, ms: 5 }] };
const both = { one: seen, other: seen };
const measured = (one: number, other: number, samples = NEEDED) => ({
  one: { value: one, samples },
  other: { value: other, samples },
});

describe('what was not seen of a range', () => {
  test('is empty if the whole range was watched', () => {
    expect(gapsOf(seen)).toEqual([]);
    expect(gapsOf({ ...seen, askedFrom: null, askedTo: null })).toEqual([]);
    expect(gapsOf({ ...seen, askedFrom: MINUTE - 900_000, askedTo: 3 * MINUTE + 900_000 })).toEqual([]);
  });

  test('includes dropped events, a cut, an end in the future, and time at a level that hides waits', () => {
    expect(gapsOf({ ...seen, askedFrom: 0 })).toEqual([{ why: 'later', until: MINUTE }]);
    expect(gapsOf({ ...seen, askedFrom: 0, isCut: true })).toEqual([{ why: 'cut', until: MINUTE }]);
    expect(gapsOf({ ...seen, askedTo: 9 * MINUTE })).toEqual([{ why: 'so-far', until: 3 * MINUTE }]);
    expect(gapsOf(level)).toEqual([{ why: 'level', source: 'redis-1', ms: 5 }]);
  });
});

describe('the ratio of figures about single holds and waits', () => {
  test('needs enough samples on both sides', () => {
    expect(changeOfEach(both, measured(30, 20))).toEqual({ ratio: 1.5, samples: [20, 20] });
    const few = { one: { value: 30, samples: 400 }, other: { value: 20, samples: NEEDED - 1 } };
    expect(changeOfEach(both, few)).toEqual({ no: 'few', samples: [400, 19], needed: NEEDED });
    expect(changeOfEach(both, { ...few, other: null })).toEqual({ no: 'few', samples: [400, 0], needed: NEEDED });
    expect(changeOfEach(both, measured(30, 20, 99), NEEDED_P95)).toMatchObject({ no: 'few', needed: 100 });
  });

  test('is left out if level monitor was off in one range, because other levels see other holds and waits', () => {
    expect(changeOfEach({ one: seen, other: level }, measured(30, 20))).toEqual({ no: 'level' });
    expect(changeOfEach({ one: seen, other: unwatched }, measured(30, 20))).toMatchObject({ ratio: 1.5 });
  });

  test('is left out without the other range, or if that range has 0', () => {
    expect(changeOfEach({ one: seen, other: undefined }, measured(30, 20))).toEqual({ no: 'not-loaded' });
    expect(changeOfEach(both, measured(30, 0))).toEqual({ no: 'zero' });
  });
});

describe('the ratio of sums', () => {
  test('compares the sums per minute', () => {
    const half = { ...seen, to: 2 * MINUTE, askedTo: 2 * MINUTE };
    expect(changeOfSum({ one: seen, other: half }, measured(400, 100))).toMatchObject({ ratio: 2, isPerMinute: true });
  });

  test('is shown only if both ranges were watched completely', () => {
    for (const part of [unwatched, level, { ...seen, askedFrom: 0 }, { ...seen, isCut: true }]) {
      expect(changeOfSum({ one: seen, other: part }, measured(400, 100))).toEqual({ no: 'partly' });
      expect(changeOfSum({ one: part, other: seen }, measured(400, 100))).toEqual({ no: 'partly' });
    }
    expect(changeOfSum(both, measured(400, 100, NEEDED - 1))).toMatchObject({ no: 'few' });
  });
});

test('the overlap of two ranges is the time in common', () => {
  expect(overlapMs({ from: 0, to: 3000 }, { from: 2000, to: 9000 })).toBe(1);
  expect(overlapMs({ from: 0, to: 9000 }, { from: 2000, to: 3000 })).toBe(1);
  expect(overlapMs({ from: 0, to: 2000 }, { from: 2000, to: 9000 })).toBe(0);
});
