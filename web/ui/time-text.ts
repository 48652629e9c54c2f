import { isoText, type Millis } from '../../shared/base/time.ts';
import { currentWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { dayTimeOf } from './zone.ts';

// Every text is in the current language, unless the words of another language are passed.
type TimeWords = Words['time'];

/** A duration, rounded to one or two units: `41 µs`, `3.2 ms`, `5.5 s`, `2 min 5 s`, `3 h 12 min`, `2 d 7 h`. */
export function durationText(ms: Millis, words: TimeWords = currentWords().time): string {
  if (ms < 0) return `−${durationText(-ms, words)}`;
  if (ms < 1) return words.micros(String(Math.round(ms * 1000)));
  if (ms < 100) return words.millis(trimmed(ms, 1));
  if (ms < 999.5) return words.millis(String(Math.round(ms)));
  const s = ms / 1000;
  if (s < 9.995) return words.seconds(trimmed(s, 2));
  if (s < 99.95) return words.seconds(trimmed(s, 1));
  const whole = Math.round(s);
  if (whole < 3600) return words.minutes(Math.floor(whole / 60), whole % 60);
  if (whole < 86_400) return words.hours(Math.floor(whole / 3600), Math.floor((whole % 3600) / 60));
  return words.days(Math.floor(whole / 86_400), Math.floor((whole % 86_400) / 3600));
}

/** A round length on an axis, in one unit: `20 s`, `1 min`, `2 h`. Other lengths have two units. */
export function roundText(ms: Millis): string {
  const words = currentWords().time;
  if (ms > 0 && ms % 86_400_000 === 0) return words.whole.days(ms / 86_400_000);
  if (ms > 0 && ms % 3_600_000 === 0) return words.whole.hours(ms / 3_600_000);
  if (ms > 0 && ms % 60_000 === 0) return words.whole.minutes(ms / 60_000);
  return durationText(ms);
}

/** A duration known to whole milliseconds only: `< 1 ms` below one. */
export function shortText(ms: Millis): string {
  return ms >= 0 && ms < 1 ? `< ${currentWords().time.millis('1')}` : durationText(ms);
}

/** A countdown, always with one decimal below a minute, so that the text does not jump. */
export function countdownText(ms: Millis, words: TimeWords = currentWords().time): string {
  if (ms < 59_950) return words.seconds((Math.max(0, ms) / 1000).toFixed(1));
  return durationText(Math.round(ms / 1000) * 1000, words);
}

/** Returns the text with spaces that do not break, so that a number and its unit stay on one line. */
export function unbroken(time: string): string {
  return time.replaceAll(' ', '\u00a0');
}

/** An age in whole seconds or longer units, so that it changes at most once a second: `now`, `4 s`, `2 min 5 s`. */
export function ageText(ms: Millis, words: TimeWords = currentWords().time): string {
  if (ms < 1000) return words.now;
  if (ms < 100_000) return words.seconds(String(Math.floor(ms / 1000)));
  return durationText(ms, words);
}

/** How long ago something was: `now`, `4 s ago`. */
export function agoText(ms: Millis, words: TimeWords = currentWords().time): string {
  return ms < 1000 ? words.now : words.ago(ageText(ms, words));
}

/** The time from one event to the next, with a sign: `+41 µs`, `−3 ms`. */
export function stepText(ms: Millis, words: TimeWords = currentWords().time): string {
  return ms < 0 ? durationText(ms, words) : `+${durationText(ms, words)}`;
}

/** An instant with microseconds in the chosen time zone: `12:04:31.000 282`. With the date unless that is today. */
export function clockText(micros: number, now?: Date): string {
  return withDay(
    micros,
    `${dayTimeText(micros)}.${digitsOf(micros).slice(0, 3)}\u2009${digitsOf(micros).slice(3)}`,
    now,
  );
}

/** As `clockText`, with milliseconds: `12:04:31.000`. */
export function millisText(micros: number, now?: Date): string {
  return withDay(micros, `${dayTimeText(micros)}.${digitsOf(micros).slice(0, 3)}`, now);
}

/** As `millisText`, to the second: `12:04:31`, or `Nov 21 12:04:31`. */
export function secondsText(micros: number, now?: Date): string {
  return withDay(micros, dayTimeText(micros), now);
}

/** The day of an instant in the chosen time zone: `Nov 21`. With the year unless it is this year. */
export function dayText(micros: number): string {
  const { year, month, day } = dayTimeOf(micros);
  const isThisYear = year === dayTimeOf(Date.now() * 1000).year;
  return daysOf(currentWords().time.locale, isThisYear).format(Date.UTC(year, month, day));
}

/** The two ends of a range. The second has its date only if that is not the date of the first. */
export function endTexts(from: number, to: number, textOf = secondsText): [from: string, to: string] {
  return [textOf(from), textOf(to, new Date(from / 1000))];
}

/** True if the instant is today in the chosen time zone. */
export function isToday(micros: number, now = new Date()): boolean {
  const [then, today] = [dayTimeOf(micros), dayTimeOf(now.getTime() * 1000)];
  return then.year === today.year && then.month === today.month && then.day === today.day;
}

/** Puts the date before the text unless it is today, with the year unless it is this year. */
function withDay(micros: number, text: string, now = new Date()): string {
  if (isToday(micros, now)) return text;
  const { year, month, day } = dayTimeOf(micros);
  const { locale } = currentWords().time;
  const isThisYear = year === dayTimeOf(now.getTime() * 1000).year;
  return `${daysOf(locale, isThisYear).format(Date.UTC(year, month, day))} ${text}`;
}

function dayTimeText(micros: number): string {
  const { hour, minute, second } = dayTimeOf(micros);
  return [hour, minute, second].map((n) => String(n).padStart(2, '0')).join(':');
}

function digitsOf(micros: number): string {
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  return String(Math.floor(rest)).padStart(6, '0');
}

/** The full instant in UTC, for titles: `2025-11-21T12:04:31.000282Z`. */
export function instantText(micros: number): string {
  const whole = isoText(Math.floor(micros / 1_000_000) * 1_000_000).slice(0, 19);
  return `${whole}.${String(Math.floor(micros % 1_000_000)).padStart(6, '0')}Z`;
}

/** A rounded count with thousands separators: `1,240`. */
export function countText(n: number, words: TimeWords = currentWords().time): string {
  return numbersOf(words.locale).format(Math.round(n));
}

/** A number a second, without the unit: `0.03`, `3.1`, `240`. */
export function rateText(perSecond: number): string {
  if (perSecond >= 9.95) return countText(perSecond);
  return trimmed(perSecond, perSecond >= 0.095 ? 1 : perSecond >= 0.0095 ? 2 : 3);
}

const days = new Map<string, Intl.DateTimeFormat>();

function daysOf(locale: string, isThisYear: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isThisYear}`;
  const shape = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  const format = days.get(key) ?? new Intl.DateTimeFormat(locale, isThisYear ? shape : { ...shape, year: 'numeric' });
  days.set(key, format);
  return format;
}

const formats = new Map<string, Intl.NumberFormat>();

function numbersOf(locale: string): Intl.NumberFormat {
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale);
  formats.set(locale, format);
  return format;
}

function trimmed(n: number, digits: number): string {
  return n.toFixed(digits).replace(/\.?0+$/, '');
}
