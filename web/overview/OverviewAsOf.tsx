import { useMemo } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import { seesAllWaiters } from '../../shared/wire/locks/lock-facts.ts';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { ForgottenInstant } from '../cursor/ForgottenInstant.tsx';
import { ShownInstant, ShownSight, useSightThen } from '../cursor/shown-instant.ts';
import { useEventSteps } from '../cursor/use-event-steps.ts';
import { problemFromError } from '../data/http/http.ts';
import { ALL_EVENTS } from '../data/queries/event-list.ts';
import { useEventsAround } from '../data/queries/listed-events.ts';
import { forgottenOf, type LocksAt, useLocksAt } from '../data/queries/past-locks.ts';
import { useSightAt } from '../data/queries/use-trends.ts';
import { countLocks } from '../locks/lock-list.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { millisText } from '../ui/time-text.ts';
import type { OverviewRoute } from '../url/route.ts';
import { useWords } from '../words/language.ts';
import { LockCounters } from './LockCounters.tsx';
import { LocksOfInstant } from './LocksOfInstant.tsx';
import { Trends } from './Trends.tsx';

const NONE: LocksAt['locks'] = new Map();

/** The overview of a past instant: the locks as they were at the cursor, from the server's memory or store. */
export default function OverviewAsOf({ at, route }: { at: RedisTime; route: OverviewRoute }) {
  const words = useWords();
  useStepsAround(at);
  const { data, error, isPending } = useLocksAt(at);
  const then = error ? undefined : data;
  const sight = useSightAt(then?.at ?? at);
  const locks = then?.locks ?? NONE;
  const counts = useMemo(() => countLocks(locks.values()), [locks]);
  const forgotten = forgottenOf(error);
  const seen = useSightThen(sight);
  const limits = seen.unseen.map(({ source: id, lacks }) => ({ id, lacks }));
  const seesWaiters = seesAllWaiters(locks.values(), limits, seen.showsAttempts);
  const problem = error && !forgotten ? problemFromError(error, words) : null;
  const isUnwatched = sight?.seen === 'unwatched';
  return (
    <ShownInstant value={then?.at ?? at}>
      <ShownSight value={seen}>
        <LocksOfInstant
          route={route}
          locks={locks}
          counters={
            then && (
              <LockCounters
                counts={counts}
                total={then.total}
                seesWaiters={seesWaiters && then.total === counts.locks}
              />
            )
          }
          banner={<AsOfBanner {...(isUnwatched ? { note: words.pastInstant.unwatchedThen } : {})} />}
          isWatched={then !== undefined && !isUnwatched}
          empty={
            forgotten ? (
              <ForgottenInstant at={at} forgotten={forgotten} />
            ) : problem ? (
              <EmptyState title={problem.message}>
                <p>{problem.hint}</p>
              </EmptyState>
            ) : (
              <EmptyState title={(isPending ? words.moment.reading : words.pastInstant.noneThen)(millisText(at))} />
            )
          }
        >
          {then && <Trends at={then.at} waitersNow={null} oldestWait={null} />}
        </LocksOfInstant>
      </ShownSight>
    </ShownInstant>
  );
}

/** Events read on each side of the cursor. */
const OPTIONS = { each: 100 };

/** J and K move the cursor to the previous or next event, also to events that this page has not loaded. */
function useStepsAround(at: RedisTime): void {
  const { events, isLoading, isOld } = useEventsAround(ALL_EVENTS, at, OPTIONS);
  useEventSteps(events, isLoading || isOld);
}
