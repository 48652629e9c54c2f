import { expect, test } from 'vitest';
import type { LoadWindow } from '../../shared/doctor/level-costs.ts';
import type { MeterReading } from './load-meter.ts';
import { priceTrouble, troubleBefore, troubleDuring } from './trouble.ts';

const MB = 1024 * 1024;

function reading(fields: Record<string, string> = {}, change: Partial<MeterReading> = {}): MeterReading {
  const quiet = { load: undefined, outputBytes: 0, received: 0, clientBytes: 0, pingMs: 1 };
  return { ...quiet, fields: new Map(Object.entries(fields)), ...change };
}

function second(cpuSeconds: number, commands = 1000): LoadWindow {
  return { level: null, ms: 1000, cpuSeconds, commands, outputBytes: 0 };
}

test.each([
  ['loading', reading({ loading: '1' }), second(0)],
  ['saving', reading({ rdb_bgsave_in_progress: '1' }), second(0)],
  ['saving', reading({ aof_rewrite_in_progress: '1' }), second(0)],
  ['slow', reading({}, { pingMs: 101 }), second(0)],
  ['busy', reading(), second(0.61)],
  ['full', reading({ used_memory: '91', maxmemory: '100' }), second(0)],
] as const)('no level begins while Redis is in trouble: %s', (why, now, window) => {
  expect(troubleBefore(now, window)).toMatchObject({ code: 'redis-in-trouble', values: { why } });
});

test('a server that is well may be measured', () => {
  expect(troubleBefore(reading({ loading: '0', maxmemory: '0', used_memory: '5' }), second(0.6))).toBeUndefined();
});

test('MONITOR does not begin if its estimated price is above its budget', () => {
  expect(priceTrouble(10_000, second(0.1, 1000))).toBeUndefined();
  expect(priceTrouble(10 * MB, second(0.1, 1000))).toMatchObject({ code: 'over-budget' });
});

test('a level is ended if output accumulates, if Redis answers slowly, or if its CPU use rises', () => {
  const without = { reading: reading(), window: second(0.1) };
  const during = (now: MeterReading, window = second(0.12)) =>
    troubleDuring('monitor', without, reading(), now, window)?.code;
  expect(during(reading())).toBeUndefined();
  expect(during(reading({}, { clientBytes: 9 * MB }))).toBe('output-waited');
  expect(during(reading({}, { pingMs: 150 }))).toBe('slow-replies');
  expect(during(reading(), second(0.4))).toBe('monitor-costly');
  expect(troubleDuring('events', without, reading(), reading(), second(0.4))?.code).toBe('redis-in-trouble');
});
