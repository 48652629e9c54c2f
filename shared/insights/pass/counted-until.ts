import { type Millis, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { PassInput } from './pass-input.ts';

/** What waited for Redis arrives within this time after it answers again: clients repeat a command after 1 to 2 s. */
export const SETTLE_MS: Millis = 3000;

/**
 * Until when time counts for the detectors. While Redis does not answer, no command can arrive, so a missing command
 * proves nothing: what was found stays, and nothing more becomes due.
 *
 *   last answer ├──────── no answer ────────┤ answers ├── 3 s ──┤
 *   counted     █ until here                                    █ now
 *
 * If Redis answers for less than these 3 s, the times without an answer before and after that count as one.
 */
export function countedUntil({ now, sources, serverOf }: PassInput, source: string): RedisTime {
  const { unansweredSince, unansweredUntil: until, unansweredBefore = [] } = serverOf?.(source) ?? {};
  const at = now(source);
  const watchedSince = sources.get(source)?.watchedSince;
  if (unansweredSince === undefined || watchedSince === undefined || unansweredSince < watchedSince) return at;
  if (until !== undefined && at >= plusMillis(until, SETTLE_MS)) return at;
  let since = unansweredSince;
  for (const before of unansweredBefore.toReversed()) {
    if (before.since < watchedSince || since >= plusMillis(before.until, SETTLE_MS)) break;
    since = before.since;
  }
  return redisTime(Math.min(at, since));
}
