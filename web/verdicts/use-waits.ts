import { millisBetween, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import { DEFAULT_WATCHDOG_MS } from '../../shared/insights/lease-renewal.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { oldestWait } from '../../shared/wire/locks/lock-facts.ts';
import { LIVE_PACE } from '../data/live/paced.ts';
import { useFromRedisNow, usePacedLive } from '../data/live/use-live.ts';
import type { Waits } from './headline.ts';

const OF_LOCKS = ['locks'] as const;

/** What waits now. */
export function useWaits(): Waits {
  const { locks } = usePacedLive(OF_LOCKS, LIVE_PACE);
  const waited = [...locks.values()].filter((lock) => wantedBy(lock) > 0);
  const longestMs = useFromRedisNow(undefined, (now) => (now === null ? null : longestIn(waited, now)));
  return { locks: waited.length, longestMs };
}

/** The longest wait beyond the lease of its lock, in whole seconds. */
function longestIn(locks: readonly Lock[], now: RedisTime): number | null {
  const waits = locks.flatMap((lock) => {
    const since = oldestWait(lock);
    const ms = since === null ? 0 : millisBetween(redisTime(since.at), now);
    return ms > (lock.lease.ms ?? DEFAULT_WATCHDOG_MS) ? ms : [];
  });
  return waits.length === 0 ? null : Math.floor(Math.max(...waits) / 1000) * 1000;
}
