import { type Millis, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { PassInput } from './pass-input.ts';

/** What waited for Redis arrives within this time after it answers again: clients repeat a command after 1 to 2 s. */
const SETTLE_MS: Millis = 3000;

/**
 * Until when time counts for the detectors. While Redis does not answer, no command can arrive, so its absence proves nothing: what
 * was found stays, and nothing more becomes due.
 *
 *   last answer ├──────── no answer ────────┤ answers ├── 3 s ──┤
 *   counted     █ until here                                    █ now
 */
export function countedUntil({ now, sources, serverOf }: PassInput, source: string): RedisTime {
  const { unansweredSince: since, unansweredUntil: until } = serverOf?.(source) ?? {};
  const at = now(source);
  const watchedSince = sources.get(source)?.watchedSince;
  if (since === undefined || watchedSince === undefined || since < watchedSince) return at;
  return until !== undefined && at >= plusMillis(until, SETTLE_MS) ? at : redisTime(Math.min(at, since));
}
