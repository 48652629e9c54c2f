import type { ServerRole } from '../../../shared/base/server-role.ts';
import { nodeOf } from '../../../shared/base/topology-url.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { monitorProblem, NotPermitted, RedisProblem, refusedLevel } from '../../redis/connection/problem.ts';
import { RedisError } from '../../redis/connection/resp-scanner.ts';
import type { RefusedRights } from '../../redis/rights/refused-rights.ts';
import type { Streamed } from '../../redis/stream/bookmark-gate.ts';
import type { FeedSink } from '../../redis/stream/feed-sink.ts';
import { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { RedisClock } from '../../redis/stream/redis-clock.ts';
import { Unanswered } from '../../redis/stream/unanswered.ts';
import { HiddenScripts } from '../guard/hidden-scripts.ts';
import { KeyReader } from '../reads/key-reader.ts';
import type { ReadingMemory } from '../reads/reading-memory.ts';
import { isOfFields, keyEventSource, patternsFor } from '../terms/levels.ts';
import { hasCaughtUp, pollClients } from './client-poll.ts';
import { EffectReader } from './effect-reader.ts';
import type { FailoverDetector } from './failover-detector.ts';
import type { GuardedLevel } from './guarded-level.ts';
import { LevelChange } from './level-switch.ts';
import { MasterChange, NOT_MASTER, newRole } from './master-change.ts';
import type { NotificationSetting } from './notification-setting.ts';
import { Periodic, type Repeated } from './periodic.ts';
import { ServerPoll } from './poll/server-poll.ts';
import { asArrival, isForAnotherShard, readMigratingKeys } from './slot-traffic.ts';
import { BEAT_EVERY_MS } from './source-lag.ts';
import type { SourceReports } from './source-reports.ts';
import { recordedSource } from './source-status.ts';
import type { SourceStream } from './source-stream.ts';
import { whileWaiting } from './while-waiting.ts';
import type { Place, SourceOptions } from './worker-messages.ts';

const CLIENTS_EVERY_MS = 5000;
const STATUS_EVERY_MS = 1000;
const SERVER_EVERY_MS = 2000;
/**
 * Refused commands are tried again this often. Commands whose lack hides only details are tried at every
 * `DETAILS_EVERY`th of these times, and refused levels at every `LEVELS_EVERY`th.
 */
const RIGHTS_EVERY_MS = 5000;
const DETAILS_EVERY = 10;
const LEVELS_EVERY = 2;

/** What a source keeps from one connection to the next. */
export type SourceParts = {
  readonly options: SourceOptions;
  readonly stream: SourceStream;
  readonly guarded: GuardedLevel;
  readonly notifications: NotificationSetting;
  readonly detector: FailoverDetector;
  readonly reading: ReadingMemory;
  readonly clock: RedisClock;
  readonly rights: RefusedRights;
  readonly reports: SourceReports;
  /** A connection has read a whole round of keys. */
  onFirstRound(): void;
  isStopped(): boolean;
};

/**
 * One connection of a source, at one level. `run` opens it and keeps the stream, the reads and the measurements
 * going; it settles with the reason when the connection has to end.
 *
 *   connect ─► may it be watched, at this level? ─► subscribe, MONITOR ─► flow ─► (cut, another level, another master)
 */
export class SourceConnection {
  /** The server, with the slots that it serves now. */
  place: Place;
  feed: OrderedFeed | undefined;
  reader: KeyReader | undefined;
  /** Present at level `replication` while the stream flows. */
  #effects: EffectReader | undefined;
  readonly #parts: SourceParts;
  readonly #level: ObserveLevel;
  readonly #scripts = new HiddenScripts();
  readonly #periodic = new Periodic();
  readonly #unanswered = new Unanswered();
  readonly #ended: Promise<unknown>;
  readonly #end: (reason: unknown) => void;
  /** Present while the stream flows. */
  #clientList: Repeated | undefined;
  #server: { readonly poll: ServerPoll; readonly turns: Repeated } | undefined;

  constructor(parts: SourceParts, place: Place) {
    this.#parts = parts;
    this.place = place;
    this.#level = parts.guarded.levels.level;
    let end = (_reason: unknown): void => undefined;
    this.#ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
  }

  /** Ends the connection with the reason given; only the first reason counts. */
  end(reason: unknown): void {
    this.#end(reason);
  }

  /** Asks for the list of clients earlier than in its turn. */
  listClientsSoon(afterMs: number): void {
    this.#clientList?.soon(afterMs);
  }

  /** Returns why the connection ended. Rejects with the reason if watching cannot begin. */
  async run(): Promise<unknown> {
    const { options, stream, guarded, detector, reports } = this.#parts;
    const { place } = this;
    const level = this.#level;
    const feed = await this.#patiently(this.#connect());
    this.feed = feed;
    if (options.topology !== 'single' && feed.capabilities.role === 'replica') throw new Error(NOT_MASTER);
    await this.#patiently(guarded.judge(feed, level));
    await this.#patiently(this.#begin(feed));
    const failover = await detector.meetServer(feed, nodeOf(place.server));
    await detector.measure(feed);
    const cutAt = failover ? undefined : stream.blindSince;
    stream.beginSight(recordedSource(options, place, feed, level), feed.startedAt, {
      failover,
      clockOffset: feed.clockOffset + feed.setBack,
    });
    this.reader = this.#newReader(feed);
    if (level === 'replication') this.#effects = new EffectReader(this.#parts, feed, this.reader);
    feed.flow();
    reports.connected(feed);
    reports.status.status = 'observing';
    reports.status.problem = undefined;
    reports.report();
    this.reader.run().catch(this.#end);
    this.#repeat(feed);
    if (cutAt !== undefined) this.#server?.poll.wasCut({ from: cutAt, to: feed.startedAt });
    return this.#ended;
  }

  close(): void {
    this.#periodic.stop();
    this.reader?.stop();
    this.feed?.close();
  }

  #connect(): Promise<OrderedFeed> {
    const { options, stream, reports, clock, rights } = this.#parts;
    const sink: FeedSink = {
      onSignal: (signal) => this.#hear(signal),
      onEffects: (group) => {
        this.reader?.noteChange();
        this.#effects?.take(group);
      },
      onQuiet: () => stream.pipeline.settle(),
      onBeat: () => {
        stream.pipeline.settle();
        reports.beatHeard();
      },
      onHole: (hole) => {
        this.#server?.poll.hole(hole);
        this.#server?.turns.soon(0);
      },
      onRejected: (reason) => reports.status.reject(reason),
      onOtherRole: (role) => this.#changeRole(role),
      onInvalidated: (name) => this.reader?.invalidated(name),
      onClose: (reason) => this.end(this.#meaningOf(reason)),
    };
    const permits = { rights, match: options.match };
    return OrderedFeed.connect(this.place.server, this.#level, stream.lineReader, sink, permits, clock);
  }

  /** Begins the stream. If Redis does not permit the level, the level below follows. */
  async #begin(feed: OrderedFeed): Promise<void> {
    const { options, guarded, notifications } = this.#parts;
    const { levels } = guarded;
    const level = this.#level;
    const { canMonitor } = feed.capabilities;
    if (level === 'monitor' && !canMonitor) throw levels.refuse(monitorProblem(feed.capabilities));
    await notifications.prepare(feed, this.place.server, level);
    try {
      const patterns = patternsFor(level, feed.capabilities, options.match);
      await feed.start(patterns.filter((pattern) => !isOfFields(pattern)));
      // A user may lack the right to these channels only: then every change of a lock is read.
      await feed.listen(patterns.filter(isOfFields));
    } catch (error) {
      if (level === 'replication') throw this.#meaningOf(error);
      const isRefused = error instanceof RedisError && error.code === 'NOPERM' && level !== 'snapshot';
      throw isRefused ? levels.refuse(refusedLevel(error, feed.capabilities)) : error;
    }
  }

  /** If the replication stream must not be read, the level below follows. */
  #meaningOf(reason: unknown): unknown {
    if (reason instanceof NotPermitted) return reason; // the level below needs the same rights
    const isRefused = this.#level === 'replication' && reason instanceof RedisProblem;
    return isRefused ? this.#parts.guarded.levels.stepDown(reason.problem) : reason;
  }

  #newReader(feed: OrderedFeed): KeyReader {
    const { options, stream, reading, onFirstRound } = this.#parts;
    return new KeyReader(feed, stream.pipeline.interpreter, {
      level: this.#level,
      match: options.match,
      ownDb: this.place.server.db,
      keyEvents: keyEventSource(this.#level, feed.capabilities),
      memory: reading,
      onFirstRound,
    });
  }

  #hear(streamed: Streamed): void {
    const { stream, guarded, detector, reports } = this.#parts;
    const isEvent = this.#level === 'events' && streamed !== 'other' && streamed.kind === 'push';
    const signal = isEvent ? asArrival(streamed, this.place.slots) : streamed;
    if (signal === 'other' || signal.kind === 'lost-line') return stream.pipeline.add(signal);
    this.reader?.noteChange();
    if (signal.kind === 'line' && signal.client !== null && detector.isServer(signal.client)) {
      return this.end(new MasterChange(NOT_MASTER)); // commands from its former replica: the replica is the master now
    }
    const hidden = signal.kind === 'line' ? this.#scripts.hidden(signal) : 0;
    if (hidden > 0) {
      return this.end(guarded.levels.stepDown(problem('monitor-without-scripts', { calls: hidden })));
    }
    if (signal.kind === 'push' && isForAnotherShard(signal, this.place.slots)) return;
    if (signal.kind === 'bookmark') this.#effects?.read(signal);
    stream.pipeline.add(signal.kind === 'bookmark' ? (this.reader?.withChanges(signal) ?? signal) : signal);
    if (signal.kind === 'bookmark') reports.status.snapshotAt = signal.at;
    if (signal.kind === 'push') this.reader?.heard(signal);
    if (signal.kind === 'line' && this.reader) readMigratingKeys(signal, stream.pipeline.interpreter.keys, this.reader);
  }

  /** Starts the periodic work of a flowing stream. */
  #repeat(feed: OrderedFeed): void {
    const { stream, reports } = this.#parts;
    this.#clientList = this.#periodic.every(CLIENTS_EVERY_MS, () => this.#listClients(feed));
    this.#periodic.every(BEAT_EVERY_MS, async () => {
      feed.beat();
      const news = this.#unanswered.look(feed);
      if (news) stream.pipeline.add(news);
      reports.beat(feed);
    });
    let turns = 0;
    this.#periodic.every(RIGHTS_EVERY_MS, async () => {
      // The first turn comes at once, and everything has just been tried.
      if (turns++ === 0) return;
      if (await feed.retryRefused(turns % DETAILS_EVERY === 0)) this.reader?.lookAround();
      if (turns % LEVELS_EVERY === 0) await this.#parts.guarded.retryRefused(this.place);
    });
    this.#periodic.every(STATUS_EVERY_MS, () => this.#measure(feed));
    const poll = new ServerPoll(feed, stream.pipeline.interpreter, (text, askedAt) => {
      this.reader?.heardStats(text);
      if (this.#level === 'monitor') this.#scripts.heardStats(text, askedAt, feed.now());
    });
    this.#server = { poll, turns: this.#periodic.every(SERVER_EVERY_MS, () => this.#askServer(feed, poll)) };
  }

  async #askServer(feed: OrderedFeed, server: ServerPoll): Promise<void> {
    const signal = await server.ask();
    if (signal && (await hasCaughtUp(feed))) this.#parts.stream.pipeline.add(this.#unanswered.with(signal));
  }

  async #listClients(feed: OrderedFeed): Promise<void> {
    const { stream, guarded, reports } = this.#parts;
    const poll = await pollClients(feed, stream.pipeline);
    if (!poll) return;
    reports.status.hasTooManyClients = poll.isTooLong;
    if (!poll.isTooLong) guarded.hearBuffer(poll.bufferedBytes);
  }

  /** Measures the harm of MONITOR and the lag of the replicas, and notices a changed setting or role. */
  async #measure(feed: OrderedFeed): Promise<void> {
    const { options, guarded, notifications, detector, reports } = this.#parts;
    // All are sent together, the time of Redis first: its reply must not be late.
    const [, isHarmless, , hasChanged] = await Promise.all([
      reports.status.measure(feed),
      guarded.measure(feed),
      detector.measure(feed),
      notifications.hasChanged(feed, this.#level, options.match),
    ]);
    if (!isHarmless) return;
    reports.status.notice = notifications.notice;
    if (hasChanged) return this.end(new LevelChange('notify-keyspace-events was changed'));
    const role = newRole(detector, feed);
    if (role) return this.#changeRole(role);
    reports.status.replicas = detector.replicas;
    reports.reportMeasured();
  }

  #changeRole(role: ServerRole): void {
    const { options, guarded } = this.#parts;
    if (role === 'master') guarded.levels.goTo({ level: options.level, forMs: null, isForced: false });
    this.end(new MasterChange(role === 'master' ? 'it is a master now' : NOT_MASTER));
  }

  /** Waits for `job`. A server that takes longer than 0.8 s is reported as not answering. */
  #patiently<T>(job: Promise<T>): Promise<T> {
    const { isStopped, reports } = this.#parts;
    return whileWaiting(job, (waitedMs) => {
      if (!isStopped()) reports.silent(waitedMs);
    });
  }
}
