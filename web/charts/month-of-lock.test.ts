import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LockHours } from '../../shared/wire/lock-hours.ts';
import { timeZone } from '../choices/time-zone.ts';
import { monthOfLock, monthPoints, mostExpensive } from './month-of-lock.ts';

const HOUR_MICROS = 3_600_000_000;
const HOUR_MS = 3_600_000;
/** Midnight of a day in UTC. */
const DAY = 20_000 * 24 * HOUR_MICROS;
const PLACE = { source: 'redis', db: 0 };

beforeEach(() => timeZone.choose('utc'));
afterEach(() => timeZone.choose('browser'));

const at = (hour: number) => DAY + hour * HOUR_MICROS;
const whole = (hour: number, waitsSeenMs = HOUR_MS) => ({ at: at(hour), watchedMs: HOUR_MS, waitsSeenMs });
const busy = (hour: number, causedMs: number, isAtLeast = false) => {
  return { at: at(hour), holds: 2, heldMs: 1000, waits: 1, waitedMs: causedMs, causedMs, isAtLeast };
};

function month({ from = 0, to = 4, since = 0, watched = [0, 1, 2, 3].map((n) => whole(n)), hours = [busy(1, 50)] }) {
  const answer: LockHours = {
    ...{ from: at(from), to: at(to), since: at(since) },
    watched: [{ source: 'redis', hours: watched }],
    locks: [{ ...PLACE, hours }],
  };
  const found = monthOfLock(answer, PLACE);
  if (!found) throw new Error('nothing was counted');
  return found;
}

test('each watched hour has a point, which is 0 if nothing happened', () => {
  const points = monthPoints(month({}), 'holds');
  expect(points.map(({ at: hour, value, sight }) => [hour, value, sight])).toEqual([
    [at(0), 0, 'watched'],
    [at(1), 2, 'watched'],
    [at(2), 0, 'watched'],
    [at(3), 0, 'watched'],
  ]);
});

test('the value of a partly watched hour is a minimum, and an unwatched hour has no value', () => {
  const watched = [whole(0), { at: at(1), watchedMs: HOUR_MS / 2, waitsSeenMs: HOUR_MS / 2 }, whole(3)];
  const points = monthPoints(month({ watched }), 'heldMs');
  expect(points.map(({ value, sight, isAtLeast }) => [value, sight, isAtLeast])).toEqual([
    [0, 'watched', false],
    [1000, 'partly', true],
    [null, 'unwatched', true],
    [0, 'watched', false],
  ]);
});

test('waits are not drawn for hours in which no level showed them, though holds are', () => {
  const watched = [whole(0, 0), whole(1), whole(2, HOUR_MS / 4), whole(3)];
  const found = month({ watched });
  expect(monthPoints(found, 'waitedMs').map(({ value, sight }) => [value, sight])).toEqual([
    [null, 'hidden'],
    [50, 'watched'],
    [0, 'partly'],
    [0, 'watched'],
  ]);
  expect(monthPoints(found, 'holds').map(({ sight }) => sight)).toEqual(['watched', 'watched', 'watched', 'watched']);
});

test('more than three days are shown by days, and hours before counting began are left out', () => {
  const watched = Array.from({ length: 100 }, (_, hour) => whole(hour));
  const hours = [busy(1, 7), busy(30, 50), busy(40, 60), busy(80, 30, true)];
  const found = month({ from: -200, since: 2, to: 100, watched, hours });
  expect(found.isByHour).toBe(false);
  expect(found.bins.map((bin) => [bin.at, bin.holds, bin.causedMs, bin.isAtLeast, bin.sight])).toEqual([
    [at(2), 0, 0, false, 'watched'],
    [at(24), 4, 110, false, 'watched'],
    [at(48), 0, 0, false, 'watched'],
    [at(72), 2, 30, true, 'watched'],
    [at(96), 0, 0, false, 'watched'],
  ]);
  expect(mostExpensive(found, 1).map((bin) => bin.at)).toEqual([at(24)]);
});

test('the newest hour may lack its last seconds, but an earlier hour must be complete', () => {
  const withoutEnd = (hour: number) => ({ at: at(hour), watchedMs: HOUR_MS - 20_000, waitsSeenMs: HOUR_MS - 20_000 });
  const sights = month({ watched: [whole(0), withoutEnd(1), whole(2), withoutEnd(3)] }).bins.map(({ sight }) => sight);
  expect(sights).toEqual(['watched', 'partly', 'watched', 'watched']);
});

test('without a store there is no chart of a month', () => {
  expect(monthOfLock({ from: 0, to: at(1), since: null, watched: [], locks: [] }, PLACE)).toBeNull();
});
