import { useState } from 'react';
import { overviewNow } from '../cursor/routes-now.ts';
import { useIsOpenRecording, useLive, useLocalNow } from '../data/live/use-live.ts';
import { useIsDemo } from '../data/queries/queries.ts';
import { NoActivity } from '../parts/NoActivity.tsx';
import { NotWatching, useNoSight } from '../parts/NotWatching.tsx';
import { useScanned } from '../parts/use-missing.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { ageText, countText } from '../ui/time-text.ts';
import { WithStrong } from '../ui/WithStrong.tsx';
import type { OverviewRoute } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** Shown if the filters hide every lock: names the filter and offers to clear it. */
export function HiddenLocks({ route, hidden }: { route: OverviewRoute; hidden: number }) {
  const { common, overview } = useWords();
  const hiddenBy = route.show === 'held' ? overview.hiddenAsFree : overview.hiddenAsUnwanted;
  const { q, show, sort } = route;
  const title =
    q === '' ? hiddenBy(hidden) : overview.hiddenByText(hidden, q, show === 'all' ? null : overview.filter[show]);
  return (
    <EmptyState
      title={title}
      actions={
        <button type="button" className="button is-primary" onClick={() => navigate({ ...overviewNow(), sort })}>
          {common.clearFilter}
        </button>
      }
    />
  );
}

/** Shown if there are no locks: explains whether the page is not connected, still scanning, or has seen no lock yet. */
export function NoLocks() {
  const { overview, states } = useWords();
  const isRecording = useIsOpenRecording();
  const sources = useLive((state) => state.sources);
  const noSight = useNoSight();
  const isDemo = useIsDemo();
  const scanned = useScanned();
  if (noSight) return <NotWatching noSight={noSight} />;
  if (isRecording) {
    return (
      <EmptyState title={states.noLocksRecorded}>
        <p>{states.noLocksRecordedHint}</p>
      </EmptyState>
    );
  }
  if (scanned !== undefined) {
    return (
      <EmptyState title={overview.scanning(scanned)}>
        <p>{overview.scanningWhy}</p>
      </EmptyState>
    );
  }
  const lines = countText(sources.reduce((sum, source) => sum + source.linesPerSecond, 0));
  const isMonitoring = sources.some((source) => source.level === 'monitor');
  return (
    <NoActivity
      actions={
        isDemo && (
          <Link className="button is-primary" to={{ page: 'demo' }}>
            {overview.openDemo}
          </Link>
        )
      }
    >
      {isMonitoring && (
        <p className="pulse-line">
          <WithStrong text={overview.pulse(lines)} strong={lines} />
        </p>
      )}
      <QuietFor />
      <p>{isDemo ? overview.startScenario : overview.takeLock}</p>
    </NoActivity>
  );
}

/** How long this page has seen no lock. Hidden from screen readers because it changes every second. */
function QuietFor() {
  const { states } = useWords();
  const [since] = useState(() => Date.now());
  const quietMs = useLocalNow() - since;
  return quietMs < QUIET_FROM_MS ? null : (
    <p className="quiet" aria-hidden="true">
      {states.quietFor(ageText(quietMs))}
    </p>
  );
}

const QUIET_FROM_MS = 5000;
