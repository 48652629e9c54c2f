import { Suspense, useMemo } from 'react';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { seesAllWaiters } from '../../shared/wire/locks/lock-facts.ts';
import { isWatched } from '../../shared/wire/watched.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useEventSteps } from '../cursor/use-event-steps.ts';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import { useFromRedisNow, useLive, usePacedLive } from '../data/live/use-live.ts';
import { countLocks } from '../locks/lock-list.ts';
import { LockCounters, UnknownCounters } from '../overview/LockCounters.tsx';
import { LocksOfInstant } from '../overview/LocksOfInstant.tsx';
import { NoLocks } from '../overview/NoLocks.tsx';
import { Trends } from '../overview/Trends.tsx';
import { useNoSight } from '../parts/NotWatching.tsx';
import { useMissing } from '../parts/use-missing.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import type { OverviewRoute } from '../url/route.ts';
import { useWords } from '../words/language.ts';

const OverviewAsOf = lazyPart(() => import('../overview/OverviewAsOf.tsx'));

/** The overview: all locks with holders and waiters, now or at the cursor. Locks that need attention are first. */
export function OverviewPage({ route }: { route: OverviewRoute }) {
  useMomentLink(route);
  const cursor = useCursor();
  const { frame } = useWords();
  if (cursor.mode !== 'paused') return <OverviewNow route={route} />;
  return (
    <Suspense fallback={<EmptyState title={frame.openingPage} />}>
      <OverviewAsOf at={cursor.at} route={route} />
    </Suspense>
  );
}

const OF_LOCKS = ['locks', 'unloaded', 'heldByServer', 'events'] as const;

function OverviewNow({ route }: { route: OverviewRoute }) {
  const { locks, unloaded, heldByServer, events } = usePacedLive(OF_LOCKS);
  const missing = useMissing();
  const isPart = missing !== undefined || unloaded > 0;
  const seesWaiters = useLive((state) => !isPart && seesAllWaiters(state.locks.values(), state.sources));
  const counts = useMemo(() => countLocks(locks.values()), [locks]);
  const noSight = useNoSight();
  useEventSteps(events);
  const stopped = useStoppedAt(noSight !== null);
  const isKnown = noSight === null || counts.locks > 0;
  return (
    <LocksOfInstant
      route={route}
      locks={locks}
      counters={
        isKnown ? (
          <LockCounters
            counts={counts}
            total={counts.locks + unloaded}
            heldInAll={heldByServer}
            seesWaiters={seesWaiters}
            missing={missing}
            stopped={stopped}
          />
        ) : (
          <UnknownCounters />
        )
      }
      isWatched={noSight === null}
      troubled={noSight?.kind === 'trouble' ? noSight.source.id : undefined}
      empty={<NoLocks />}
    >
      {counts.locks > 0 && (
        <Trends
          at={null}
          waitersNow={seesWaiters && !noSight ? counts.waiters : null}
          oldestWait={seesWaiters && !noSight ? counts.oldestWait : null}
        />
      )}
    </LocksOfInstant>
  );
}

/** The second at which the clock stopped because no source is watched; null while a source is watched. */
function useStoppedAt(isStopped: boolean): RedisTime | null {
  const first = useLive((state) => state.sources.find((source) => !isWatched(source))?.id ?? state.sources[0]?.id);
  const second = useFromRedisNow(first, (now) =>
    now === null || !isStopped ? null : Math.floor(now / 1_000_000) * 1_000_000,
  );
  return second === null ? null : redisTime(second);
}
