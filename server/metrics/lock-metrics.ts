import type { LockTally } from '../../shared/state/lock-counts.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { Exposition } from './exposition.ts';
import type { Sights } from './sights.ts';

/** Locks, holders and waiters now, by kind. Returns the function that sets its metrics. */
export function lockMetrics(to: Exposition): (observatory: Observatory, sights: Sights) => void {
  const labelNames = ['source', 'kind'] as const;
  const locks = to.gauge({
    name: 'lockscope_locks',
    help: 'Locks in memory. State: held, or free. Absent while the source is not watched.',
    labelNames: ['source', 'kind', 'state'],
  });
  const waitedFor = to.gauge({
    name: 'lockscope_locks_waited_for',
    help: 'Locks with at least one waiter that is seen, held or free. Absent if the level does not show waits.',
    labelNames,
  });
  const holders = to.gauge({
    name: 'lockscope_holders',
    help: 'Threads that hold a lock, and clients that hold permits. Absent while the source is not watched.',
    labelNames,
  });
  const waiters = to.gauge({
    name: 'lockscope_waiters',
    help: 'Threads that are seen to wait for a lock. Absent if the level does not show waits.',
    labelNames,
  });
  const oldest = to.gauge({
    name: 'lockscope_oldest_wait_seconds',
    help: 'The age of the oldest wait that has not ended, 0 without one. It may have begun before it was seen. Absent if the level does not show waits.',
    labelNames: ['source'],
  });
  return (observatory, sights) => {
    const now = observatory.tallies();
    const seen = now.locks.filter(({ source }) => sights.isWatched(source));
    const waits = seen.filter(({ source }) => sights.hasWaits(source));
    locks(
      seen.flatMap((tally) => [
        [{ ...placeOf(tally), state: 'held' }, tally.held] as const,
        [{ ...placeOf(tally), state: 'free' }, tally.locks - tally.held] as const,
      ]),
    );
    holders(seen.map((tally) => [placeOf(tally), tally.holders]));
    waitedFor(waits.map((tally) => [placeOf(tally), tally.waitedFor]));
    waiters(waits.map((tally) => [placeOf(tally), tally.waiters]));
    oldest(
      sights.sources.map(({ id }) => {
        const since = now.oldestWaits.get(id)?.at;
        const seconds = since === undefined ? 0 : Math.max(0, observatory.now(id) - since) / 1e6;
        return [{ source: id }, sights.hasWaits(id) ? seconds : null];
      }),
    );
  };
}

function placeOf({ source, kind }: LockTally) {
  return { source, kind };
}
