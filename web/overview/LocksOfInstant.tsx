import { Activity, type ReactNode, useState } from 'react';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { useLive } from '../data/live/use-live.ts';
import { LockTable } from '../locks/LockTable.tsx';
import { useShownLocks } from '../locks/use-shown-locks.ts';
import { lockRows } from '../share/file-rows.ts';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Segments } from '../ui/Segments.tsx';
import { LOCK_FILTERS, type OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { InsightsProvider, useFound } from '../verdicts/found-insights.tsx';
import { VerdictPanel } from '../verdicts/VerdictPanel.tsx';
import { useWords } from '../words/language.ts';
import { HiddenLocks } from './NoLocks.tsx';
import { SortSelect } from './SortSelect.tsx';

const TableMenu = lazyPart(() => import('../share/TableMenu.tsx'));

type LocksOfInstantProps = {
  route: OverviewRoute;
  locks: ReadonlyMap<string, Lock>;
  counters: ReactNode;
  banner?: ReactNode;
  /** Whether anything is known about that instant. */
  isWatched: boolean;
  /** Shown if the table has no rows. */
  empty: ReactNode;
  children: ReactNode;
};

/** The table of locks at one instant, with heading and filters. `children` are shown beside the table. */
export function LocksOfInstant(props: LocksOfInstantProps) {
  return (
    <InsightsProvider>
      <LocksWithVerdicts {...props} />
    </InsightsProvider>
  );
}

function LocksWithVerdicts({ route, locks, counters, banner, isWatched, empty, children }: LocksOfInstantProps) {
  const { overview } = useWords();
  const hasManySources = useLive((state) => state.sources.length > 1);
  const [isInUse, setInUse] = useState(false);
  const found = useFound();
  const shown = useShownLocks(locks, route, isInUse);
  return (
    <div className="page is-filling">
      <header className="page-head">
        <h1 tabIndex={-1}>{overview.title}</h1>
        {counters}
        <Segments
          label={overview.which}
          value={route.show}
          options={LOCK_FILTERS.map((value) => ({ value, label: overview.filter[value] }))}
          onChange={(show) => navigate({ ...route, show }, { replace: true })}
        />
        <SortSelect route={route} />
        {shown.length > 0 && (
          <LatePart>
            <TableMenu name={overview.title} take={() => lockRows(shown, found?.insights ?? [])} />
          </LatePart>
        )}
      </header>
      <LinkNotices route={route} />
      {banner}
      {/* while nothing is watched for a moment, the panel keeps what the user has opened */}
      <Activity mode={isWatched ? 'visible' : 'hidden'}>
        <VerdictPanel />
      </Activity>
      <div className="overview-columns">
        {shown.length > 0 ? (
          <div className="panel is-filling is-snug">
            <LockTable locks={shown} route={route} hasManySources={hasManySources} onInUse={setInUse} />
          </div>
        ) : locks.size > 0 ? (
          <HiddenLocks route={route} hidden={locks.size} />
        ) : (
          empty
        )}
        {children}
      </div>
    </div>
  );
}
