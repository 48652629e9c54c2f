import { useMemo, useState } from 'react';
import { useLive } from '../data/use-live.ts';
import { LockTable } from '../inspector/LockTable.tsx';
import { countLocks } from '../inspector/lock-list.ts';
import { useShownLocks } from '../inspector/use-shown-locks.ts';
import { Segments } from '../ui/Segments.tsx';
import { countOf, countText } from '../ui/time-text.ts';
import type { LockFilter, OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { NoLocks } from './NoLocks.tsx';
import { OverviewTrends } from './OverviewTrends.tsx';

const FILTERS: readonly { value: LockFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'held', label: 'Held' },
  { value: 'waited', label: 'Waited for' },
];

/** Is anything wrong right now? Who holds what, and who waits. */
export function OverviewPage({ route }: { route: OverviewRoute }) {
  const locks = useLive((state) => state.locks);
  const hasManySources = useLive((state) => state.sources.length > 1);
  const seesWaiters = useLive((state) => state.sources.every((source) => source.level === 'monitor'));
  const counts = useMemo(() => countLocks(locks.values()), [locks]);
  const [isInUse, setInUse] = useState(false);
  const shown = useShownLocks(locks, route, isInUse);

  return (
    <div className="page is-filling">
      <header className="page-head">
        <h1 tabIndex={-1}>Locks</h1>
        <p className="counters">
          <span>
            <b>{countText(counts.held)}</b> held
          </span>
          {seesWaiters || counts.waiters > 0 ? (
            <span>
              <b>{countText(counts.waiters)}</b> waiting
            </span>
          ) : (
            <span className="quiet" title="Refused attempts are seen at the level Monitor only.">
              waiters not seen
            </span>
          )}
          <span className="quiet">{countOf(counts.locks, 'lock')} seen</span>
        </p>
        <Segments
          label="Which locks"
          value={route.show}
          options={FILTERS}
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
