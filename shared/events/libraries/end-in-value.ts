import { type Millis, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';

/** No client holds a lock of this kind for longer, so a later time is not an end. */
const LONGEST: Millis = 86_400_000;
const SECONDS = /^\d{10}(?:\.\d{1,9})?$/;
const MILLIS = /^\d{13}(?:\.\d{1,6})?$/;

/**
 * When a lock ends according to its value; undefined: the value is not such a time. Locks that have no lease in Redis
 * have such values (`SETNX k 1795941695.5`, later `GETSET`): the pattern of Redis's own page on SETNX, of ServiceStack
 * and of redis-mutex for Ruby. `setAt`: when the value was set; an earlier time is not an end.
 */
export function endInValue(value: string, setAt: RedisTime): RedisTime | undefined {
  const unit = SECONDS.test(value) ? 1_000_000 : MILLIS.test(value) ? 1000 : undefined;
  if (unit === undefined) return undefined;
  const end = redisTime(Math.round(Number(value) * unit));
  return end > setAt && end <= plusMillis(setAt, LONGEST) ? end : undefined;
}
