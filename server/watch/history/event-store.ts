import { millisBetween, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { GroupFinder } from '../../../shared/events/groups/group-finder.ts';
import { regrouped } from '../../../shared/events/groups/regrouped.ts';
import { byAttention } from '../../../shared/insights/attention.ts';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import type { Report } from '../../../shared/insights/insight.ts';
import { causesOf, InsightBook, type InsightNews } from '../../../shared/insights/insight-book.ts';
import { wantedEvents } from '../../../shared/insights/run.ts';
import { BlindSpots } from '../../../shared/state/blind-spots.ts';
import { ClientStates } from '../../../shared/state/client-states.ts';
import { LetterBook } from '../../../shared/state/letters.ts';
import { countOf } from '../../../shared/state/lock-counts.ts';
import { idOf, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import type { Forgotten } from '../../../shared/state/replay/past-world.ts';
import { ServerStates } from '../../../shared/state/server-states.ts';
import { World } from '../../../shared/state/world.ts';
import { TrendCounter } from '../../../shared/trends/trend-counter.ts';
import type { Lock } from '../../../shared/wire/lock.ts';
import { lockView, presenceIn } from '../../../shared/wire/lock-view.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { isWatched } from '../../../shared/wire/watched.ts';
import { insightsOf, isWanted } from '../insights/insights-of.ts';
import { WantedEvents } from '../insights/wanted-events.ts';
import type { Observatory, ObservedBatch } from '../observatory.ts';
import type { UnreadLock } from '../reads/quarantine.ts';
import { inSlices, type Sliced } from '../slices/in-slices.ts';
import { firstOf } from '../slices/sorted.ts';
import { locksOf } from './client-page.ts';
import type { EvictedLock } from './evicted-locks.ts';
import { HistoryRing } from './history-ring.ts';
import { byName, lockPage, unwatched } from './lock-page.ts';
import { type MemoryShares, sharesOf } from './memory-shares.ts';
import type { MemoryUse } from './memory-use.ts';
import { pastAnswers } from './past-answers.ts';
import { sightsOf } from './trend-sights.ts';
import { UnreadLocks } from './unread-locks.ts';
import { WatchLog } from './watch-log.ts';

/** An answer about now is what the detectors found last, if that is not older than this. */
const RECENT_MS = 2500;
/** Client names kept for pages; clients that come and go all day would add up. */
const MOST_NAMES = 2000;

/** The questions that an observatory answers from memory alone, wherever its events come from. */
export type Answers = Pick<
  Observatory,
  | 'locks'
  | 'lockPage'
  | 'locksNamed'
  | 'lockById'
  | 'tallies'
  | 'countOf'
  | 'clientNames'
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
  | 'onBatch'
  | 'now'
>;

/** The memory of the main thread: all events (`history`), the current state, and the listeners to both. */
export type EventStore = {
  readonly history: HistoryRing;
  readonly answers: Answers;
  /**
   * Takes the facts that servers reported about themselves; passes on all other events, in stretches without a gap. Facts
   * are state, not something that happened to a lock, so they are not in the history.
   */
  withoutFacts(events: readonly LockEvent[]): Generator<readonly LockEvent[]>;
  /** Takes events, in order, with the `seq` of the process. */
  add(events: readonly LockEvent[]): void;
  /** Takes all locks of one source that are too large to be read. */
  setUnread(source: string, locks: readonly UnreadLock[]): void;
  /** Changes how much memory events and locks may take. */
  setRooms(shares: MemoryShares): void;
  /** The memory that events and locks take, estimated. `oldestAt`: about the Redis time of the oldest event. */
  memory(): MemoryUse;
  /** Runs all detectors as of `at`, after which nothing has happened yet; adds an event for each insight that opened or closed since the last call. */
  look(at: RedisTime): Sliced<void>;
  /** The number of locks that are held or waited for. */
  busyLocks(): number;
  /** Notes that a source changed; `sources` are all sources. */
  sourcesChanged(sources: readonly Source[]): void;
  /** The source, with the time since which it is not watched. */
  withSight(source: Source): Source;
  /** Drops locks of a source about which nothing more will be known. */
  forgetLocks(source: string, locks: readonly EvictedLock[]): void;
  /** Drops the current state of a source; its events stay. `isClosed`: the source is no longer watched. */
  forgetSource(source: string, isClosed?: boolean): void;
  /** Drops the current state of all sources; the events stay. */
  forgetWorld(): void;
};

/**
 * Creates an empty event store. `now` returns the Redis time of the given source, or of the first source. `longestMs`: how
 * long events are kept if there is room; absent: an hour.
 */
export function createEventStore(
  now: (source?: string) => RedisTime,
  rooms: MemoryShares = sharesOf(),
  longestMs?: number,
): EventStore {
  let { locksBytes } = rooms;
  const blind = new BlindSpots();
  const standing = () => ({ locks: [...world.busy()], blind: blind.all() });
  const history = new HistoryRing(rooms.historyBytes, standing, longestMs);
  const unread = new UnreadLocks();
  const clientStates = new ClientStates();
  const serverStates = new ServerStates();
  const presenceNow = presenceIn(clientStates);
  const listeners = new Set<(batch: ObservedBatch) => void>();
  const trends = new TrendCounter();
  const letters = new LetterBook();
  const watchLog = new WatchLog();
  const wanted = new WantedEvents(wantedEvents(DETECTORS));
  const book = new InsightBook();
  /** What the detectors found when they looked last. */
  let latest: Report | undefined;
  let world = new World({ mostBytes: locksBytes });
  let groups = new GroupFinder();

  function tell(batch: Partial<ObservedBatch>): void {
    const last = history.nextSeq() - 1;
    const none = { fromSeq: last + 1, toSeq: last, events: [], changed: [], gone: [], sourcesChanged: false };
    for (const listener of listeners) listener({ ...none, ...batch });
  }

  function view(id: string): Lock | undefined {
    const lock = world.get(id);
    return lock && viewOf(lock);
  }

  function viewOf(lock: LockState): Lock {
    return { ...unread.marked(lockView(lock, now(lock.source), presenceNow)), ...unwatched(blind, lock) };
  }

  function* viewsOf(locks: Iterable<LockState>): Generator<Lock> {
    for (const lock of locks) yield viewOf(lock);
  }

  function forgotten(gone: readonly string[], what: Omit<Forgotten, 'at' | 'afterSeq'>, batch = {}): void {
    history.forget({ ...what, at: now(what.source) });
    for (const id of gone) letters.forget(id);
    if (what.ids === undefined) clientStates.displace(what.source, now(what.source));
    trends.setWaits(world);
    tell({ gone, ...batch });
  }

  const { pageAt, ...past } = pastAnswers({
    history,
    trends,
    clientStates,
    serverStates,
    watchLog,
    wanted,
    world: () => world,
    now,
  });
  const answers: Answers = {
    ...past,
    now,
    async insights(query, signal) {
      const isRecent = latest && millisBetween(latest.at, now()) < RECENT_MS;
      const isOfOne = query.at !== undefined || query.lock !== undefined || (query.dumps?.size ?? 0) > 0;
      if (isOfOne || !latest || !isRecent) return past.insights(query, signal);
      return { ...latest, insights: latest.insights.filter((insight) => isWanted(insight, query)) };
    },
    locks(mostFree = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY) {
      const busy = firstOf(viewsOf(world.busy()), most, byAttention);
      const free = Math.min(mostFree, most - busy.length);
      return free > 0 ? [...busy, ...firstOf(world.free(), free, byName).map(viewOf)] : busy;
    },
    lockPage(query, signal) {
      const { at } = query;
      const present = { busy: world.busy(), free: world.free(), viewOf };
      return inSlices(at === undefined ? lockPage(present, query) : pageAt(at, query), signal);
    },
    locksNamed(name, where) {
      const found: Lock[] = [];
      for (const [id, lock] of world.entries()) {
        if (lock.name !== name) continue;
        if (where?.source !== undefined && where.source !== lock.source) continue;
        if (where?.db !== undefined && where.db !== lock.db) continue;
        const seen = view(id);
        if (seen) found.push(seen);
      }
      return found;
    },
    lockById: view,
    tallies: () => ({ locks: world.tallies(), oldestWaits: new Map(world.oldestWaits.entries()) }),
    countOf(id) {
      const lock = world.get(id);
      return lock && countOf(lock);
    },
    clientNames() {
      const newest = [...clientStates.clients()].slice(-MOST_NAMES);
      return Object.fromEntries(newest.flatMap(({ client, name }) => (name === null ? [] : [[client, name]])));
    },
    onBatch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  /** How far the clock of a source is ahead of the first source's, in µs; to 10 ms, because both are read one after the other. */
  function leadOf(source?: string): number {
    return Math.round((now(source) - now()) / 10_000) * 10_000;
  }

  function eventOf({ insight, detail }: InsightNews, at: RedisTime, seq: number): LockEvent {
    const { source, db, lock, lockId } = insight;
    const kind = (lockId === null ? undefined : world.get(lockId)?.kind) ?? 'lock';
    const about = {
      seq,
      at,
      source,
      db,
      lock: lock ?? '',
      kind,
      certainty: 'inferred',
      because: causesOf(insight),
    } as const;
    return { ...about, ...detail };
  }

  const store: EventStore = {
    history,
    answers,
    *look(at) {
      const time = (source?: string) => redisTime(at + leadOf(source));
      const of = { memory: history.remembered(), clientStates, serverStates, watchLog, wanted, world, now: time };
      const report = yield* insightsOf(of, {});
      latest = report;
      const firstSeq = history.nextSeq();
      const events = book.take(report).map((news, n) => eventOf(news, time(news.insight.source), firstSeq + n));
      if (events.length > 0) store.add(events);
    },
    busyLocks: () => world.busySize,
    *withoutFacts(events) {
      let begin = 0;
      for (const [n, event] of events.entries()) {
        if (event.type !== 'server.reported') continue;
        if (n > begin) yield events.slice(begin, n);
        serverStates.take(event);
        begin = n + 1;
      }
      if (begin < events.length) yield events.slice(begin);
    },
    add(events) {
      const fromSeq = history.nextSeq();
      const changed = new Set<string>();
      const gone = new Set<string>();
      const told: LockEvent[] = [];
      const met = new Set<string>();
      /** Corrects the group of earlier events: they belong together with this one, or turn out not to. */
      function regroup(by: LockEvent): void {
        for (const seq of by.groupSeqs ?? []) {
          const before = history.get(seq);
          if (!before) continue;
          const after = regrouped(before, by);
          history.amend(after);
          wanted.amend(after);
          if (seq >= fromSeq) told[seq - fromSeq] = after;
          const holder = 'holder' in after ? after.holder : undefined;
          const id = holder === undefined ? undefined : world.regroup(lockIdOf(after), holder, by.group);
          if (id !== undefined) changed.add(id);
        }
      }
      for (const found of events) {
        const id = lockIdOf(found);
        const lock = world.get(id);
        const event = letters.named(groups.take(found), id, lock);
        history.add(event, lock);
        wanted.take(event);
        told.push(event);
        if (event.groupSeqs) regroup(event);
        for (const client of clientStates.take(event)) met.add(client);
        serverStates.take(event);
        const effect = world.apply(event, id);
        trends.take(event, world);
        watchLog.take(event);
        if (blind.take(event))
          for (const lock of world.busy()) if (lock.source === event.source) changed.add(idOf(lock));
        if (effect.changed !== undefined) {
          changed.add(effect.changed);
          gone.delete(effect.changed);
        }
        for (const id of effect.evicted) {
          letters.forget(id);
          gone.add(id);
          changed.delete(id);
        }
      }
      if (met.size > 0) for (const id of locksOf(world, met)) changed.add(id);
      tell({ fromSeq, toSeq: history.nextSeq() - 1, events: told, changed: [...changed], gone: [...gone] });
    },
    setUnread(source, locks) {
      const changed = unread.set(source, locks);
      if (changed.length > 0) tell({ changed });
    },
    setRooms(shares) {
      locksBytes = shares.locksBytes;
      history.setRoom(shares.historyBytes);
      const gone = world.setRoom(locksBytes);
      for (const id of gone) letters.forget(id);
      if (gone.length > 0) tell({ gone });
    },
    memory: () => ({
      eventsBytes: history.bytes,
      locksBytes: world.bytes,
      locks: world.size,
      locksCapped: world.isCapped,
      oldestAt: history.oldestAt ?? null,
    }),
    sourcesChanged(sources) {
      if (sources.length > 0) trends.see(sightsOf(sources), now());
      watchLog.see(sources, now);
      tell({ sourcesChanged: true });
    },
    withSight: (source) => (isWatched(source) ? source : { ...source, ...unwatched(blind, { source: source.id }) }),
    forgetLocks(source, locks) {
      const gone = world.forget(locks.map(({ db, lock }) => lockIdOf({ source, db, lock })));
      if (gone.length > 0) forgotten(gone, { ids: gone });
    },
    forgetSource(source, isClosed = false) {
      unread.set(source, []);
      if (isClosed) blind.forget(source);
      if (isClosed) watchLog.forget(source);
      const mark = isClosed ? ({ isClosed } as const) : {};
      forgotten(world.forgetSource(source), { source, ...mark }, { sourcesChanged: true });
    },
    forgetWorld() {
      const gone = [...world.entries()].map(([id]) => id);
      world = new World({ mostBytes: locksBytes });
      groups = new GroupFinder();
      if (gone.length > 0) forgotten(gone, {});
    },
  };
  return store;
}
