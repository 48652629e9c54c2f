import { expect, test } from 'vitest';
import { Lengths } from './lengths.ts';

test('percentiles of many lengths are right to 1 %', () => {
  const lengths = new Lengths();
  for (let n = 1; n <= 10_000; n++) lengths.add(n * 1000);
  const { count, median = 0, p95 = 0, longest } = lengths.spread() ?? {};
  expect([count, longest]).toEqual([10_000, 10_000_000]);
  expect(Math.abs(median / 5_000_000 - 1)).toBeLessThan(0.01);
  expect(Math.abs(p95 / 9_500_000 - 1)).toBeLessThan(0.01);
});

test('a single length is its own median, and no length has no spread', () => {
  const lengths = new Lengths();
  expect(lengths.spread()).toBeNull();
  lengths.add(0);
  expect(lengths.spread()).toEqual({ count: 1, median: 0, p95: 0, longest: 0 });
});
