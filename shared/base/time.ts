/** Redis's own clock: microseconds since the epoch, as MONITOR lines carry it. */
export type RedisTime = number & { readonly unit: 'µs since the epoch' };

/** A duration in milliseconds. */
export type Millis = number;

/** Takes a plain number of microseconds as Redis time: only for borders (parsers, schemas, tests). */
export function redisTime(micros: number): RedisTime {
  return micros as RedisTime; // the brand exists in types only
}

/** The instant `ms` milliseconds after `at`. */
export function plusMillis(at: RedisTime, ms: Millis): RedisTime {
  return redisTime(at + ms * 1000);
}

/** Milliseconds from `from` to `to`; negative when `to` is earlier. */
export function millisBetween(from: RedisTime, to: RedisTime): Millis {
  return (to - from) / 1000;
}
