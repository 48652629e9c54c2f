import { writableMillis } from '../../shared/base/time.ts';
import { timeZone } from '../choices/time-zone.ts';
import { currentWords } from '../words/language.ts';

/** Date and time of day of an instant. `month` starts at 0. */
type DayTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
};

/** Returns the date and time of day of an instant (µs) in the chosen time zone. */
export function dayTimeOf(micros: number): DayTime {
  const date = dateOf(micros - offsetMinutesOf(micros) * 60_000_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** Returns the minutes from the chosen time zone to UTC at an instant (µs): −60 for Berlin in winter. */
export function offsetMinutesOf(micros: number): number {
  return timeZone.get() === 'utc' ? 0 : dateOf(micros).getTimezoneOffset();
}

/** Returns the short name of the chosen time zone at an instant (µs): `UTC`, `GMT+1`. */
export function zoneText(micros: number): string {
  if (timeZone.get() === 'utc') return 'UTC';
  const parts = zoneFormatOf(currentWords().time.locale).formatToParts(dateOf(micros));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Returns an instant (µs) as fields for date and time write it: `2026-03-01T23:04:31.007`. */
export function fieldTextOf(micros: number): string {
  const millis = writableMillis(micros) - offsetMinutesOf(micros) * 60_000;
  return new Date(millis).toISOString().slice(0, -1);
}

/** Reads the text of a field for date and time in the chosen time zone. Returns µs, or null if it is not an instant. */
export function instantOfField(text: string): number | null {
  // `Date.parse` reads a text without a zone in the zone of the browser
  const millis = Date.parse(timeZone.get() === 'utc' ? `${text}Z` : text);
  return Number.isNaN(millis) ? null : millis * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneFormatOf(locale: string): Intl.DateTimeFormat {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { timeZoneName: 'short' });
  formats.set(locale, format);
  return format;
}

function dateOf(micros: number): Date {
  return new Date(writableMillis(micros));
}
