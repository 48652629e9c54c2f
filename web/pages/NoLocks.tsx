import { useHealth } from '../data/queries.ts';
import { useLive } from '../data/use-live.ts';
import { EmptyState } from '../ui/Notice.tsx';
import { countOf, countText } from '../ui/time-text.ts';
import { OVERVIEW, type OverviewRoute } from '../url/route.ts';
import { Link, navigate } from '../url/router.tsx';

/** Why the table of locks is empty: filtered away, not connected, or nothing happened yet. */
export function NoLocks({ route, hidden }: { route: OverviewRoute; hidden: number }) {
  const sources = useLive((state) => state.sources);
  const link = useLive((state) => state.link);
  const isDemo = useHealth().data?.demo === true;

  if (hidden > 0) {
    const why =
      route.q !== ''
        ? `by “${route.q}”`
        : route.show === 'held'
          ? 'because nobody holds them'
          : 'because nobody waits for them';
    return (
      <EmptyState
        title={`${countOf(hidden, 'lock')} hidden ${why}.`}
        actions={
          <button
            type="button"
            className="button is-primary"
            onClick={() => navigate({ ...OVERVIEW, sort: route.sort })}
          >
            Clear filter
          </button>
        }
      />
    );
  }
  const troubled = sources.find((source) => source.status !== 'observing');
  if (troubled) {
    return (
      <EmptyState
        title={troubled.problem ? 'Not watching, so there is nothing to show.' : `Connecting to ${troubled.url}.`}
      >
        <p>Locks appear here as soon as Redis answers.{troubled.problem && ' What is wrong stands above.'}</p>
      </EmptyState>
    );
  }
  if (link !== 'live' || sources.length === 0) {
    return (
      <EmptyState title="Connecting to Lockscope.">
        <p>Locks appear here as soon as it answers.</p>
      </EmptyState>
    );
  }
  const lines = sources.reduce((sum, source) => sum + source.linesPerSecond, 0);
  const isMonitoring = sources.some((source) => source.level === 'monitor');
  return (
    <EmptyState
      title="Watching. No lock activity yet."
      actions={
        isDemo && (
          <Link className="button is-primary" to={{ page: 'demo' }}>
            Open the demo
          </Link>
        )
      }
    >
      {isMonitoring && (
        <p className="pulse-line">
          Redis runs <b>{countText(lines)}</b> commands a second. None of them touched a lock so far.
        </p>
      )}
      <p>
        {isDemo
          ? 'Start a scenario, and its lock appears here.'
          : 'Take a lock in your application, and it appears here within a second. To see how it looks, run “lockscope demo”.'}
      </p>
    </EmptyState>
  );
}
