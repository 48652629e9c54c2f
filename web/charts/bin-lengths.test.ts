import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binLengths, spreadOf } from './bin-lengths.ts';

const lengths = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 200 });

describe('binLengths', () => {
  test('bounds grow in steps of 1, 2, 5, and empty bars between are kept', () => {
    expect(binLengths([1, 1.5, 40, 5])).toEqual([
      { from: 1, to: 2, count: 2 },
      { from: 2, to: 5, count: 0 },
      { from: 5, to: 10, count: 1 },
      { from: 10, to: 20, count: 0 },
      { from: 20, to: 50, count: 1 },
    ]);
  });

  test('a length equal to a bound belongs to the bar above it', () => {
    for (const bound of [0.001, 0.01, 0.2, 1, 5, 10, 1000, 20_000, 60_000, 300_000, 3_600_000]) {
      expect(binLengths([bound])).toEqual([{ from: bound, to: expect.any(Number), count: 1 }]);
    }
  });

  test('from one minute on, bounds are whole minutes', () => {
    const bounds = binLengths([45_000, 1_500_000]).map(({ from }) => from / 60_000);
    expect(bounds).toEqual([20 / 60, 1, 2, 5, 10, 20]);
  });

  test('for lengths from a microsecond to a day, the lowest bounds grow by factors of ten', () => {
    expect(
      binLengths([0.001, 100_000_000])
        .map(({ from }) => from)
        .slice(0, 3),
    ).toEqual([0.001, 0.01, 0.1]);
  });

  test('every length is counted once, in the bar that contains it, and bars leave no gaps', () => {
    fc.assert(
      fc.property(lengths, (values) => {
        const bins = binLengths(values);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        expect(bins.length).toBeLessThanOrEqual(24);
        for (const [n, bin] of bins.entries()) {
          expect(bin.to).toBe(bins[n + 1]?.from ?? bin.to);
          const inside = values.filter((value) => Math.max(value, 0.001) >= bin.from && value < bin.to);
          expect(inside).toHaveLength(bin.count);
        }
      }),
    );
  });

  test('an empty list has no bars', () => {
    expect(binLengths([])).toEqual([]);
  });
});

test.each([
  [[], { count: 0, medianMs: null, maxMs: null }],
  [[7], { count: 1, medianMs: 7, maxMs: 7 }],
  [[9, 1, 2, 4], { count: 4, medianMs: 2, maxMs: 9 }],
])('the count, the median and the maximum of %j are returned', (values, expected) => {
  expect(spreadOf(values)).toEqual(expected);
});
