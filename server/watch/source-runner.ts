import { parseRedisUrl, type RedisUrl } from '../../shared/base/redis-url.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { OrderedFeed } from '../redis/ordered-feed.ts';
import { probeRedis } from '../redis/probe.ts';
import { monitorRefused, NOT_CONNECTED, type Problem, problemFromError } from '../redis/problem.ts';
import { RedisError } from '../redis/resp-scanner.ts';
import { callRoll } from './client-roll.ts';
import { harmOf } from './guard.ts';
import { KeyReader } from './key-reader.ts';
import { LevelChange, LevelSwitch } from './level-switch.ts';
import { keyEventSource, patternsFor } from './levels.ts';
import { NotificationSetting } from './notification-setting.ts';
import { Periodic } from './periodic.ts';
import type { RecordingCut } from './recording-sink.ts';
import { RetryPause } from './retry-pause.ts';
import { SourceStatus } from './source-status.ts';
import { SourceWalk } from './source-walk.ts';
import type { FromWorker, SourceOptions } from './worker-messages.ts';

const CLIENTS_EVERY_MS = 5000;
const STATUS_EVERY_MS = 1000;
/** A client nobody has named yet is asked for this soon: a waiter should not stand there as a number. */
const NEWCOMER_MS = 200;

/**
 * Watches one Redis for as long as it is told to: connects, takes the first snapshot, keeps the stream and the
 * snapshots going, and after a cut comes back by itself with a blind spot of known length.
 *
 *   connecting ─► observing ─► (cut, or another level) ─► reconnecting ─► observing …
 */
export class SourceRunner {
  readonly #options: SourceOptions;
  readonly #url: RedisUrl;
  readonly #post: (message: FromWorker) => void;
  readonly #walk: SourceWalk;
  readonly #levels: LevelSwitch;
  readonly #status: SourceStatus;
  readonly #notifications = new NotificationSetting();
  readonly #retry = new RetryPause();
  readonly #periodic = new Periodic();
  #feed: OrderedFeed | undefined;
  #reader: KeyReader | undefined;
  #isStopped = false;

  constructor(options: SourceOptions, post: (message: FromWorker) => void) {
    const parsed = parseRedisUrl(options.url);
    if (!parsed.ok) throw new Error(parsed.error);
    this.#options = options;
    this.#url = parsed.value;
    this.#levels = new LevelSwitch(options.level);
    this.#status = new SourceStatus(options.id, parsed.value.displayUrl);
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
      const lost = await this.#watchOnce(this.#levels.level).catch((error: unknown) => error);
      this.#endWatch();
      if (this.#isStopped) break;
      if (lost instanceof LevelChange) continue;
      this.#status.problem = this.#problemFrom(lost);
      this.#status.status = this.#walk.isBlind ? 'reconnecting' : 'failed';
      this.#report();
      await this.#retry.rest();
    }
  }

  /** Switches the level; the one before comes back after `forMs`. Settles with a problem when it cannot be had. */
  async observe(level: ObserveLevel, forMs: number | null): Promise<Problem | null> {
    const feed = this.#feed;
    if (!feed) return this.#status.problem ?? NOT_CONNECTED;
    if (level === 'monitor' && !(await this.#mayMonitor())) return monitorRefused(feed.capabilities.user);
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
    await this.#notifications.putBack(this.#feed);
    this.#walk.end(this.#feed?.now());
    this.#endWatch();
    this.#retry.end();
  }

  /** One connection's life at one level: gives back why it ended. */
  async #watchOnce(level: ObserveLevel): Promise<unknown> {
    let ended: (reason: unknown) => void = () => {};
    const end = new Promise<unknown>((resolve) => {
      ended = resolve;
    });
    this.#levels.onChange = ended;
    const feed = await this.#connect(level, ended);
    this.#feed = feed;
    await this.#begin(feed, level);
    this.#walk.beginSight(this.#sourceOf(feed, level), feed.startedAt);
    feed.flow();
    this.#status.status = 'observing';
    this.#status.problem = undefined;
    this.#retry.reset();
    this.#report();
    this.#reader = new KeyReader(feed, this.#walk.pipeline.interpreter, {
      level,
      match: this.#options.match,
      ownDb: this.#url.db,
      keyEvents: keyEventSource(level, feed.capabilities),
    });
    const list = this.#periodic.every(CLIENTS_EVERY_MS, () => this.#listClients(feed));
    this.#walk.pipeline.interpreter.clients.onNew = () => list.soon(NEWCOMER_MS);
    this.#periodic.every(STATUS_EVERY_MS, () => this.#measure(feed, level));
    this.#reader.run().catch(ended);
    return end;
  }

  #connect(level: ObserveLevel, ended: (reason: unknown) => void): Promise<OrderedFeed> {
    return OrderedFeed.connect(this.#url, level, this.#walk.lineReader, {
      onSignal: (signal) => {
        this.#walk.pipeline.add(signal);
        if (signal !== 'other' && signal.kind === 'bookmark') this.#status.snapshotAt = signal.at;
        if (signal !== 'other' && signal.kind === 'push') this.#reader?.heard(signal);
      },
      onQuiet: () => this.#walk.pipeline.settle(),
      onRejected: () => this.#status.rejected++,
      onInvalidated: (key) => this.#reader?.changed(this.#url.db, key),
      onClose: ended,
    });
  }

  /** Begins the stream. What Redis does not permit leads to the level below. */
  async #begin(feed: OrderedFeed, level: ObserveLevel): Promise<void> {
    const { canMonitor, user } = feed.capabilities;
    if (level === 'monitor' && !canMonitor) throw this.#levels.stepDown(monitorRefused(user).message);
    if (this.#options.configureNotifications) await this.#notifications.turnOn(feed);
    try {
      await feed.start(patternsFor(level, feed.capabilities, this.#options.match));
    } catch (error) {
      const isRefused = error instanceof RedisError && error.code === 'NOPERM' && level !== 'snapshot';
      throw isRefused ? this.#levels.stepDown(error.message.replace(/^NOPERM /, '')) : error;
    }
  }

  #sourceOf({ capabilities: { version, role }, isPushFirst }: OrderedFeed, level: ObserveLevel) {
    return { id: this.#options.id, url: this.#url.displayUrl, redisVersion: version, role, level, isPushFirst };
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
    const { levels } = await probeRedis(this.#url, (error) => this.#problemFrom(error));
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
    this.#report();
  }

  #report(): void {
    this.#post({ type: 'source', source: this.#status.report(this.#feed, this.#levels) });
  }

  #problemFrom(error: unknown): Problem {
    return problemFromError(error, this.#url.displayUrl);
  }
}
