import { wantedBy } from '../../shared/insights/attention.ts';
import { LIVE_PACE } from '../data/live/paced.ts';
import { useFromRedisNow, usePacedLive } from '../data/live/use-live.ts';
import { longestIn, type Waits, waitedLocks } from './waits.ts';

const OF_LOCKS = ['locks'] as const;

/** What waits now. */
export function useWaits(): Waits {
  const { locks } = usePacedLive(OF_LOCKS, LIVE_PACE);
  const waited = [...locks.values()].filter((lock) => wantedBy(lock) > 0);
  const ms = useFromRedisNow(undefined, (now) => longestIn(waited, now)?.ms ?? null);
  const isAtLeast = useFromRedisNow(undefined, (now) => longestIn(waited, now)?.isAtLeast === true);
  return { locks: waitedLocks(waited), longest: ms === null ? null : { ms, isAtLeast } };
}
