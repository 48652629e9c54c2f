import { expect, test } from 'vitest';
import { takenOptions, zoneName } from './taken-options.ts';

const RECEIVED = Date.UTC(2026, 10, 23, 6, 2, 20) * 1000;

test('a local time is an instant in each zone in which it is not in the future, the newest first', () => {
  const options = takenOptions('2026-11-23 14:02:11', RECEIVED);
  expect(options[0]).toEqual({ at: Date.UTC(2026, 10, 23, 6, 2, 11) * 1000, zoneMinutes: 480 });
  expect(options.map(({ zoneMinutes }) => zoneMinutes)).not.toContain(420);
  expect(options.every(({ at }) => at <= RECEIVED)).toBe(true);
  expect(options.map(({ at }) => at)).toEqual(options.map(({ at }) => at).sort((a, b) => b - a));
});

test('a clock that is a few seconds ahead is taken for the instant at which the dump was added', () => {
  expect(takenOptions('2026-11-23 06:02:25', RECEIVED)[0]).toEqual({ at: RECEIVED, zoneMinutes: 0 });
});

test('without a local time, it may have been taken as it was added', () => {
  expect(takenOptions(null, RECEIVED)).toEqual([{ at: RECEIVED, zoneMinutes: null }]);
});

test('names of zones', () => {
  expect([0, 480, -210, 345].map(zoneName)).toEqual(['UTC', 'UTC+08:00', 'UTC−03:30', 'UTC+05:45']);
});
