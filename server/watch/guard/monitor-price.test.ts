import { expect, test } from 'vitest';
import { isOverBudget, MonitorPrices } from './monitor-price.ts';

const load = (opsPerSecond: number, bytesPerCommand: number, redisCpuShare: number | null = null) => ({
  opsPerSecond,
  inputBytesPerSecond: opsPerSecond * bytesPerCommand,
  redisCpuShare,
});

test('the price of MONITOR is estimated from the commands and their bytes', () => {
  const prices = new MonitorPrices();
  expect(prices.of(load(0, 0)).costShare).toBe(0);
  expect(prices.of(load(10_000, 90))).toEqual({ costShare: expect.closeTo(0.069, 3), basis: 'estimated' });
  expect(prices.of(load(1000, 1000)).costShare).toBeCloseTo(0.067, 3);
  expect(prices.of(load(1000, 20_000)).costShare).toBeCloseTo(1.321, 3);
});

test('a measurement replaces the estimate: the cost of a command with MONITOR, minus the cost without', () => {
  const prices = new MonitorPrices();
  prices.learn(load(10_000, 90, 0.02), false);
  prices.learn(load(10_000, 90, 0.02 + 0.0345), true);
  expect(prices.of(load(10_000, 90))).toEqual({ costShare: expect.closeTo(0.0345, 3), basis: 'measured' });
});

test.each([
  ['too few commands', load(500, 90, 0.5)],
  ['another mix of commands', load(10_000, 1000, 0.9)],
  ['no CPU figure', load(10_000, 90, null)],
])('a measurement is ignored for %s', (_, seen) => {
  const prices = new MonitorPrices();
  prices.learn(load(10_000, 90, 0.02), false);
  prices.learn(seen, true);
  expect(prices.of(load(10_000, 90)).basis).toBe('estimated');
});

test('a single outlier does not make MONITOR seem free', () => {
  const prices = new MonitorPrices();
  prices.learn(load(10_000, 90, 0.5), false);
  prices.learn(load(10_000, 90, 0.1), true); // Redis became faster by itself
  expect(prices.of(load(100_000, 90)).costShare).toBeGreaterThan(0.05);
});

test('MONITOR may take a quarter of a core; if it takes more than 5 %, Redis may use 60 % together with it', () => {
  expect(isOverBudget(0.2, 0.3, false)).toBe(false);
  expect(isOverBudget(0.26, 0, false)).toBe(true);
  expect(isOverBudget(0.2, 0.45, false)).toBe(true);
  expect(isOverBudget(0.2, 0.55, true)).toBe(false); // its own part is in the 55 %
  expect(isOverBudget(0.2, 0.65, true)).toBe(true);
  expect(isOverBudget(0.05, 0.99, false)).toBe(false); // it is not MONITOR that makes this Redis busy
});
