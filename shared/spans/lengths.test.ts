import { expect, test } from 'vitest';
import { Lengths } from './lengths.ts';

test('percentiles of many lengths are exact to 1 %', () => {
  const lengths = new Lengths();
  for (let n = 1; n <= 10_000; n++) lengths.add(n * 1000);
  const { count, median = 0, p95 = 0, longest } = lengths.spread() ?? {};
  expect([count, longest]).toEqual([10_000, 10_000_000]);
  expect(Math.abs(median / 5_000_000 - 1)).toBeLessThan(0.01);
  expect(Math.abs(p95 / 9_500_000 - 1)).toBeLessThan(0.01);
});

test('percentiles of at most 100 lengths are exact, by the nearest rank', () => {
  const lengths = new Lengths();
  for (const micros of [8_012_345, 3_021_111, 7_020_002, 3_021_999]) lengths.add(micros);
  expect(lengths.spread()).toEqual({ count: 4, median: 3_021_999, p95: 8_012_345, longest: 8_012_345 });
});

test('the median of a single length is that length, and of no length there is no distribution', () => {
  const lengths = new Lengths();
  expect(lengths.spread()).toBeNull();
  lengths.add(0);
  expect(lengths.spread()).toEqual({ count: 1, median: 0, p95: 0, longest: 0 });
});

test('lengths are counted in bins between round lengths; a round length belongs to the bin that it begins', () => {
  const lengths = new Lengths();
  for (const micros of [0, 9_999, 10_000, 10_001, 19_999, 20_000]) lengths.add(micros);
  expect(lengths.counts()).toEqual([
    { fromMs: 0.001, toMs: 0.002, count: 1 },
    { fromMs: 5, toMs: 10, count: 1 },
    { fromMs: 10, toMs: 20, count: 3 },
    { fromMs: 20, toMs: 50, count: 1 },
  ]);
});
