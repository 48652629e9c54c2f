import { redisTime } from '../../../shared/base/time.ts';
import { nodeOf } from '../../../shared/base/topology-url.ts';
import { decideOwnLocks, type OwnLocksWish } from '../../../shared/events/apply/tokens/own-locks.ts';
import { SETTLED } from '../../../shared/events/mirror/tokens/long-tokens.ts';
import type { BlindReason } from '../../../shared/signals/blind-reason.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import { NotPermitted } from '../../redis/connection/problem.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import { RefusedRights } from '../../redis/rights/refused-rights.ts';
import { ClockWasSet, RedisClock } from '../../redis/stream/redis-clock.ts';
import { ReadingMemory } from '../reads/reading-memory.ts';
import type { RecordingCut } from '../recording/recording-sink.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import { FailoverDetector } from './failover-detector.ts';
import { GuardedLevel } from './guarded-level.ts';
import { LevelChange, type LevelWish } from './level-switch.ts';
import { MasterChange } from './master-change.ts';
import { NotificationSetting } from './notification-setting.ts';
import { RetryPause } from './retry-pause.ts';
import { SourceConnection, type SourceParts } from './source-connection.ts';
import { SourceReports } from './source-reports.ts';
import { SourceStream } from './source-stream.ts';
import type { FromWorker, Note, Place, SourceOptions } from './worker-messages.ts';

/** A user without the rights to read is tried again after this time. */
const RIGHTS_AGAIN_MS = 5000;
/** CLIENT LIST is asked this soon after an unknown client appears, so that a waiter is shown by name. */
const NEWCOMER_MS = 200;

/**
 * Watches one source until it is stopped, with one `SourceConnection` after another. After a cut it reconnects, with a
 * blind spot of known length. If another server has become the master, it connects to that one.
 *
 *   connecting ─► observing ─► (cut, another level, another master) ─► reconnecting ─► observing …
 */
export class SourceRunner {
  readonly notifications: NotificationSetting;
  readonly #stream: SourceStream;
  readonly #guarded: GuardedLevel;
  readonly #reports: SourceReports;
  readonly #parts: SourceParts;
  readonly #retry = new RetryPause();
  #place: Place | null;
  /** Undefined during a pause, and while no master is known. */
  #connection: SourceConnection | undefined;
  #isStopped = false;

