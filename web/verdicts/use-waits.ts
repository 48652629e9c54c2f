import { useMemo } from 'react';
import { wantedBy } from '../../shared/insights/attention.ts';
import { waitedLocks } from '../../shared/wire/locks/lock-facts.ts';
import { useFromRedisNow, usePacedLive } from '../data/live/use-live.ts';
import { askedIn, longestIn, type Waits } from './waits.ts';

const OF_LOCKS = ['locks'] as const;

/** What waits now. */
export function useWaits(): Waits {
  const { locks } = usePacedLive(OF_LOCKS);
  const waited = [...locks.values()].filter((lock) => wantedBy(lock) > 0);
  const text = useFromRedisNow(undefined, (now) =>
    JSON.stringify({ longest: longestIn(waited, now), asked: askedIn(locks.values(), now) }),
  );
  const long = useMemo((): Pick<Waits, 'longest' | 'asked'> => JSON.parse(text), [text]);
  return { locks: waitedLocks(waited), ...long };
}
