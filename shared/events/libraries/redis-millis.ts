import type { Millis, RedisTime } from '../../base/time.ts';

/** An integer as Redis reads it: no plus sign, no point, no leading zero. */
const INTEGER = /^(0|-?[1-9]\d{0,18})$/;
/** Redis's largest number. */
const MOST = 2n ** 63n - 1n;

/**
 * The milliseconds that a command's argument means; `undefined` if Redis rejects it, because it is not an integer or
 * the end would be beyond 64 bits. `unit`: how many ms one unit has. `from`: the instant from which the argument
 * counts; absent: the epoch.
 */
export function redisMillis(text: string, unit: 1 | 1000, from?: RedisTime): Millis | undefined {
  if (!INTEGER.test(text)) return undefined;
  const ms = Number(text) * unit;
  if (Number.isSafeInteger(ms)) return ms;
  const exact = BigInt(text) * BigInt(unit);
  const end = exact + BigInt(Math.floor((from ?? 0) / 1000));
  return exact >= -MOST && exact <= MOST && end <= MOST ? ms : undefined;
}
