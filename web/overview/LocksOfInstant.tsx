import { ArrowUpDown } from 'lucide-react';
import { Activity, type ReactNode, useState } from 'react';
import type { RedisTime } from '../../shared/base/time.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { useCutOffAt, useLastKnownAt } from '../cursor/shown-instant.ts';
import { useLive } from '../data/live/use-live.ts';
import { offeredSorts } from '../locks/columns/lock-order.ts';
import { LockTable } from '../locks/LockTable.tsx';
import { useShownLocks } from '../locks/use-shown-locks.ts';
import { lockRows } from '../share/file-rows.ts';
import { Icon } from '../ui/Icon.tsx';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Segments } from '../ui/Segments.tsx';
import { LOCK_FILTERS, LOCK_SORTS, type LockSort, type OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { InsightsProvider, useFound } from '../verdicts/found-insights.tsx';
import { LastKnown } from '../verdicts/LastKnown.tsx';
import { VerdictPanel } from '../verdicts/VerdictPanel.tsx';
import { useWords } from '../words/language.ts';
import { HiddenLocks } from './NoLocks.tsx';

const LostSources = lazyPart(() => import('./LostSources.tsx'));
const TableMenu = lazyPart(() => import('../share/TableMenu.tsx'));

type LocksOfInstantProps = {
  route: OverviewRoute;
  locks: ReadonlyMap<string, Lock>;
  counters: ReactNode;
  banner?: ReactNode;
  /** Whether anything is known about that instant. */
  isWatched: boolean;
  /** If no source is watched now: the source whose last known problems are shown. */
  troubled?: string | undefined;
  /** Shown if the table has no rows. */
  empty: ReactNode;
  children: ReactNode;
};

/** The table of locks at one instant, with heading and filters. `children` are shown beside the table. */
export function LocksOfInstant({ troubled, ...props }: LocksOfInstantProps) {
  const lastKnownAt = useLastKnownAt(troubled);
  const cutOffAt = useCutOffAt();
  return (
    <InsightsProvider lastKnownAt={lastKnownAt}>
      <LocksWithVerdicts {...props} lastKnownAt={lastKnownAt ?? cutOffAt} />
    </InsightsProvider>
  );
}

type LocksWithVerdictsProps = Omit<LocksOfInstantProps, 'troubled'> & { lastKnownAt: RedisTime | null };

function LocksWithVerdicts(props: LocksWithVerdictsProps) {
  const { route, locks, counters, banner, isWatched, lastKnownAt, empty, children } = props;
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
      {lastKnownAt !== null && found && <LastKnown at={lastKnownAt} insights={found.insights} />}
      {isWatched && hasManySources && (
        <LatePart>
          <LostSources />
        </LatePart>
      )}
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

/** The order of the locks as a list, for narrow screens, where the headings of the table are hidden. */
function SortSelect({ route }: { route: OverviewRoute }) {
  const words = useWords();
  const { overview } = words;
  const sort = (sort: LockSort) => navigate({ ...route, sort, isReversed: false }, { replace: true });
  return (
    <span className="sort-select field">
      <select
        aria-label={overview.sortBy}
        value={route.sort}
        onChange={({ target }) => sort(LOCK_SORTS.find((each) => each === target.value) ?? 'attention')}
      >
        {offeredSorts(words, route.sort).map(({ sort, text }) => (
          <option key={sort} value={sort}>
            {text}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button"
        aria-label={overview.reverse}
        aria-pressed={route.isReversed}
        disabled={route.sort === 'attention'}
        onClick={() => navigate({ ...route, isReversed: !route.isReversed }, { replace: true })}
      >
        <Icon of={ArrowUpDown} />
      </button>
    </span>
  );
}
