/** A time on Redis's clock, in microseconds since the epoch, as in MONITOR lines. */
export type RedisTime = number & { readonly unit: 'µs since the epoch' };

/** A duration in milliseconds. */
export type Millis = number;

/** Makes Redis time from a plain number of microseconds. Only for input from outside: parsers, schemas, tests. */
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
