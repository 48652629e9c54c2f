import { type Millis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import type { Report } from '../../../shared/insights/insight.ts';
import { causesOf, type InsightNews, InsightTracker } from '../../../shared/insights/insight-tracker.ts';
import { DetectorPass, listed } from '../../../shared/insights/pass/detector-pass.ts';
import { lockIdOf } from '../../../shared/state/lock-state.ts';
import type { Forgotten } from '../../../shared/state/replay/past-world.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { isWatched, isWholeRead } from '../../../shared/wire/watched.ts';
import type { Answers } from '../answers/answers.ts';
import { insightsBeside } from '../answers/insights-beside.ts';
import { type InsightMemory, presentInput } from '../answers/insights-of.ts';
import { answersFrom } from '../answers/present-answers.ts';
import type { HistoryRing } from '../history/history-ring.ts';
import { Memory, unwatched } from '../history/memory.ts';
import type { MemoryUse } from '../history/memory-use.ts';
import { restoreStanding, type Standing, standingOf } from '../history/standing-lines.ts';
import { sightsOf } from '../history/trend-sights.ts';
import { inSlices, type Sliced } from '../slices/in-slices.ts';
import type { EvictedLock } from '../terms/evicted-locks.ts';
import { type MemoryShares, sharesOf } from '../terms/memory-shares.ts';
import type { ObservedBatch } from '../terms/observed-batch.ts';
import type { UnreadLock } from '../terms/quarantine.ts';
import { ingest } from './ingest.ts';
import { SourceLags } from './source-lags.ts';

/** The events and locks of the main thread: takes new batches, answers requests, and calls the listeners. */
export class EventStore {
  readonly history: HistoryRing;
  readonly answers: Answers;
  readonly #memory: Memory;
  readonly #insights = new InsightTracker();
  readonly #listeners = new Set<(batch: ObservedBatch) => void>();
  readonly #pass = new DetectorPass(DETECTORS);
  readonly #lags: SourceLags;
  /** The insights of the last pass of the detectors. */
  #latest: Report | undefined;

  /**
   * `now` returns the Redis time of the given source, or of the first source. `longestMs`: how long events are kept if
   * there is room; absent: an hour. `lagOf`: by how much the events of a source are late; absent: they are not.
   */
  constructor(
    now: (source?: string) => RedisTime,
    rooms: MemoryShares = sharesOf(),
    longestMs?: number,
    lagOf: (source?: string) => Millis = () => 0,
  ) {
    this.#memory = new Memory(now, rooms, longestMs);
    this.#lags = new SourceLags(lagOf);
    this.history = this.#memory.history;
    const answers = answersFrom(this.#memory);
    this.answers = {
      ...answers,
      insights: async (query, signal) => {
        const latest = this.#latest;
        if (query.isFresh || query.at !== undefined || !latest) return answers.insights(query, signal);
        const known = { ...latest, insights: this.#pass.insights };
        return inSlices(
          insightsBeside(this.#seen(now), known, query, (id) => this.#pass.has(id)),
          signal,
        );
      },
      onBatch: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  /** Takes events, in order, with the `seq` of the process. */
  add(events: readonly LockEvent[]): void {
    this.#emit(ingest(this.#memory, events));
  }

  /** Takes events that were taken before: they have their letters and groups. */
  addAgain(events: readonly LockEvent[]): void {
    this.#emit(ingest(this.#memory, events, true));
  }

  /**
   * Takes the facts that servers reported about themselves; passes on all other events, in ranges without a gap. Facts
   * are state, not something that happened to a lock, so they are not in the history.
   */
  *withoutFacts(events: readonly LockEvent[]): Generator<readonly LockEvent[]> {
    let begin = 0;
    for (const [n, event] of events.entries()) {
      if (event.type !== 'server.reported') continue;
      if (n > begin) yield events.slice(begin, n);
      this.#memory.serverStates.take(event);
      begin = n + 1;
    }
    if (begin < events.length) yield events.slice(begin);
  }

  /**
   * Runs all detectors as of `at`, before any later event is added. For a source that is late, they run as of an
   * instant that is earlier by its lag. Adds an event for each insight that opened or closed since the last call. `of`:
   * the source that has an event at that instant.
   */
  *look(at: RedisTime, of?: string): Sliced<void> {
    const behind = new Map<string | undefined, Millis>();
    const now = (source?: string) => {
      const ms = behind.get(source) ?? this.#lags.behind(source, at, of);
      behind.set(source, ms);
      return redisTime(at + this.#leadOf(source) - ms * 1000);
    };
    this.#memory.attention.settle();
    if (!(yield* this.#pass.run(presentInput(this.#seen(now), at), this.#memory.changes.take()))) return;
    const { insights, cannotTell, failed } = this.#pass;
    const report = { at, ...listed(insights), cannotTell, failed };
    this.#latest = report;
    const firstSeq = this.history.nextSeq();
    const news = this.#insights.take(report);
    const events = news.map((each, n) => this.#eventOf(each, now(each.insight.source), firstSeq + n));
    if (events.length > 0) this.add(events);
  }

  /** How many locks the next look goes through, at least. */
  changedLocks(): number {
    return this.#memory.changes.locks;
  }

  /** The state after the newest event. */
  standing(): Standing {
    return standingOf(this.#memory);
  }

  /** Continues from a state that `standing` took. */
  *restore(text: string, at: RedisTime): Sliced<void> {
    yield* restoreStanding(this.#memory, text, at);
  }

  /** Takes all known locks of one source that are not read, or not completely. */
  setUnread(source: string, locks: readonly UnreadLock[]): void {
    const changed = this.#memory.unread.set(source, locks);
    if (changed.length > 0) this.#emit({ changed });
  }

  /** Changes how much memory events and locks may take. */
  setRooms(shares: MemoryShares): void {
    const gone = this.#memory.setRooms(shares);
    for (const id of gone) this.#memory.letters.forget(id);
    this.#memory.locksChanged(gone);
    if (gone.length > 0) this.#emit({ gone });
  }

  /** The memory that events and locks take, estimated. `oldestAt`: the Redis time to which memory goes back. */
  memory(): MemoryUse {
    const { history, world } = this.#memory;
    return {
      eventsBytes: history.bytes,
      locksBytes: world.bytes,
      locks: world.size,
      locksHeld: world.tallies().reduce((sum, { held }) => sum + held, 0),
      locksCapped: world.isCapped,
      oldestAt: history.oldestAt ?? null,
    };
  }

  /** Notes that a source changed; `sources` are all sources. */
  sourcesChanged(sources: readonly Source[]): void {
    const { trends, watchLog, world, now } = this.#memory;
    if (sources.length > 0) trends.see(sightsOf(sources), now());
    const changedSources = new Set(watchLog.see(sources, now));
    this.#noteBegin(sources);
    const changed: string[] = [];
    if (changedSources.size > 0)
      for (const [id, { source }] of world.entries()) if (changedSources.has(source)) changed.push(id);
    this.#emit({ changed, sourcesChanged: true });
  }

  /** The source, with the instant since which it has been watched at the same level, or has not been watched. */
  withSight(source: Source): Source {
    if (!isWatched(source)) return { ...source, ...unwatched(this.#memory.blind, { source: source.id }) };
    const watchedSince = this.#memory.watchLog.sights().get(source.id)?.watchedSince;
    return watchedSince === undefined ? source : { ...source, watchedSince };
  }

  /** Drops locks of a source about which nothing more will be known. */
  forgetLocks(source: string, locks: readonly EvictedLock[]): void {
    this.forgetIds(locks.map(({ db, lock }) => lockIdOf({ source, db, lock })));
  }

  /** Drops locks about which nothing more will be known. */
  forgetIds(ids: readonly string[]): void {
    const gone = this.#memory.world.forget(ids);
    if (gone.length > 0) this.#forgotten(gone, { ids: gone });
  }

  /** Drops the current state of a source; its events stay. `isClosed`: the source is no longer watched. */
  forgetSource(source: string, isClosed = false): void {
    const { unread, blind, watchLog, world } = this.#memory;
    unread.set(source, []);
    if (isClosed) blind.forget(source);
    if (isClosed) watchLog.forget(source);
    const mark = isClosed ? ({ isClosed } as const) : {};
    this.#forgotten(world.forgetSource(source), { source, ...mark }, { sourcesChanged: true });
  }

  /** Drops the current state of all sources; the events stay. */
  forgetWorld(): void {
    const gone = this.#memory.forgetWorld();
    this.#latest = undefined;
    if (gone.length > 0) this.#forgotten(gone, {});
  }

  /**
   * Sets the instant at which memory begins while it has no event: now, once all locks of a source have been read.
   * Recordings have a beginning of their own.
   */
  #noteBegin(sources: readonly Source[]): void {
    if (this.history.oldestAt !== undefined) return;
    const read = sources.filter((source) => source.recording === undefined && isWholeRead(source));
    if (read.length > 0) this.history.beginAt(redisTime(Math.min(...read.map(({ id }) => this.#memory.now(id)))));
  }

  #emit(batch: Partial<ObservedBatch>): void {
    const last = this.history.nextSeq() - 1;
    const none = { fromSeq: last + 1, toSeq: last, events: [], changed: [], gone: [], sourcesChanged: false };
    for (const listener of this.#listeners) listener({ ...none, ...batch });
  }

  #forgotten(gone: readonly string[], what: Omit<Forgotten, 'at' | 'afterSeq'>, batch = {}): void {
    const { history, letters, clientStates, trends, outlines, world, now } = this.#memory;
    history.forget({ ...what, at: now(what.source) });
    outlines.endAll(now(what.source), what.source, what.ids);
    for (const id of gone) letters.forget(id);
    this.#memory.locksChanged(gone);
    if (what.ids === undefined) {
      this.#memory.changes.client(clientStates.displace(what.source, now(what.source)));
    }
    trends.setWaits(world);
    this.#emit({ gone, ...batch });
  }

  #seen(now: (source?: string) => RedisTime): InsightMemory {
    const { clientStates, serverStates, watchLog, wanted, world } = this.#memory;
    return { memory: this.history.remembered(), clientStates, serverStates, watchLog, wanted, world, now };
  }

  /**
   * How far the clock of a source is ahead of the first source's, in µs. It is rounded to 10 ms, because the two clocks
   * are read one after the other.
   */
  #leadOf(source?: string): number {
    const { now } = this.#memory;
    return Math.round((now(source) - now()) / 10_000) * 10_000;
  }

  #eventOf({ insight, detail }: InsightNews, at: RedisTime, seq: number): LockEvent {
    const { source, db, lock, lockId } = insight;
    const kind = (lockId === null ? undefined : this.#memory.world.get(lockId)?.kind) ?? 'lock';
    const about = { seq, at, source, db, lock: lock ?? '', kind, certainty: 'inferred' } as const;
    return { ...about, because: causesOf(insight), ...detail };
  }
}
