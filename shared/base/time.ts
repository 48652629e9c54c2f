/** A time on Redis's clock, in microseconds since the epoch, as in MONITOR lines. */
export type RedisTime = number & { readonly unit: 'µs since the epoch' };

/** A duration in milliseconds. */
export type Millis = number;

/** Makes Redis time from a plain number of microseconds, for example from outside or from arithmetic. */
export function redisTime(micros: number): RedisTime {
  return micros as RedisTime; // the brand exists in types only
}

/** Returns the instant `ms` milliseconds after `at`. */
export function plusMillis(at: RedisTime, ms: Millis): RedisTime {
  return redisTime(at + ms * 1000);
}

/** Returns the milliseconds from `from` to `to`; negative if `to` is earlier. */
export function millisBetween(from: RedisTime, to: RedisTime): Millis {
  return (to - from) / 1000;
}

/** The last millisecond of the year 9999: RFC 3339 has no later instant. */
const LAST_WRITABLE: Millis = 253_402_300_799_999;

/**
 * Returns the milliseconds since the epoch of an instant (µs), at most the end of the year 9999: leases may end later.
 */
export function writableMillis(micros: number): Millis {
  return Math.min(Math.floor(micros / 1000), LAST_WRITABLE);
}

/** Returns an instant (µs) as text in UTC: `2026-11-21T10:41:03.000Z`. */
export function isoText(micros: number): string {
  return new Date(writableMillis(micros)).toISOString();
}

/** Returns an instant (µs) as text for a file name, in UTC: `2026-11-21T10-41-03Z`. */
export function fileTimeText(micros: number): string {
  return `${isoText(micros).slice(0, 19).replaceAll(':', '-')}Z`;
}
