import { nodeOf } from '../../shared/base/topology-url.ts';
import type { Signal } from '../../shared/signals/signal.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { OrderedFeed } from '../redis/ordered-feed.ts';
import { probeRedis } from '../redis/probe.ts';
import { monitorProblem, NOT_CONNECTED, type Problem, problemFromError } from '../redis/problem.ts';
import { RedisError } from '../redis/resp-scanner.ts';
import { callRoll } from './client-roll.ts';
import { harmOf } from './guard.ts';
import { KeyReader } from './key-reader.ts';
import { LevelChange, LevelSwitch } from './level-switch.ts';
import { keyEventSource, patternsFor } from './levels.ts';
import { MasterChange, NOT_MASTER, newRole } from './master-change.ts';
import { NotificationSetting } from './notification-setting.ts';
import { Periodic } from './periodic.ts';
import type { RecordingCut } from './recording-sink.ts';
import { RetryPause } from './retry-pause.ts';
import { ServerMemory } from './server-memory.ts';
import { isForOthers, readWhatMoves } from './slot-traffic.ts';
import { recordedSource, SourceStatus } from './source-status.ts';
import { SourceWalk } from './source-walk.ts';
import type { FromWorker, Place, SourceOptions } from './worker-messages.ts';

const CLIENTS_EVERY_MS = 5000;
const STATUS_EVERY_MS = 1000;
/** A client nobody has named yet is asked for this soon: a waiter should not stand there as a number. */
const NEWCOMER_MS = 200;

/**
 * Watches one source for as long as it is told to: connects, takes the first snapshot, keeps the stream and the
 * snapshots going, and after a cut comes back by itself with a blind spot of known length; to another server, where it
 * was told that the master is another one now.
 *
 *   connecting ─► observing ─► (cut, another level, another master) ─► reconnecting ─► observing …
 */
export class SourceRunner {
  readonly #options: SourceOptions;
  readonly #post: (message: FromWorker) => void;
  readonly #walk: SourceWalk;
  readonly #levels: LevelSwitch;
  readonly #status: SourceStatus;
  readonly #notifications = new NotificationSetting();
  readonly #retry = new RetryPause();
  readonly #periodic = new Periodic();
  readonly #memory = new ServerMemory();
  #place: Place | null;
  /** Ends the present connection with the reason given. */
  #end: (reason: unknown) => void = () => {};
  #feed: OrderedFeed | undefined;
  #reader: KeyReader | undefined;
  #isStopped = false;

