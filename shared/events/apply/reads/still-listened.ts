import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { LockKey } from '../../mirror/lock-key.ts';

/**
 * Listeners of a free lock are reported after this time: a waiter acquires the lock, or stops waiting, within
 * milliseconds.
 */
export const STILL_MS: Millis = 2000;

/**
 * Without commands: whether to report that connections listen although the lock is free. The time between reports
 * doubles.
 *
 *   message ─ 2 s ─ read ──── read ──────── read ──────────────── read        no hold and no message between
 */
export function isStillListened(to: Context, key: LockKey, count: number, at: RedisTime): boolean {
  const before = key.stillListened;
  key.stillListened = undefined;
  if (to.hasCommands || count === 0 || key.holders.size > 0) return false;
  const since = redisTime(Math.max(before?.since ?? at, before ? (key.messageAt ?? 0) : 0));
  const reportAt = before?.since === since ? before.reportAt : plusMillis(since, STILL_MS);
  const isDue = at >= reportAt;
  key.stillListened = { since, reportAt: isDue ? plusMillis(at, millisBetween(since, at)) : reportAt };
  return isDue;
}
