import { expect, test } from 'vitest';
import { binDots, binSteps, gapsFrom, peakOf, type TrendPoint } from './bin-trend.ts';
import { instantAt, PLOT_LEFT_PX, PLOT_RIGHT_PX, pixelAt } from './hairline.ts';

const seen = (at: number, value: number | null): TrendPoint => ({ at, value, sight: 'watched' });
const unseen = (at: number): TrendPoint => ({ at, value: null, sight: 'unwatched' });

test('each value lasts for its whole bin', () => {
  expect(binSteps([seen(0, 2), seen(10, 3)], 10)).toEqual([
    { at: 0, value: 2 },
    { at: 9, value: 2 },
    { at: 10, value: 3 },
    { at: 19, value: 3 },
  ]);
});

test('a bin that is shorter than the others ends where the next bin begins', () => {
  const points = [seen(7, 2), unseen(10), seen(20, 3)];
  expect(binSteps(points, 10).map(({ at }) => at)).toEqual([7, 9, 10, 19, 20, 29]);
  expect(gapsFrom([unseen(7), unseen(10), seen(20, 3)], 10)).toEqual([{ from: 7, to: 20, sight: 'unwatched' }]);
});

test('a bin joined from two bins has their greatest value, and no value if one of them is unwatched', () => {
  const points = [seen(0, 1), seen(10, 7), seen(20, 2), unseen(30)];
  expect(binSteps(points, 10, 4)).toEqual([
    { at: 0, value: 7 },
    { at: 19, value: 7 },
    { at: 20, value: null },
    { at: 39, value: null },
  ]);
});

test('10,000 bins are joined to at most 300 points', () => {
  const points = Array.from({ length: 10_000 }, (_, n) => seen(n * 10, n));
  expect(binSteps(points, 10).length).toBeLessThanOrEqual(300);
  expect(binDots(points, 10).length).toBeLessThanOrEqual(300);
});

test('dots are in the middle of their bins', () => {
  expect(binDots([seen(0, 4), seen(10, null)], 10)).toEqual([
    { at: 5, value: 4 },
    { at: 15, value: null },
  ]);
});

test('a gap joins adjacent unwatched bins, but not a watched bin without a value', () => {
  expect(gapsFrom([unseen(0), unseen(10), seen(20, null), unseen(30)], 10)).toEqual([
    { from: 0, to: 20, sight: 'unwatched' },
    { from: 30, to: 40, sight: 'unwatched' },
  ]);
  expect(gapsFrom([{ ...unseen(0), sight: 'forgotten' }, unseen(10), { ...seen(20, 3), sight: 'partly' }], 10)).toEqual(
    [
      { from: 0, to: 10, sight: 'forgotten' },
      { from: 10, to: 20, sight: 'unwatched' },
      { from: 20, to: 30, sight: 'partly' },
    ],
  );
});

test('a partly watched bin keeps its value', () => {
  expect(binSteps([{ ...seen(0, 4), sight: 'partly' }], 10)[0]).toEqual({ at: 0, value: 4 });
});

test('the peak is the first of the greatest values', () => {
  expect(peakOf([seen(0, 1), seen(10, 5), unseen(20), seen(30, 5)])).toEqual({ at: 10, value: 5, isAtLeast: false });
  expect(peakOf([{ ...seen(0, 1), isAtLeast: true }])).toEqual({ at: 0, value: 1, isAtLeast: true });
  expect(peakOf([unseen(0), seen(10, null)])).toBeNull();
});

test('a pixel has the instant that is drawn there, but outside the plot it has none', () => {
  const width = 300;
  for (const at of [1000, 1250, 2000]) {
    expect(instantAt(pixelAt(at, width, 1000, 2000) ?? -1, width, 1000, 2000)).toBeCloseTo(at, 6);
  }
  expect(instantAt(PLOT_LEFT_PX - 1, width, 1000, 2000)).toBeNull();
  expect(instantAt(width - PLOT_RIGHT_PX + 1, width, 1000, 2000)).toBeNull();
  expect(pixelAt(999, width, 1000, 2000)).toBeNull();
});
