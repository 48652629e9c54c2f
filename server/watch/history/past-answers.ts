import type { RedisTime } from '../../../shared/base/time.ts';
import type { ClientStates } from '../../../shared/state/client-states.ts';
import type { LockFilter } from '../../../shared/state/replay/lock-filter.ts';
import type { ServerStates } from '../../../shared/state/server-states.ts';
import type { World } from '../../../shared/state/world.ts';
import type { TrendCounter } from '../../../shared/trends/trend-counter.ts';
import { presenceIn } from '../../../shared/wire/lock-view.ts';
import { graphOf, insightsOf } from '../insights/insights-of.ts';
import type { WantedEvents } from '../insights/wanted-events.ts';
import type { Observatory } from '../observatory.ts';
import { inSlices, type Sliced } from '../slices/in-slices.ts';
import { type ClientPage, type ClientPageQuery, clientPage } from './client-page.ts';
import type { HistoryRing } from './history-ring.ts';
import { pastDetail, presentDetail } from './lock-detail.ts';
import { lockPage, pastLocks } from './lock-page.ts';
import type { LockPage, LockPageQuery } from './queries.ts';
import { rhythmOf } from './rhythm-of.ts';
import { spansOf } from './spans-of.ts';
import { traitsOf } from './traits-of.ts';
import { waitCostsOf } from './wait-costs-of.ts';
import type { WatchLog } from './watch-log.ts';
import { windowOf } from './window-of.ts';

/** The questions that need the history, not only the current state. */
export type PastAnswers = Pick<
  Observatory,
  | 'clientPage'
  | 'rhythm'
  | 'traits'
  | 'pastLocksNamed'
  | 'detail'
  | 'window'
  | 'trends'
  | 'spans'
  | 'insights'
  | 'graph'
  | 'waitCosts'
> & {
  /** One page of the locks as they were at an instant. */
  pageAt(at: RedisTime, query: LockPageQuery): Sliced<LockPage>;
};

type Memory = {
  readonly history: HistoryRing;
  readonly trends: TrendCounter;
  readonly clientStates: ClientStates;
  readonly serverStates: ServerStates;
  readonly watchLog: WatchLog;
  readonly wanted: WantedEvents;
  /** The present state. */
  world(): World;
  now(source?: string): RedisTime;
};

export function pastAnswers(of: Memory): PastAnswers {
  const { history, trends, clientStates, world, now } = of;
  function* locksAt(at: RedisTime, filter: LockFilter = {}) {
    const present = [...world().busy(), ...world().free()];
    return yield* pastLocks(history.remembered(), at, { present, presenceOf: presenceIn(clientStates, at), filter });
  }

  function* clientsAt(query: ClientPageQuery): Sliced<ClientPage> {
    const locks = query.at === undefined ? [...world().busy()] : (yield* locksAt(query.at)).busy;
    return yield* clientPage(clientStates, locks, query);
  }

  return {
    *pageAt(at, query) {
      return yield* lockPage(yield* locksAt(at), query);
    },
    clientPage: (query, signal) => inSlices(clientsAt(query), signal),
    rhythm: (query, signal) => inSlices(rhythmOf(history.remembered(), query), signal),
    traits: (query, signal) => {
      const sight = of.watchLog.sights(query.at).get(query.source);
      const { at: to = now(query.source), ...whose } = query;
      return inSlices(traitsOf(history.remembered(), { ...whose, to }, sight), signal);
    },
    async pastLocksNamed(name, where, at, signal) {
      const { busy, free, viewOf } = await inSlices(locksAt(at, { ...where, lock: name }), signal);
      return [...busy, ...free].map(viewOf);
    },
    async detail(lock, at, signal) {
      const memory = history.remembered();
      const present = world().get(lock.id);
      const presenceOf = presenceIn(clientStates, at);
      if (at !== undefined) return inSlices(pastDetail(lock, at, memory, { present, presenceOf }), signal);
      world().touch(lock.id);
      return inSlices(presentDetail(lock, present?.totals, memory), signal);
    },
    insights: (query, signal) => {
      const memory = history.remembered();
      return inSlices(insightsOf({ ...of, memory, world: world() }, query), signal);
    },
    graph: (query = {}, signal) => {
      const memory = history.remembered();
      return inSlices(graphOf({ ...of, memory, world: world() }, query), signal);
    },
    waitCosts: async (query, signal) => {
      const costs = await inSlices(waitCostsOf(history.remembered(), query), signal);
      return { ...costs, unseen: of.watchLog.unseenWaits(costs.from, costs.to) };
    },
    window: (query, signal) => inSlices(windowOf(history.remembered(), query, now(query.source)), signal),
    trends: ({ from, to, bins }) => ({ ...trends.bins(from, to, bins, now()), since: trends.since }),
    spans: (query, signal) => inSlices(spansOf(history.remembered(), query), signal),
  };
}
