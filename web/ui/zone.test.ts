import { afterEach, expect, test, vi } from 'vitest';
import { timeZone } from '../choices/time-zone.ts';
import { currentWords, onWords } from '../words/language.ts';
import { isToday, millisText, secondsText } from './time-text.ts';
import { fieldTextOf, instantOfField, offsetMinutesOf, zoneText } from './zone.ts';

const AT = Date.UTC(2026, 2, 1, 23, 4, 31, 7) * 1000;
const NOON_BEFORE = new Date(Date.UTC(2026, 2, 1, 12));

afterEach(() => {
  timeZone.choose('browser');
  vi.restoreAllMocks();
});

/** A browser 90 minutes east of UTC. */
function moveEast() {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-90);
}

test('times follow the zone of the browser, and its midnight', () => {
  moveEast();
  expect(offsetMinutesOf(AT)).toBe(-90);
  expect(secondsText(AT, NOON_BEFORE)).toBe('Mar 2 00:34:31');
  expect(isToday(AT, NOON_BEFORE)).toBe(false);
});

test('with UTC chosen, the zone of the browser has no effect and the zone is named', () => {
  moveEast();
  timeZone.choose('utc');
  expect(offsetMinutesOf(AT)).toBe(0);
  expect(millisText(AT, NOON_BEFORE)).toBe('23:04:31.007');
  expect(isToday(AT, NOON_BEFORE)).toBe(true);
  expect(zoneText(AT)).toBe('UTC');
});

test('a time shows the year in the chosen zone', () => {
  moveEast();
  const newYear = Date.UTC(2026, 11, 31, 23, 0) * 1000;
  expect(secondsText(newYear, NOON_BEFORE)).toBe('Jan 1, 2027 00:30:00');
  timeZone.choose('utc');
  expect(secondsText(newYear, NOON_BEFORE)).toBe('Dec 31 23:00:00');
});

test('a change of the time zone notifies the components that show texts', () => {
  const before = currentWords();
  const heard = vi.fn();
  const stop = onWords(heard);
  timeZone.choose('utc');
  stop();
  expect(heard).toHaveBeenCalledTimes(1);
  expect(currentWords()).not.toBe(before);
});

test('the text of a field is read in the chosen zone', () => {
  const before = process.env.TZ;
  process.env.TZ = 'Asia/Kolkata';
  try {
    const hours = (instantOfField('2026-03-01T23:04') ?? 0) / 3_600_000_000;
    expect(Date.UTC(2026, 2, 1, 23, 4) / 3_600_000 - hours).toBe(5.5);
    timeZone.choose('utc');
    expect(instantOfField('2026-03-01T23:04')).toBe(Date.UTC(2026, 2, 1, 23, 4) * 1000);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test('an instant written into a field for date and time and read back is the same, to the millisecond', () => {
  for (const zone of ['utc', 'browser'] as const) {
    timeZone.choose(zone);
    expect(instantOfField(fieldTextOf(AT)), zone).toBe(AT);
    expect(instantOfField(fieldTextOf(AT + 999)), zone).toBe(AT);
  }
  timeZone.choose('utc');
  expect(fieldTextOf(AT)).toBe('2026-03-01T23:04:31.007');
  expect(instantOfField('2026-03-01T23:04')).toBe(Date.UTC(2026, 2, 1, 23, 4) * 1000);
  expect(instantOfField('')).toBeNull();
  moveEast();
  timeZone.choose('browser');
  expect(fieldTextOf(AT)).toBe('2026-03-02T00:34:31.007');
});
