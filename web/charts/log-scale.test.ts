import { expect, test } from 'vitest';
import { logBounds } from './log-scale.ts';

test('a logarithmic axis begins and ends at round lengths', () => {
  expect(logBounds([3, 40, 7])).toEqual([1, 100]);
  expect(logBounds([250])).toEqual([100, 1000]);
});

test('with one outlier of 15 min, a logarithmic axis still has room for waits of 20 ms', () => {
  expect(logBounds([20, 25, 899_000])).toEqual([10, 3_600_000]);
});

test('the axis has two different bounds, even for a length equal to a bound or beyond all bounds', () => {
  expect(logBounds([1000])).toEqual([1000, 10_000]);
  expect(logBounds([0.0001])).toEqual([0.001, 0.01]);
  expect(logBounds([9e12])).toEqual([8_640_000_000, 86_400_000_000]);
});
