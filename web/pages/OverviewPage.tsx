import { useMemo, useState } from 'react';
import { useLive } from '../data/use-live.ts';
import { LockTable } from '../inspector/LockTable.tsx';
import { countLocks, type LockCounts } from '../inspector/lock-list.ts';
import { useShownLocks } from '../inspector/use-shown-locks.ts';
import { Segments } from '../ui/Segments.tsx';
import { countText } from '../ui/time-text.ts';
import { WithStrong } from '../ui/WithStrong.tsx';
import { LOCK_FILTERS, type OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { NoLocks } from './NoLocks.tsx';
import { OverviewTrends } from './OverviewTrends.tsx';
import { useMissing } from './use-missing.ts';

/** Is anything wrong right now? Who holds what, and who waits. */
export function OverviewPage({ route }: { route: OverviewRoute }) {
  const { overview } = useWords();
  const locks = useLive((state) => state.locks);
  const hasManySources = useLive((state) => state.sources.length > 1);
  const seesWaiters = useLive((state) => state.sources.every((source) => source.level === 'monitor'));
  const missing = useMissing();
  const isWatched = useLive((state) => state.sources.some(({ status }) => status === 'observing'));
  const counts = useMemo(() => countLocks(locks.values()), [locks]);
  const [isInUse, setInUse] = useState(false);
  const shown = useShownLocks(locks, route, isInUse);

  return (
    <div className="page is-filling">
      <header className="page-head">
        <h1 tabIndex={-1}>{overview.title}</h1>
        {(isWatched || counts.locks > 0) && (
          <p className="counters">
            {(!missing || counts.held > 0) && (
              <span>
                <WithStrong
                  text={(missing ? overview.heldAtLeast : overview.held)(countText(counts.held))}
                  strong={countText(counts.held)}
                />
              </span>
            )}
            <WaitingCount counts={counts} seesWaiters={seesWaiters} />
            <span className="quiet">{overview.seen(counts.locks)}</span>
            {missing && <span className="quiet">{missing}</span>}
          </p>
        )}
        <Segments
          label={overview.which}
          value={route.show}
          options={LOCK_FILTERS.map((value) => ({ value, label: overview.filter[value] }))}
          onChange={(show) => navigate({ ...route, show }, { replace: true })}
        />
      </header>
      <div className="overview-columns">
        {shown.length === 0 ? (
          <NoLocks route={route} hidden={counts.locks} />
        ) : (
          <div className="panel is-filling is-snug">
            <LockTable locks={shown} route={route} hasManySources={hasManySources} onInUse={setInUse} />
          </div>
        )}
        {counts.locks > 0 && <OverviewTrends waitersNow={counts.waiters} />}
      </div>
    </div>
  );
}

/** How many wait; where waiters are hidden, what is known of them. */
function WaitingCount({ counts, seesWaiters }: { counts: LockCounts; seesWaiters: boolean }) {
  const { overview } = useWords();
  const { waiters, listeners } = counts;
  const say = seesWaiters ? overview.waiting : overview.waitingAtLeast;
  return (
    <>
      {(seesWaiters || waiters > 0) && (
        <span>
          <WithStrong text={say(countText(waiters))} strong={countText(waiters)} />
        </span>
      )}
      {listeners > 0 && (
        <span>
          <WithStrong text={overview.listening(countText(listeners))} strong={countText(listeners)} />
        </span>
      )}
      {!seesWaiters && waiters + listeners === 0 && (
        <span className="quiet" title={overview.waitersHiddenWhy}>
          {overview.waitersHidden}
        </span>
      )}
    </>
  );
}
