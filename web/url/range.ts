import { type RedisTime, redisTime } from '../../shared/base/time.ts';

/** A range of time between two instants. */
export type LinkSpan = { readonly from: RedisTime; readonly to: RedisTime };

/** How many minutes a range may have that ends now, or at the cursor. */
export const RANGE_MINUTES = [1, 5, 15, 60] as const;
export type RangeMinutes = (typeof RANGE_MINUTES)[number];

/** Ranges that only a store reaches, in days. */
export const STORED_DAYS = [1, 7, 30] as const;

/** A range as the user chose it: two instants, or how many minutes up to now, or up to the cursor. */
export type ChosenRange = LinkSpan | RangeMinutes;

export const RANGE_PARAMETERS = ['view', 'last'] as const;

/** Whether a range is chosen by its two instants. */
export function isSpan(range: ChosenRange | string | null | undefined): range is LinkSpan {
  return typeof range === 'object' && range !== null;
}

/** The two instants of a range, if the last minutes end at `end`. */
export function spanOf(range: ChosenRange, end: number): LinkSpan {
  return isSpan(range)
    ? range
    : { from: redisTime(Math.round(end) - range * 60_000_000), to: redisTime(Math.round(end)) };
}

/** The days that end at an instant. */
export function spanOfDays(days: number, end: number): LinkSpan {
  return { from: redisTime(Math.round(end) - days * 86_400_000_000), to: redisTime(Math.round(end)) };
}

/** The range of the same length directly before. */
export function spanBefore({ from, to }: LinkSpan): LinkSpan {
  return { from: redisTime(from - (to - from)), to: from };
}

/** The range of the same length directly after. */
export function spanAfter({ from, to }: LinkSpan): LinkSpan {
  return { from: to, to: redisTime(to + (to - from)) };
}

/** Parses one of the offered numbers of minutes, such as `15`; null for any other text. */
export function parseMinutes(text: string | null): RangeMinutes | null {
  return RANGE_MINUTES.find((each) => String(each) === text) ?? null;
}

/**
 * Parses a range such as `12040.2s+10s`, which begins 12,040.2 s after the origin; null if the text has another form.
 */
export function parseSpan(text: string, origin: RedisTime): LinkSpan | null {
  // an unescaped plus was decoded as a space
  const found = /^(-?\d{1,12}(?:\.\d{1,6})?)s[+ ](\d{1,9}(?:\.\d{1,6})?)s$/.exec(text);
  if (!found) return null;
  const from = redisTime(origin + Math.round(Number(found[1]) * 1e6));
  const length = Math.round(Number(found[2]) * 1e6);
  return length > 0 ? { from, to: redisTime(from + length) } : null;
}

/** Writes a range: its beginning in seconds after the origin, and its length. */
export function spanText(span: LinkSpan, origin: RedisTime): string {
  return `${secondsText(span.from - origin)}s+${secondsText(span.to - span.from)}s`;
}

/** Formats microseconds as seconds, without trailing zeros. */
export function secondsText(micros: number): string {
  const sign = micros < 0 ? '-' : '';
  const whole = Math.abs(Math.round(micros));
  const rest = String(whole % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${sign}${Math.floor(whole / 1_000_000)}${rest === '' ? '' : `.${rest}`}`;
}
