import { parseRedisUrl, type RedisUrl } from '../../shared/base/redis-url.ts';
import type { RedisTime } from '../../shared/base/time.ts';
import { companionsOf } from '../../shared/events/recognise/families.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { clientsFromList } from '../redis/client-list.ts';
import { LineReader } from '../redis/line-reader.ts';
import { OrderedFeed } from '../redis/ordered-feed.ts';
import { probeRedis } from '../redis/probe.ts';
import { type Problem, problemFromError } from '../redis/problem.ts';
import { RedisError } from '../redis/resp-scanner.ts';
import { harmOf } from './guard.ts';
import { KeyReader } from './key-reader.ts';
import { blindnessOf, keyEventSource, notificationFlags, patternsFor } from './levels.ts';
import { Periodic } from './periodic.ts';
import { Pipeline } from './pipeline.ts';
import { presenceFromClients } from './presence.ts';
import type { RecordingCut } from './recording-sink.ts';
import { SourceRecording } from './source-recording.ts';
import type { FromWorker, SourceOptions } from './worker-messages.ts';

const CLIENTS_EVERY_MS = 5000;
const STATUS_EVERY_MS = 1000;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 10_000;
/** A client nobody has named yet is asked for this soon: a waiter should not stand there as a number. */
const NEWCOMER_MS = 200;
const GUARD_PAUSE_MS = 60_000;

/**
 * Watches one Redis for as long as it is told to: connects, takes the first snapshot, keeps the stream and the
 * snapshots going, and after a cut comes back by itself with a blind spot of known length.
 *
 *   connecting ─► observing ─► (cut) ─► reconnecting ─► observing …
 */
export class SourceRunner {
  readonly #options: SourceOptions;
  readonly #url: RedisUrl;
  readonly #post: (message: FromWorker) => void;
  readonly #pipeline: Pipeline;
  readonly #recording: SourceRecording;
  readonly #lineReader = new LineReader();
  #feed: OrderedFeed | undefined;
  #reader: KeyReader | undefined;
  #level: ObserveLevel;
  #status: Source['status'] = 'connecting';
  #problem: Problem | undefined;
  #isStopped = false;
  #isBlind = false;
  #retryMs = FIRST_RETRY_MS;
  #wake: () => void = () => {};
  #levelTimer: NodeJS.Timeout | undefined;
  #guardReason: string | undefined;
  #flagsBefore: string | undefined;
  #drift = 0;
  #rejected = 0;
  #lagMs = 0;
  #lines = { at: 0, count: 0, perSecond: 0 };
  #snapshotAt: RedisTime | null = null;
  readonly #periodic = new Periodic();

