import { expect, test } from 'vitest';
import { assumedTaken, takenOptions, zoneName } from './taken-options.ts';

const RECEIVED = Date.UTC(2026, 10, 23, 6, 2, 20) * 1000;

test('a local time is an instant in each zone in which it is not in the future, the newest first', () => {
  const options = takenOptions('2026-11-23 14:02:11', RECEIVED);
  expect(options[0]).toEqual({ at: Date.UTC(2026, 10, 23, 6, 2, 11) * 1000, zoneMinutes: 480 });
  expect(options.map(({ zoneMinutes }) => zoneMinutes)).not.toContain(420);
  expect(options.every(({ at }) => at <= RECEIVED)).toBe(true);
  expect(options.map(({ at }) => at)).toEqual(options.map(({ at }) => at).sort((a, b) => b - a));
});

test('a dump whose clock is a few seconds ahead is dated at the instant at which it was added', () => {
  expect(takenOptions('2026-11-23 06:02:25', RECEIVED)[0]).toEqual({ at: RECEIVED, zoneMinutes: 0 });
});

test('if a dump has no time, the time at which the dump was added is offered', () => {
  expect(takenOptions(null, RECEIVED)).toEqual([{ at: RECEIVED, zoneMinutes: null }]);
});

test('time zones are named by their offset from UTC', () => {
  expect([0, 480, -210, 345].map(zoneName)).toEqual(['UTC', 'UTC+08:00', 'UTC−03:30', 'UTC+05:45']);
});

test('a dump that was added less than a minute after its local time in one zone is assumed to be of that zone', () => {
  expect(assumedTaken('2026-11-23 14:02:11', RECEIVED)).toBe(Date.UTC(2026, 10, 23, 6, 2, 11) * 1000);
  expect(assumedTaken('2026-11-23 11:32:15', RECEIVED)).toBe(Date.UTC(2026, 10, 23, 6, 2, 15) * 1000);
});

test('no zone is assumed for an older dump, or for one without a local time', () => {
  expect(assumedTaken('2026-11-23 14:01:11', RECEIVED)).toBeNull();
  expect(assumedTaken(null, RECEIVED)).toBeNull();
});
