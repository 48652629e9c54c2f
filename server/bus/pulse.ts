import { wantedBy } from '../../shared/insights/attention.ts';
import type { Pulse, PulseRow } from '../../shared/wire/fleet/pulse.ts';
import { insightsBodyFrom } from '../../shared/wire/insights/insights-from-report.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Observatory } from '../watch/observatory.ts';

const MOST_ROWS = 200;
const MOST_VERDICTS = 50;
const MOST_HOLDERS = 3;

/** What the observer knows about itself. */
export type PulseFacts = Pick<Pulse, 'name' | 'run' | 'lastLine' | 'observer'>;

type Watched = Pick<Observatory, 'now' | 'sources' | 'locks' | 'tallies' | 'insights'>;

/** The pulse of what is watched now. */
export async function pulseOf(observatory: Watched, facts: PulseFacts, signal?: AbortSignal): Promise<Pulse> {
  const report = await observatory.insights({ open: true }, signal);
  const { insights } = insightsBodyFrom(report);
  const { locks, oldestWaits } = observatory.tallies();
  const sum = (field: 'locks' | 'held' | 'waiters') => locks.reduce((total, tally) => total + tally[field], 0);
  const oldest = [...oldestWaits.values()].map(({ at }) => at);
  return {
    v: 1,
    ...facts,
    at: observatory.now(),
    sources: observatory.sources(),
    counts: {
      locks: sum('locks'),
      held: sum('held'),
      waiting: sum('waiters'),
      oldestWait: oldest.length === 0 ? null : Math.min(...oldest),
    },
    verdicts: insights.slice(0, MOST_VERDICTS),
    more: Math.max(0, insights.length - MOST_VERDICTS) + report.more,
    rows: observatory.locks(0, MOST_ROWS).map(rowOf),
  };
}

function rowOf(lock: Lock): PulseRow {
  const { id, source, db, name, kind, held, holders } = lock;
  return {
    ...{ id, source, db, name, kind, held },
    since: holders[0]?.since ?? null,
    holders: holders.slice(0, MOST_HOLDERS).map(({ client, thread, name: connection, presence }) => {
      return { client, thread, name: connection, isGone: presence === 'gone' };
    }),
    waiters: wantedBy(lock),
  };
}