  constructor(options: SourceOptions, post: (message: FromWorker) => void) {
    this.#place = options.place;
    this.#guarded = new GuardedLevel(options.level, options.hasBudget, (change) => this.#connection?.end(change));
    this.notifications = new NotificationSetting(post);
    const reader = () => this.#connection?.reader;
    this.#stream = new SourceStream(options, {
      onEvents: (events) => {
        this.#reports.status.count(events);
        post({ type: 'events', events });
      },
      onRecorded: (part) => post({ type: 'recorded', post: part }),
      onKey: (key) => reader()?.known(key),
      onDoubt: (key) => reader()?.doubt(key),
      onUnseen: () => reader()?.lookAround(),
      onNewClient: () => this.#connection?.listClientsSoon(NEWCOMER_MS),
      onLongToken: () => this.#connection?.listClientsSoon(SETTLED + NEWCOMER_MS),
      onEvicted: (locks) => post({ type: 'evicted', locks }),
    });
    const clock = new RedisClock((options.clockBehindMs ?? 0) * 1000);
    const rights = new RefusedRights();
    const lasting = { stream: this.#stream, guarded: this.#guarded, reading: new ReadingMemory(), clock, rights };
    const feed = () => this.#connection?.feed;
    this.#reports = new SourceReports(options, post, { ...lasting, place: () => this.#place, feed, reader });
    this.#parts = {
      ...lasting,
      options,
      notifications: this.notifications,
      detector: new FailoverDetector(),
      reports: this.#reports,
      onFirstRound: () => {
        this.#retry.observes();
        this.#reports.report(); // all locks are read: a check waits for that
      },
      isStopped: () => this.#isStopped,
    };
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    const { status } = this.#reports;
    const startedAt = wallMs();
    this.#reports.report();
    while (!this.#isStopped) {
      const place = this.#place;
      const lost = place ? await this.#watch(place) : undefined;
      const isOwnEnd = OWN_REASONS.some(([kind]) => lost instanceof kind);
      const wasObserving = status.status === 'observing';
      const isCut = wasObserving && !(lost instanceof NotPermitted);
      if (!isOwnEnd) this.#guarded.lost(isCut ? this.#connection?.feed : undefined);
      this.#disconnect(reasonOf(lost));
      if (this.#isStopped) break;
      if (isOwnEnd) {
        await this.#retry.change();
        continue;
      }
      if (place) {
        this.#stream.noteMissed(startedAt, lost instanceof NotPermitted ? 'no-rights' : 'not-connected');
        status.problem = this.#reports.problemFrom(lost);
        status.status = this.#stream.blindSince !== undefined ? 'reconnecting' : 'failed';
      }
      // If rights were taken away while watching, some keys may still be readable: that is tried after a short pause.
      const rest = lost instanceof NotPermitted && !wasObserving ? RIGHTS_AGAIN_MS : undefined;
      await this.#retry.rest((ms) => {
        status.nextTryMs = place ? Math.round(ms) : undefined;
        this.#reports.report();
      }, rest);
      status.nextTryMs = undefined;
    }
  }

  /** Sets the master that Sentinels or the cluster report. `problem`: why they report none. */
  moveTo(place: Place | null, problem: Problem | null): void {
    const { status } = this.#reports;
    const before = this.#place;
    this.#place = place ?? before;
    if (problem && status.status !== 'observing') {
      status.problem = problem;
      this.#reports.report();
    }
    if (!place) return;
    if (before && nodeOf(before.server) === nodeOf(place.server)) return this.#serve(before, place);
    this.#retry.reset();
    this.#retry.end();
    this.#connection?.end(new MasterChange(`${nodeOf(place.server)} is the master now`));
  }

  /** Switches the level. Resolves to a problem if that is refused; a newer request replaces this one. */
  async observe(wish: LevelWish): Promise<Problem | null> {
    const { status } = this.#reports;
    if (status.problem) return status.problem;
    const problem = await this.#guarded.wish(wish, this.#place, (error) => this.#reports.problemFrom(error));
    this.#reports.report();
    return problem;
  }

  linesOf(seq: number): string[] | undefined {
    return this.#stream.pipeline.linesOf(seq);
  }

  /** Changes how much memory the source may use. */
  setRooms(memory: MemoryShares): void {
    this.#stream.setRooms(memory);
  }

  /** Applies what the user decides about keys that look like an application's own locks. */
  decideOwnLocks(wish: OwnLocksWish): void {
    decideOwnLocks(this.#stream.pipeline.interpreter, wish);
    this.#reports.report();
  }

  /** Takes what a person wrote about a problem. Between two connections, its instant is by this machine's clock. */
  takeNote(note: Note): void {
    const at = this.#connection?.feed?.now() ?? redisTime(wallMs() * 1000);
    this.#stream.pipeline.add({ kind: 'note', at, ...note });
  }

  /** The part of a range of time that is in memory, as a recording; `undefined` if none of it is. */
  recordingOf(
    from: number | undefined,
    to: number | undefined,
    signal: AbortSignal,
  ): Promise<RecordingCut | undefined> {
    return this.#stream.recording.cut(from, to, this.#connection?.feed?.now(), signal);
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#guarded.levels.stop();
    this.#stream.end(this.#connection?.feed?.now());
    this.#disconnect('connection-lost');
    this.#retry.end();
  }

  /** Watches until the connection ends. Returns why it ended. */
  #watch(place: Place): Promise<unknown> {
    this.#connection = new SourceConnection(this.#parts, place);
    return this.#connection.run().catch((error: unknown) => error);
  }

  /** The watched server may serve other slots than before. */
  #serve(before: Place, place: Place): void {
    const { reader } = this.#connection ?? {};
    if (this.#connection) this.#connection.place = place;
    if (JSON.stringify(before.slots) !== JSON.stringify(place.slots)) reader?.lookAround();
  }

  #disconnect(reason: BlindReason): void {
    const { status } = this.#reports;
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection?.feed && status.status === 'observing' && !this.#isStopped) {
      this.#stream.endSight(connection.feed.at, reason);
      status.status = 'reconnecting';
    }
    connection?.close();
  }
}

/** Why Lockscope itself ends a connection, and opens another one. */
const OWN_REASONS = [
  [LevelChange, 'level-changed'],
  [MasterChange, 'master-changed'],
  [ClockWasSet, 'clock-set'],
] as const;

/** Why a blind spot begins when a connection ends. */
export function reasonOf(lost: unknown): BlindReason {
  const ownReason = OWN_REASONS.find(([kind]) => lost instanceof kind);
  if (ownReason) return ownReason[1];
  return lost instanceof NotPermitted ? 'no-rights' : 'connection-lost';
}
