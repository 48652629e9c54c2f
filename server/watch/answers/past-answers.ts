import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { BlindSpot } from '../../../shared/state/blind-spots.ts';
import type { LockFilter } from '../../../shared/state/replay/lock-filter.ts';
import { presenceIn } from '../../../shared/wire/locks/lock-view.ts';
import type { Memory } from '../history/memory.ts';
import { inSlices, type Sliced } from '../slices/in-slices.ts';
import type { LockPage, LockPageQuery } from '../terms/queries.ts';
import type { Answers } from './answers.ts';
import { type ClientPage, type ClientPageQuery, clientPage } from './client-page.ts';
import { graphOf, insightsOf } from './insights-of.ts';
import { pastDetail, presentDetail } from './lock-detail.ts';
import { lockPage, pastLocks } from './lock-page.ts';
import { outlineOf } from './outline-of.ts';
import { rhythmOf } from './rhythm-of.ts';
import { spansOf } from './spans-of.ts';
import { traitsOf } from './traits-of.ts';
import { waitCostsOf } from './wait-costs-of.ts';
import { windowOf } from './window-of.ts';

/** Answers the requests that need the history, not only the current state. */
export function pastAnswers(memory: Memory) {
  const { history, trends, clientStates, serverStates, watchLog, wanted, now } = memory;
  const seen = () => ({
    ...{ memory: history.remembered(), clientStates, serverStates, watchLog, wanted, now },
    world: memory.world,
  });

  const knownAt = (at: RedisTime | undefined) => ({
    presenceOf: presenceIn(clientStates, at),
    gapsOf: (source: string) => watchLog.gaps(source, at),
    silentSince: (source: string) => watchLog.silentSince(source, at),
  });

  function* locksAt(at: RedisTime, filter: LockFilter = {}) {
    const present = [...memory.world.busy(), ...memory.world.free()];
    return yield* pastLocks(history.remembered(), at, { present, ...knownAt(at), filter });
  }

  function* clientsAt(query: ClientPageQuery): Sliced<ClientPage> {
    const locks = query.at === undefined ? [...memory.world.busy()] : (yield* locksAt(query.at)).busy;
    return yield* clientPage(clientStates, locks, query);
  }

  return {
    /** One page of the locks as they were at an instant. */
    *pageAt(at: RedisTime, query: LockPageQuery): Sliced<LockPage> {
      return yield* lockPage(yield* locksAt(at), query);
    },
    clientPage: (query, signal) => inSlices(clientsAt(query), signal),
    rhythm: (query, signal) => inSlices(rhythmOf(history.remembered(), query), signal),
    traits: (query, signal) => {
      const sight = watchLog.sights(query.at).get(query.source);
      const { at: to = now(query.source), ...whose } = query;
      return inSlices(traitsOf(history.remembered(), { ...whose, to }, sight), signal);
    },
    async pastLocksNamed(name, where, at, signal) {
      const { busy, free, viewOf } = await inSlices(locksAt(at, { ...where, lock: name }), signal);
      return [...busy, ...free].map(viewOf);
    },
    async detail(lock, at, signal) {
      const remembered = history.remembered();
      const present = memory.world.get(lock.id);
      if (at !== undefined) return inSlices(pastDetail(lock, at, remembered, { present, ...knownAt(at) }), signal);
      memory.world.touch(lock.id);
      return inSlices(presentDetail(lock, present?.totals, remembered), signal);
    },
    insights: (query, signal) => inSlices(insightsOf(seen(), query), signal),
    graph: (query = {}, signal) => inSlices(graphOf(seen(), query), signal),
    waitCosts: async (query, signal) => {
      const costs = await inSlices(waitCostsOf(history.remembered(), query), signal);
      return { ...costs, unseen: watchLog.unseenWaits(costs.from, costs.to) };
    },
    window: async (query, signal) => {
      const window = await inSlices(windowOf(history.remembered(), query, now(query.source)), signal);
      const isShown = ({ source }: BlindSpot) => (query.source ?? source) === source && !isBlind(source);
      const isBlind = (source: string) => window.blind.some((spot) => spot.source === source);
      return { ...window, blind: [...window.blind, ...watchLog.silent(redisTime(window.from)).filter(isShown)] };
    },
    trends: async ({ from, to, bins }) => {
      // If an observer is silent, the clock of its source has stopped. The time since then counts as not watched.
      const until = watchLog.silent().length > 0 ? redisTime(Math.max(to, now())) : now();
      return { ...trends.bins(from, to, bins, until), since: trends.since };
    },
    unseenAt: async (at) => watchLog.unseenAt(at),
    watchedFrom: () => watchLog.watchedFrom(),
    outline: (query, signal) => inSlices(outlineOf(memory, query), signal),
    spans: (query, signal) => inSlices(spansOf(history.remembered(), query), signal),
  } satisfies Partial<Answers> & { readonly pageAt: unknown };
}
