import { isDeepStrictEqual } from 'node:util';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { nodeOf } from '../../../shared/base/topology-url.ts';
import { showOwnLocks } from '../../../shared/events/apply/own-locks.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { monitorProblem, problemFromError } from '../../redis/problem.ts';
import type { Streamed } from '../../redis/stream/bookmark-gate.ts';
import { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { RedisError } from '../../redis/stream/resp-scanner.ts';
import type { MemoryShares } from '../history/memory-shares.ts';
import { ownLocksOf } from '../history/own-locks.ts';
import { KeyReader } from '../reads/key-reader.ts';
import type { UnreadLock } from '../reads/quarantine.ts';
import { ReadingMemory } from '../reads/reading-memory.ts';
import type { RecordingCut } from '../recording/recording-sink.ts';
import { pollClients } from './client-poll.ts';
import { FailoverDetector } from './failover-detector.ts';
import { GuardedLevel } from './guarded-level.ts';
import { LevelChange, type LevelSwitch, type LevelWish } from './level-switch.ts';
import { keyEventSource, patternsFor } from './levels.ts';
import { MasterChange, NOT_MASTER, newRole } from './master-change.ts';
import { NotificationSetting } from './notification-setting.ts';
import { Periodic } from './periodic.ts';
import { RetryPause } from './retry-pause.ts';
import { isForAnotherShard, readMigratingKeys } from './slot-traffic.ts';
import { BEAT_EVERY_MS, monotonicMs } from './source-lag.ts';
import { recordedSource, SourceStatus } from './source-status.ts';
import { SourceWalk } from './source-walk.ts';
import { whileWaiting } from './while-waiting.ts';
import type { FromWorker, Place, SourceOptions } from './worker-messages.ts';

const CLIENTS_EVERY_MS = 5000;
const STATUS_EVERY_MS = 1000;
/** CLIENT LIST is asked this soon after an unknown client appears, so that a waiter is shown by name. */
const NEWCOMER_MS = 200;

/**
 * Watches one source until it is stopped: connects, takes the first snapshot, and keeps the stream and the snapshots
 * going. After a cut it reconnects, with a blind spot of known length. If another server has become the master, it
 * connects to that one.
 *
 *   connecting ─► observing ─► (cut, another level, another master) ─► reconnecting ─► observing …
 */
export class SourceRunner {
  readonly #options: SourceOptions;
  readonly #post: (message: FromWorker) => void;
  readonly #walk: SourceWalk;
  readonly #guarded: GuardedLevel;
  readonly #levels: LevelSwitch;
  readonly #status: SourceStatus;
  readonly notifications: NotificationSetting;
  readonly #retry = new RetryPause();
  readonly #periodic = new Periodic();
  readonly #memory = new FailoverDetector();
  readonly #reading = new ReadingMemory();
  #place: Place | null;
  /** Ends the current connection with the reason given. */
  #end: (reason: unknown) => void = () => {};
  #feed: OrderedFeed | undefined;
  #reader: KeyReader | undefined;
  /** Unread locks as last reported. */
  #hasBeat = false;
  #unread: readonly UnreadLock[] = [];
  #isStopped = false;
  /** This machine's time of the first failed attempt to connect, in ms; undefined once one has succeeded. */
  #missedSince: number | undefined;

  constructor(options: SourceOptions, post: (message: FromWorker) => void) {
    this.#options = options;
    this.#place = options.place;
    this.#guarded = new GuardedLevel(options.level, options.hasBudget);
    this.#levels = this.#guarded.levels;
    this.#status = new SourceStatus(options);
    this.#post = post;
    this.notifications = new NotificationSetting(post);
    this.#walk = new SourceWalk(options, {
      onEvents: (events) => {
        this.#status.count(events);
        post({ type: 'events', events });
      },
      onRecorded: (part) => post({ type: 'recorded', post: part }),
      onKey: (key) => this.#reader?.known(key),
      onDoubt: (key) => this.#reader?.doubt(key),
      onUnseen: () => this.#reader?.lookAround(),
      onEvicted: (locks) => post({ type: 'evicted', locks }),
    });
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    const startedAt = Date.now();
    this.#report();
    while (!this.#isStopped) {
      const place = this.#place;
      const lost = place
        ? await this.#watchOnce(place, this.#levels.level).catch((error: unknown) => error)
        : undefined;
      const isMeant = lost instanceof LevelChange || lost instanceof MasterChange;
      if (!isMeant) this.#guarded.lost(this.#status.status === 'observing' ? this.#feed : undefined);
      this.#endWatch();
      if (this.#isStopped) break;
      if (isMeant) {
        await this.#retry.change();
        continue;
      }
      if (place) {
        this.#missedSince ??= startedAt;
        this.#status.problem = this.#problemFrom(lost);
        this.#status.status = this.#walk.isBlind ? 'reconnecting' : 'failed';
      }
      await this.#retry.rest((ms) => {
        this.#status.nextTryMs = place ? Math.round(ms) : undefined;
        this.#report();
      });
      this.#status.nextTryMs = undefined;
    }
  }

  /**
   * Returns since when the server could not be reached, and clears that time; undefined if the first attempt to connect
   * succeeded.
   */
  #missedFrom(feed: OrderedFeed): RedisTime | undefined {
    const since = this.#missedSince;
    this.#missedSince = undefined;
    return since === undefined ? undefined : redisTime(Math.min(feed.startedAt, since * 1000 + feed.clockOffset));
  }

  /** Sets the master that Sentinels or the cluster report. `problem`: why they report none. */
  moveTo(place: Place | null, problem: Problem | null): void {
    const before = this.#place;
    this.#place = place ?? before;
    if (problem && this.#status.status !== 'observing') {
      this.#status.problem = problem;
      this.#report();
    }
    if (!place) return;
    if (before && nodeOf(before.server) === nodeOf(place.server)) {
      if (JSON.stringify(before.slots) !== JSON.stringify(place.slots)) this.#reader?.lookAround();
      return;
    }
    this.#retry.reset();
    this.#retry.end();
    this.#end(new MasterChange(`${nodeOf(place.server)} is the master now`));
  }

  /** Switches the level. Resolves to a problem if that is refused; a newer request replaces this one. */
  async observe(wish: LevelWish): Promise<Problem | null> {
    if (this.#status.problem) return this.#status.problem;
    const problem = await this.#guarded.wish(wish, this.#place, (error) => this.#problemFrom(error));
    this.#report();
    return problem;
  }

  linesOf(seq: number): string[] | undefined {
    return this.#walk.pipeline.linesOf(seq);
  }

  /** Changes how much memory it may use. */
  setRooms(memory: MemoryShares): void {
    this.#walk.setRooms(memory);
  }

  /** Shows keys that look like an application's own locks as locks, or stops showing them. */
  showOwnLocks(shown: boolean): void {
    showOwnLocks(this.#walk.pipeline.interpreter, shown);
    this.#report();
  }

  /** The part of a stretch of time that is in memory, as a recording; `undefined` if none of it is. */
  recordingOf(
    from: number | undefined,
    to: number | undefined,
    signal: AbortSignal,
  ): Promise<RecordingCut | undefined> {
    return this.#walk.recording.cut(from, to, this.#feed?.now(), signal);
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#levels.stop();
    this.#walk.end(this.#feed?.now());
    this.#endWatch();
    this.#retry.end();
  }

  /** Runs one connection at one level. Returns why it ended. */
  async #watchOnce(place: Place, level: ObserveLevel): Promise<unknown> {
    let ended: (reason: unknown) => void = () => {};
    const end = new Promise<unknown>((resolve) => {
      ended = resolve;
    });
    this.#levels.onChange = ended;
    this.#end = ended;
    const feed = await this.#patiently(this.#connect(place, level, ended));
    this.#feed = feed;
    if (this.#options.topology !== 'single' && feed.capabilities.role === 'replica') throw new Error(NOT_MASTER);
    await this.#patiently(this.#guarded.judge(feed, level));
    await this.#patiently(this.#begin(place, feed, level));
    const failover = await this.#memory.meet(feed, nodeOf(place.server));
    await this.#memory.measure(feed);
    this.#walk.beginSight(recordedSource(this.#options, place, feed, level), feed.startedAt, {
      failover,
      missedFrom: this.#missedFrom(feed),
    });
    this.#reader = new KeyReader(feed, this.#walk.pipeline.interpreter, {
      level,
      match: this.#options.match,
      ownDb: place.server.db,
      keyEvents: keyEventSource(level, feed.capabilities),
      memory: this.#reading,
      onFirstRound: () => this.#retry.observes(),
    });
    feed.flow();
    // until the first heartbeat is complete, we are up to date only as of when the connection began
    if (!this.#hasBeat) this.#postBeat(0, feed.heardAt);
    this.#status.status = 'observing';
    this.#status.problem = undefined;
    this.#report();
    this.#reader.run().catch(ended);
    const list = this.#periodic.every(CLIENTS_EVERY_MS, () => this.#listClients(feed));
    this.#walk.pipeline.interpreter.clients.onNew = () => list.soon(NEWCOMER_MS);
    this.#periodic.every(BEAT_EVERY_MS, async () => this.#beat(feed));
    this.#periodic.every(STATUS_EVERY_MS, () => this.#measure(feed, level));
    return end;
  }

  #connect(place: Place, level: ObserveLevel, ended: (reason: unknown) => void): Promise<OrderedFeed> {
    return OrderedFeed.connect(place.server, level, this.#walk.lineReader, {
      onSignal: (signal) => this.#hear(signal),
      onQuiet: () => this.#walk.pipeline.settle(),
      onBeat: () => this.#heardBeat(),
      onRejected: () => this.#status.rejected++,
      onInvalidated: (name) => this.#reader?.invalidated(name),
      onClose: ended,
    });
  }

  #hear(signal: Streamed): void {
    if (signal === 'other' || signal.kind === 'lost-line') return this.#walk.pipeline.add(signal);
    if (signal.kind === 'line' && signal.client !== null && this.#memory.isServer(signal.client)) {
      return this.#end(new MasterChange(NOT_MASTER)); // its former replica sends it commands: that one is the master now
    }
    if (signal.kind === 'push' && isForAnotherShard(signal, this.#place?.slots ?? [])) return;
    this.#walk.pipeline.add(signal.kind === 'bookmark' ? (this.#reader?.withChanges(signal) ?? signal) : signal);
    if (signal.kind === 'bookmark') this.#status.snapshotAt = signal.at;
    if (signal.kind === 'push') this.#reader?.heard(signal);
    if (signal.kind === 'line' && this.#reader)
      readMigratingKeys(signal, this.#walk.pipeline.interpreter.keys, this.#reader);
  }

  /** Waits for `job`. A server that takes longer than 0.8 s is reported as not answering. */
  #patiently<T>(job: Promise<T>): Promise<T> {
    return whileWaiting(job, (waitedMs) => {
      if (!this.#isStopped && this.#status.noteSilence(waitedMs, this.#shownUrl)) this.#report();
    });
  }

  /** Begins the stream. If Redis does not permit the level, the level below follows. */
  async #begin(place: Place, feed: OrderedFeed, level: ObserveLevel): Promise<void> {
    const { canMonitor } = feed.capabilities;
    if (level === 'monitor' && !canMonitor) throw this.#levels.stepDown(monitorProblem(feed.capabilities));
    await this.notifications.prepare(feed, place.server);
    try {
      await feed.start(patternsFor(level, feed.capabilities, this.#options.match));
    } catch (error) {
      const isRefused = error instanceof RedisError && error.code === 'NOPERM' && level !== 'snapshot';
      throw isRefused ? this.#levels.stepDown(this.#problemFrom(error)) : error;
    }
  }

  #endWatch(): void {
    this.#periodic.stop();
    this.#reader?.stop();
    this.#reader = undefined;
    if (this.#feed && this.#status.status === 'observing' && !this.#isStopped) {
      this.#walk.endSight(this.#feed.at);
      this.#status.status = 'reconnecting';
    }
    this.#feed?.close();
    this.#feed = undefined;
  }

  async #listClients(feed: OrderedFeed): Promise<void> {
    const roll = await pollClients(feed, this.#walk.pipeline);
    if (!roll) return;
    this.#status.hasTooManyClients = roll.isTooLong;
    if (!roll.isTooLong) this.#guarded.hearBuffer(roll.bufferedBytes);
  }

  /** Called several times a second. It does not wait for Redis, so it notices a missing reply. */
  #beat(feed: OrderedFeed): void {
    feed.beat();
    const pulse = feed.pulse();
    if (!this.#guarded.hear(pulse)) return;
    const { readAt } = this.#reader ?? {};
    if (readAt !== undefined) this.#postBeat(pulse.lagMs, readAt);
    if (this.#status.hear(pulse, this.#shownUrl)) this.#report();
  }

  /** Reports at once that everything before the beat was reported. Until the next beat, nothing later is proven. */
  #heardBeat(): void {
    this.#walk.pipeline.settle();
    const { readAt } = this.#reader ?? {};
    if (this.#feed && readAt !== undefined) this.#postBeat(this.#feed.pulse().lagMs, readAt);
  }

  /** Reports how up to date the events are. `reportedUntil` by `performance.now()` of this thread. */
  #postBeat(lagMs: number, reportedUntil: number): void {
    this.#hasBeat = true;
    const agoMs = performance.now() - reportedUntil;
    this.#post({ type: 'source-beat', beat: { lagMs, reportedUntil: monotonicMs() - agoMs } });
  }

  async #measure(feed: OrderedFeed, level: ObserveLevel): Promise<void> {
    if (!(await this.#guarded.measure(feed))) return;
    await this.#status.measure(feed);
    await this.#memory.measure(feed);
    const hasChanged = await this.notifications.hasChanged(feed, level, this.#options.match);
    this.#status.notice = this.notifications.notice;
    if (hasChanged) return this.#end(new LevelChange('notify-keyspace-events was changed'));
    const role = newRole(this.#memory, feed);
    if (role === 'master') this.#levels.goTo({ level: this.#options.level, forMs: null, isForced: false });
    if (role) return this.#end(new MasterChange(role === 'master' ? 'it is a master now' : NOT_MASTER));
    this.#status.replicas = this.#memory.replicas;
    this.#report();
  }

  #report(): void {
    const { guard } = this.#guarded;
    const source = this.#status.report(this.#feed, this.#levels, guard, this.#place, this.#reader);
    Object.assign(source, ownLocksOf(this.#walk.pipeline.interpreter));
    this.#post({ type: 'source', source });
    this.#reportUnread();
  }

  #reportUnread(): void {
    const { keys } = this.#walk.pipeline.interpreter;
    const locks = this.#reading.quarantine.locks(({ db, name }) => keys.find(db, name) !== undefined);
    if (isDeepStrictEqual(locks, this.#unread)) return;
    this.#unread = locks;
    this.#post({ type: 'unread', locks });
  }

  #problemFrom(error: unknown): Problem {
    return problemFromError(error, this.#shownUrl);
  }

  get #shownUrl(): string {
    return this.#place?.server.displayUrl ?? this.#options.shownUrl;
  }
}