  constructor(options: SourceOptions, post: (message: FromWorker) => void) {
    const parsed = parseRedisUrl(options.url);
    if (!parsed.ok) throw new Error(parsed.error);
    this.#options = options;
    this.#url = parsed.value;
    this.#level = options.level;
    this.#post = post;
    this.#pipeline = new Pipeline(
      options.id,
      (events) => {
        for (const event of events) {
          if (event.type === 'drift.healed' && event.cause === 'unexplained') this.#drift++;
        }
        this.#post({ type: 'events', events });
      },
      (step, events) => this.#recording.note(step, events),
      1,
      (place, count) => this.#lineReader.again(place, count),
    );
    const { interpreter } = this.#pipeline;
    this.#recording = options.isRecorded
      ? new SourceRecording(interpreter, options.madeBy, (part) => post({ type: 'recorded', post: part }))
      : new SourceRecording(interpreter, options.madeBy);
    this.#pipeline.interpreter.keys.onNew = (key) => {
      this.#lineReader.addKey(key.name);
      if (key.isKindKnown) for (const { keyOf } of companionsOf(key)) this.#lineReader.addKey(keyOf(key.name));
      this.#reader?.known(key);
    };
    this.#pipeline.interpreter.onDoubt = (key) => this.#reader?.doubt(key);
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    this.#report();
    while (!this.#isStopped) {
      const lost = await this.#watchOnce().catch((error: unknown) => error);
      this.#endWatch();
      if (this.#isStopped) break;
      if (lost instanceof LevelChange) continue;
      this.#problem = problemFromError(lost, this.#url.displayUrl);
      this.#status = this.#isBlind ? 'reconnecting' : 'failed';
      this.#report();
      await this.#pause(this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Switches the level; the one before comes back after `forMs`. Settles with a problem when it cannot be had. */
  async observe(level: ObserveLevel, forMs: number | null): Promise<Problem | null> {
    const feed = this.#feed;
    if (!feed)
      return (
        this.#problem ?? {
          code: 'not-connected',
          message: 'Not connected to Redis yet.',
          hint: 'Try again when it is.',
        }
      );
    if (level === 'monitor' && !(await this.#mayMonitor())) return this.#monitorRefused(feed);
    clearTimeout(this.#levelTimer);
    this.#guardReason = undefined;
    const before = this.#options.level === level ? 'events' : this.#options.level;
    if (forMs !== null) this.#levelTimer = setTimeout(() => this.#changeLevel(before), forMs);
    await this.#changeLevel(level);
    return null;
  }

  /** Asked anew each time: the permission may have been given, and before Redis 7 only trying can tell. */
  async #mayMonitor(): Promise<boolean> {
    const { levels } = await probeRedis(this.#url, (error) => problemFromError(error, this.#url.displayUrl));
    return levels.find(({ level }) => level === 'monitor')?.works ?? true;
  }

  linesOf(seq: number): string[] | undefined {
    return this.#pipeline.linesOf(seq);
  }

  /** What is in memory of a stretch of time, as a recording; undefined when nothing of it is. */
  recordingOf(from: number | undefined, to: number | undefined): Promise<RecordingCut | undefined> {
    return this.#recording.cut(from, to, this.#feed?.now());
  }

  /** Ends everything; settings that were changed are put back first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#levelTimer);
    if (this.#flagsBefore !== undefined) {
      await this.#feed?.ask(['CONFIG', 'SET', 'notify-keyspace-events', this.#flagsBefore]).catch(() => []);
    }
    this.#pipeline.settle();
    this.#recording.end(this.#feed?.now());
    this.#endWatch();
    this.#wake();
  }

  /** One connection's life: gives back why it ended. */
  async #watchOnce(): Promise<unknown> {
    let ended: (reason: unknown) => void = () => {};
    const end = new Promise<unknown>((resolve) => {
      ended = resolve;
    });
    const feed = await OrderedFeed.connect(this.#url, this.#level, this.#lineReader, {
      onSignal: (signal) => {
        this.#pipeline.add(signal);
        if (signal !== 'other' && signal.kind === 'bookmark') this.#snapshotAt = signal.at;
        if (signal !== 'other' && signal.kind === 'push') this.#reader?.heard(signal);
      },
      onQuiet: () => this.#pipeline.settle(),
      onRejected: () => this.#rejected++,
      onInvalidated: (key) => this.#reader?.changed(this.#url.db, key),
      onClose: (reason) => ended(reason),
    });
    this.#feed = feed;
    if (this.#level === 'monitor' && !feed.capabilities.canMonitor)
      throw this.#stepDown(this.#monitorRefused(feed).message);
    await this.#withNotifications(feed);
    const { capabilities } = feed;
    try {
      await feed.start(patternsFor(this.#level, capabilities, this.#options.match));
    } catch (error) {
      const isRefused = error instanceof RedisError && error.code === 'NOPERM' && this.#level !== 'snapshot';
      if (isRefused) throw this.#stepDown(error.message.replace(/^NOPERM /, ''));
      throw error;
    }
    this.#pipeline.restart(feed.isPushFirst, this.#level === 'monitor');
    this.#recording.watch(this.#watched(feed), feed.startedAt);
    if (this.#isBlind) {
      this.#isBlind = false;
      this.#pipeline.add({ kind: 'blind-spot', at: feed.startedAt, phase: 'ended', reason: 'watching again' });
    }
    feed.flow();
    this.#status = 'observing';
    this.#problem = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    this.#change = (reason) => ended(reason);
    this.#report();
    this.#reader = new KeyReader(feed, this.#pipeline.interpreter, {
      level: this.#level,
      match: this.#options.match,
      ownDb: this.#url.db,
      keyEvents: keyEventSource(this.#level, capabilities),
    });
    const list = this.#periodic.every(CLIENTS_EVERY_MS, () => this.#listClients(feed));
    this.#pipeline.interpreter.clients.onNew = () => list.soon(NEWCOMER_MS);
    this.#periodic.every(STATUS_EVERY_MS, () => this.#measure(feed));
    this.#reader.run().catch(ended);
    return end;
  }

  #watched({ capabilities: { version, role }, isPushFirst }: OrderedFeed) {
    const { id } = this.#options;
    return { id, url: this.#url.displayUrl, redisVersion: version, role, level: this.#level, isPushFirst };
  }

  #change: (reason: LevelChange) => void = () => {};

  async #changeLevel(level: ObserveLevel): Promise<void> {
    if (level === this.#level) return;
    this.#level = level;
    this.#change(new LevelChange(`level changed to ${level}`));
  }

  /** Leaves a level that cannot be had for the next one below, and says so. */
  #stepDown(reason: string): LevelChange {
    const next = this.#level === 'monitor' ? 'events' : 'snapshot';
    this.#guardReason = `${reason} Watching at level ${next} instead.`;
    this.#level = next;
    return new LevelChange(reason);
  }

  #monitorRefused(feed: OrderedFeed): Problem {
    const { user } = feed.capabilities;
    return {
      code: 'monitor-refused',
      message: `User ${user} may not run MONITOR.`,
      hint: `To allow it: ACL SETUSER ${user} +monitor. Until then level events shows holders and leases.`,
    };
  }

  #endWatch(): void {
    this.#periodic.stop();
    this.#reader?.stop();
    this.#reader = undefined;
    const wasObserving = this.#status === 'observing';
    if (this.#feed && wasObserving && !this.#isStopped) {
      this.#pipeline.settle();
      this.#pipeline.add({ kind: 'blind-spot', at: this.#feed.at, phase: 'began', reason: 'connection lost' });
      this.#isBlind = true;
      this.#status = 'reconnecting';
    }
    this.#feed?.close();
    this.#feed = undefined;
  }

  /** With `--configure-notifications`, turns on what level `events` needs. */
  async #withNotifications(feed: OrderedFeed): Promise<void> {
    const before = feed.capabilities.notifications;
    if (!this.#options.configureNotifications || before === null) return;
    const notifications = notificationFlags(before);
    if (notifications === before) return;
    const [reply] = await feed.ask(['CONFIG', 'SET', 'notify-keyspace-events', notifications]);
    if (reply !== 'OK') return;
    this.#flagsBefore ??= before;
    feed.capabilities = { ...feed.capabilities, notifications };
  }

  async #listClients(feed: OrderedFeed): Promise<void> {
    if (!feed.capabilities.canListClients) return;
    const at = feed.now();
    const [reply] = await feed.ask(['CLIENT', 'LIST']);
    if (typeof reply !== 'string') return;
    const clients = clientsFromList(reply);
    this.#pipeline.add({ kind: 'clients', at, clients });
    this.#post({ type: 'presence', presence: presenceFromClients(this.#pipeline.interpreter, clients, at) });
    const buffered = Math.max(
      0,
      ...clients.filter((client) => client.name === 'lockscope').map((client) => client.outputBytes),
    );
    this.#guard(buffered);
  }

  /** Do no harm: steps down for a while when we cannot keep up. */
  #guard(bufferedBytes: number): void {
    const reason = this.#level === 'monitor' ? harmOf(bufferedBytes, this.#lagMs) : undefined;
    if (reason === undefined) return;
    const change = this.#stepDown(reason);
    clearTimeout(this.#levelTimer);
    this.#levelTimer = setTimeout(() => {
      this.#guardReason = undefined;
      void this.#changeLevel('monitor');
    }, GUARD_PAUSE_MS);
    this.#change(change);
  }

  /** Once a second: clock, lag, lines a second. */
  async #measure(feed: OrderedFeed): Promise<void> {
    const seconds = (Date.now() - this.#lines.at) / 1000;
    if (this.#lines.at > 0) this.#lines.perSecond = Math.round(Math.max(0, feed.lines - this.#lines.count) / seconds);
    this.#lines = { ...this.#lines, at: Date.now(), count: feed.lines };
    const answerMs = await feed.syncClock();
    this.#lagMs = this.#level === 'monitor' ? Math.max(0, (await feed.streamLag()) - answerMs) : answerMs;
    this.#report();
  }

  #report(): void {
    const feed = this.#feed;
    const keyEvents = feed ? keyEventSource(this.#level, feed.capabilities) : 'off';
    this.#post({
      type: 'source',
      source: {
        id: this.#options.id,
        url: this.#url.displayUrl,
        redisVersion: feed?.capabilities.version ?? '',
        role: feed?.capabilities.role ?? 'master',
        status: this.#status,
        level: this.#level,
        lagMs: Math.round(this.#lagMs),
        linesPerSecond: this.#status === 'observing' ? this.#lines.perSecond : 0,
        guard: this.#guardReason === undefined ? { state: 'ok' } : { state: 'tripped', reason: this.#guardReason },
        cannotSee: blindnessOf(this.#level, keyEvents),
        keyEvents,
        ...(this.#problem ? { problem: this.#problem } : {}),
        snapshotAt: this.#snapshotAt,
        drift: this.#drift,
        rejected: this.#rejected,
        clockOffsetMs: Math.round((feed?.clockOffset ?? 0) / 1000),
      },
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Not a failure: the connection ends because another level is wanted. */
class LevelChange extends Error {}