  constructor(options: SourceOptions, post: (message: FromWorker) => void) {
    this.#options = options;
    this.#place = options.place;
    this.#levels = new LevelSwitch(options.level);
    this.#status = new SourceStatus(options);
    this.#post = post;
    this.#walk = new SourceWalk(options, {
      onEvents: (events) => {
        this.#status.count(events);
        post({ type: 'events', events });
      },
      onRecorded: (part) => post({ type: 'recorded', post: part }),
      onKey: (key) => this.#reader?.known(key),
      onDoubt: (key) => this.#reader?.doubt(key),
    });
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    this.#report();
    while (!this.#isStopped) {
      const place = this.#place;
      const lost = place
        ? await this.#watchOnce(place, this.#levels.level).catch((error: unknown) => error)
        : undefined;
      this.#endWatch();
      if (this.#isStopped) break;
      if (lost instanceof LevelChange || lost instanceof MasterChange) continue;
      if (place) {
        this.#status.problem = this.#problemFrom(lost);
        this.#status.status = this.#walk.isBlind ? 'reconnecting' : 'failed';
      }
      this.#report();
      await this.#retry.rest();
    }
  }

  /** The master is this one from now on, as others tell; `problem`: why they tell of none. */
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

  /** Switches the level; the one before comes back after `forMs`. Settles with a problem when it cannot be had. */
  async observe(level: ObserveLevel, forMs: number | null): Promise<Problem | null> {
    const feed = this.#feed;
    if (!feed) return this.#status.problem ?? NOT_CONNECTED;
    if (level === 'monitor' && !(await this.#mayMonitor())) return monitorProblem(feed.capabilities);
    this.#levels.goTo(level, forMs);
    return null;
  }

  linesOf(seq: number): string[] | undefined {
    return this.#walk.pipeline.linesOf(seq);
  }

  /** What is in memory of a stretch of time, as a recording; undefined when nothing of it is. */
  recordingOf(from: number | undefined, to: number | undefined): Promise<RecordingCut | undefined> {
    return this.#walk.recording.cut(from, to, this.#feed?.now());
  }

  /** Ends everything; settings that were changed are put back first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#levels.stop();
    await this.#notifications.putBack(this.#feed, this.#place?.server);
    this.#walk.end(this.#feed?.now());
    this.#endWatch();
    this.#retry.end();
  }

  /** One connection's life at one level: gives back why it ended. */
  async #watchOnce(place: Place, level: ObserveLevel): Promise<unknown> {
    let ended: (reason: unknown) => void = () => {};
    const end = new Promise<unknown>((resolve) => {
      ended = resolve;
    });
    this.#levels.onChange = ended;
    this.#end = ended;
    const feed = await this.#connect(place, level, ended);
    this.#feed = feed;
    if (this.#options.topology !== 'single' && feed.capabilities.role === 'replica') throw new Error(NOT_MASTER);
    await this.#begin(place, feed, level);
    const failover = await this.#memory.meet(feed, nodeOf(place.server));
    await this.#memory.measure(feed);
    this.#walk.beginSight(recordedSource(this.#options, place, feed, level), feed.startedAt, failover);
    feed.flow();
    this.#status.status = 'observing';
    this.#status.problem = undefined;
    this.#retry.reset();
    this.#report();
    this.#reader = new KeyReader(feed, this.#walk.pipeline.interpreter, {
      level,
      match: this.#options.match,
      ownDb: place.server.db,
      keyEvents: keyEventSource(level, feed.capabilities),
    });
    const list = this.#periodic.every(CLIENTS_EVERY_MS, () => this.#listClients(feed));
    this.#walk.pipeline.interpreter.clients.onNew = () => list.soon(NEWCOMER_MS);
    this.#periodic.every(STATUS_EVERY_MS, () => this.#measure(feed, level));
    this.#reader.run().catch(ended);
    return end;
  }

  #connect(place: Place, level: ObserveLevel, ended: (reason: unknown) => void): Promise<OrderedFeed> {
    return OrderedFeed.connect(place.server, level, this.#walk.lineReader, {
      onSignal: (signal) => this.#hear(signal),
      onQuiet: () => this.#walk.pipeline.settle(),
      onRejected: () => this.#status.rejected++,
      onInvalidated: (key) => this.#reader?.changed(place.server.db, key),
      onClose: ended,
    });
  }

  #hear(signal: Signal | 'other'): void {
    if (signal === 'other') return this.#walk.pipeline.add(signal);
    if (signal.kind === 'line' && signal.client !== null && this.#memory.isServer(signal.client)) {
      return this.#end(new MasterChange(NOT_MASTER)); // one that copied it gives it orders: it took over
    }
    if (signal.kind === 'push' && isForOthers(signal, this.#place?.slots ?? [])) return;
    this.#walk.pipeline.add(signal);
    if (signal.kind === 'bookmark') this.#status.snapshotAt = signal.at;
    if (signal.kind === 'push') this.#reader?.heard(signal);
    if (signal.kind === 'line' && this.#reader)
      readWhatMoves(signal, this.#walk.pipeline.interpreter.keys, this.#reader);
  }

  /** Begins the stream. What Redis does not permit leads to the level below. */
  async #begin(place: Place, feed: OrderedFeed, level: ObserveLevel): Promise<void> {
    const { canMonitor } = feed.capabilities;
    if (level === 'monitor' && !canMonitor) throw this.#levels.stepDown(monitorProblem(feed.capabilities).message);
    if (this.#options.configureNotifications) await this.#notifications.turnOn(feed, place.server);
    try {
      await feed.start(patternsFor(level, feed.capabilities, this.#options.match));
    } catch (error) {
      const isRefused = error instanceof RedisError && error.code === 'NOPERM' && level !== 'snapshot';
      throw isRefused ? this.#levels.stepDown(error.message.replace(/^NOPERM /, '')) : error;
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

  /** Asked anew each time: the permission may have been given, and before Redis 7 only trying can tell. */
  async #mayMonitor(): Promise<boolean> {
    if (!this.#place) return false;
    const { levels } = await probeRedis(this.#place.server, (error) => this.#problemFrom(error));
    return levels.find(({ level }) => level === 'monitor')?.works ?? true;
  }

  async #listClients(feed: OrderedFeed): Promise<void> {
    const roll = await callRoll(feed, this.#walk.pipeline);
    if (!roll) return;
    this.#post({ type: 'presence', presence: roll.presence });
    const isMonitor = this.#levels.level === 'monitor';
    const harm = isMonitor ? harmOf(roll.bufferedBytes, this.#status.lagMs) : undefined;
    if (harm !== undefined) this.#levels.retreat(harm);
  }

  async #measure(feed: OrderedFeed, level: ObserveLevel): Promise<void> {
    await this.#status.measure(feed, level);
    await this.#memory.measure(feed);
    const role = newRole(this.#memory, feed);
    if (role === 'master') this.#levels.goTo(this.#options.level, null);
    if (role) return this.#end(new MasterChange(role === 'master' ? 'it is a master now' : NOT_MASTER));
    this.#status.replicas = this.#memory.replicas;
    this.#report();
  }

  #report(): void {
    this.#post({ type: 'source', source: this.#status.report(this.#feed, this.#levels, this.#place) });
  }

  #problemFrom(error: unknown): Problem {
    return problemFromError(error, this.#place?.server.displayUrl ?? this.#options.shownUrl);
  }
}
