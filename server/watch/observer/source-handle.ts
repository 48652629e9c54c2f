import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { OwnLocksWish } from '../../../shared/events/apply/tokens/own-locks.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { nameShape } from '../../../shared/events/names/name-shape.ts';
import { lineFromSignal } from '../../../shared/recording/signal-line.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { leadMs } from '../../../shared/wire/watched.ts';
import {
  monotonicMs,
  startTimer,
  steadyMs,
  stopTimer,
  type Timer,
  wallMs,
} from '../../redis/connection/surroundings.ts';
import type { RecordingCut, RecordingSink } from '../recording/recording-sink.ts';
import type { RecordedPost } from '../recording/source-recording.ts';
import type { LevelWish } from '../source/level-switch.ts';
import { lagOf, type SourceBeat } from '../source/source-lag.ts';
import type { FromWorker, Note, Place, SourceOptions } from '../source/worker-messages.ts';
import type { EvictedLock } from '../terms/evicted-locks.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import type { UnreadLock } from '../terms/quarantine.ts';
import { ObserveRefusal } from './observe-refusal.ts';
import type { ObserverPool } from './observer-pool.ts';
import { type EndOfObserver, endedProblem, ObserverGone, silentSource } from './observer-problems.ts';
import { RestartPause } from './restart-pause.ts';
import { SeqRuns } from './seq-runs.ts';
import { SharedTexts } from './shared-texts.ts';
import type { SourceObserver } from './source-observer.ts';

export type SourceListener = {
  onEvents(handle: SourceHandle, events: readonly LockEvent[]): void;
  /** Nothing is known about these locks any longer. */
  onEvicted(handle: SourceHandle, locks: readonly EvictedLock[]): void;
  /** These are all its known locks that are too large to be read. */
  onUnread(handle: SourceHandle, locks: readonly UnreadLock[]): void;
  onChanged(handle: SourceHandle): void;
  /** Its observer ended and its state is lost. `blindFrom`: a blind spot begins there; absent: one is open already. */
  onLost(handle: SourceHandle, blindFrom: RedisTime | undefined): void;
  /** It is about to subscribe on this server; settles once the server's settings are changed. Never rejects. */
  onServer(server: RedisUrl): Promise<void>;
};

export const OBSERVER_ENDED = 'observer-ended';

const STOP_WITHIN_MS = 1500;
/** Decisions about own locks that are kept. */
const MOST_WISHES = 1000;
const ANSWER_WITHIN_MS = 30_000;
/** Compressing a recording of an hour takes many seconds. */
const RECORDING_WITHIN_MS = 120_000;

/**
 * One source, seen from the main thread: starts the source's observer, and starts it again if it ends.
 *
 *   observing ─► ended: a blind spot begins ─► pause ─► connecting ─► observing: the blind spot ends
 *                  └─ after 9 failures in a row: failed
 */
export class SourceHandle {
  readonly id: string;
  readonly #options: SourceOptions;
  readonly #listener: SourceListener;
  readonly #pool: ObserverPool;
  readonly #sink: RecordingSink | undefined;
  readonly #pause = new RestartPause();
  #source: Source;
  /** The newest beat. It is older than the connection while the first reads are under way. */
  #beat: SourceBeat | undefined;
  #observer: SourceObserver | undefined;
  #startedAt = 0;
  #timer: Timer | undefined;
  #runs = new SeqRuns();
  readonly #texts = new SharedTexts();
  #place: Place | null;
  #memory: MemoryShares;
  /** Why the observer ended, until the next one observes. */
  #restart: Problem | undefined;
  /** When the observer last reported on the source. */
  #reportedAt = 0;
  #onStopped: () => void = () => {};
  #isRecording = false;
  #endedAt: number | undefined;
  #isServerEnded = false;
  #isStopping = false;
  /** Seconds since the observer last answered, once it is silent. */
  #silentFor = 0;
  /** Whether a blind spot is open, and since when. */
  #blindFrom: RedisTime | undefined;
  #hasObserved = false;
  #ownLocks: readonly OwnLocksWish[] = [];
  #newest = redisTime(0);
  /** What the observer had counted before its last restart. */
  #counted = { drift: 0, rejected: 0 };

  /** With a `sink`, everything recorded is written to it until `stop`. */
  constructor(
    options: SourceOptions,
    source: Source,
    listener: SourceListener,
    pool: ObserverPool,
    sink?: RecordingSink,
  ) {
    this.id = options.id;
    this.#pool = pool;
    this.#options = options;
    this.#place = options.place;
    this.#memory = options.memory;
    this.#ownLocks = options.ownLocks ?? [];
    this.#source = source;
    this.#listener = listener;
    this.#sink = sink;
    this.#blindFrom = options.blindFrom;
    sink?.onBreak(() => listener.onChanged(this));
    this.#start(options);
  }

  get source(): Source {
    const last = this.#beat ? { ...this.#source, lagMs: lagOf(this.#beat, monotonicMs()) } : this.#source;
    const heard = this.#silentFor > 0 ? silentSource(last, this.#silentFor) : last;
    const { nextTryMs } = heard;
    const waited = steadyMs() - this.#reportedAt;
    const next = nextTryMs === undefined ? {} : { nextTryMs: Math.max(0, Math.round(nextTryMs - waited)) };
    const source = { ...heard, ...next, ...(this.#isServerEnded ? { ended: true } : {}) };
    return this.#sink ? { ...source, recorder: this.#sink.status() } : source;
  }

  /** The server that it watches; undefined: not known. */
  get server() {
    return this.#place?.server;
  }

  /** Gives events, and their causes, the `seq` of the process, beginning with `firstSeq`. It changes the events. */
  renumber(events: readonly LockEvent[], firstSeq: number): LockEvent[] {
    return this.#runs.renumber(events, firstSeq);
  }

  /** The Redis lines behind an event; undefined if they are no longer known. Rejects with `ObserverGone`. */
  async linesOf(seq: number): Promise<readonly string[] | undefined> {
    const observer = this.#running();
    const local = this.#runs.localOf(seq);
    if (local === undefined) return undefined;
    const answer = await observer.ask((request) => ({ type: 'signals', request, seq: local }), ANSWER_WITHIN_MS);
    return answer.type === 'signals' ? (answer.lines ?? undefined) : undefined;
  }

  /** The part of a range of time that is in memory, as a recording. Rejects with `ObserverGone`. */
  async recording(
    from: number | undefined,
    to: number | undefined,
    signal?: AbortSignal,
  ): Promise<RecordingCut | undefined> {
    const ask = (request: number) => ({ type: 'recording', request, from, to }) as const;
    const answer = await this.#running().ask(ask, RECORDING_WITHIN_MS, signal);
    return answer.type === 'recording' ? (answer.cut ?? undefined) : undefined;
  }

  /** Changes how much memory its observer may use. */
  setRooms(memory: MemoryShares): void {
    this.#memory = memory;
    this.#observer?.post({ type: 'memory', memory });
  }

  /** Switches the level. Rejects with `ObserveRefusal` or `ObserverGone`. */
  async observe(wish: LevelWish): Promise<void> {
    const observer = this.#running();
    const answer = await observer.ask((request) => ({ type: 'observe', request, wish }), ANSWER_WITHIN_MS);
    if (answer.type === 'observed' && answer.problem) throw new ObserveRefusal(answer.problem);
  }

  /**
   * Applies what the user decides about keys that look like own locks, now and after a restart of the observer. Rejects with
   * `ObserverGone`.
   */
  async decideOwnLocks(wish: OwnLocksWish): Promise<void> {
    await this.#running().ask((request) => ({ type: 'own-locks', request, wish }), ANSWER_WITHIN_MS);
    const formOf = (each: OwnLocksWish) => ('name' in each ? nameShape(each.name) : '');
    const others = this.#ownLocks.filter((other) => formOf(other) !== formOf(wish));
    this.#ownLocks = [...others, wish].slice(-MOST_WISHES);
  }

  /** Takes what a person wrote about a problem. Rejects with `ObserverGone`. */
  async note(note: Note): Promise<void> {
    await this.#running().ask((request) => ({ type: 'note', request, note }), ANSWER_WITHIN_MS);
  }

  /** Notes that its server is ended on purpose. */
  noteEnded(): void {
    this.#isServerEnded = true;
  }

  /** Notes where the source is from now on, or why its place is unknown. */
  moveTo(place: Place | null, problem: Problem | null): void {
    this.#place = place ?? this.#place;
    this.#observer?.post({ type: 'place', place, problem });
  }

  /** Ends the observer. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    stopTimer(this.#timer);
    const observer = this.#observer;
    if (observer) await this.#askToStop(observer);
    await observer?.leave();
    this.#pool.forget(this.id);
    await this.#sink?.end(this.#endedAt);
  }

  #askToStop(observer: SourceObserver): Promise<void> {
    return new Promise((resolve) => {
      this.#onStopped = resolve;
      startTimer(resolve, STOP_WITHIN_MS).unref();
      observer.post({ type: 'stop' });
    });
  }

  #start(options: SourceOptions): void {
    this.#startedAt = steadyMs();
    this.#runs = new SeqRuns();
    const observer = this.#pool.observe(options, {
      onMessage: (message) => this.#message(message, observer),
      onSilent: (seconds) => {
        this.#silentFor = seconds;
        this.#listener.onChanged(this);
      },
      onEnd: (reason) => this.#ended(reason),
    });
    this.#observer = observer;
  }

  /** Starts the observer again. MONITOR that was switched on for a limited time is not switched on again. */
  #startAgain(): void {
    const level = this.#source.level === 'monitor' ? this.#options.level : this.#source.level;
    const blind = this.#blindFrom === undefined ? {} : { blindFrom: this.#blindFrom };
    this.#start({
      ...this.#options,
      level,
      place: this.#place,
      memory: this.#memory,
      ownLocks: this.#ownLocks,
      ...(this.#source.clockBehindMs === undefined ? {} : { clockBehindMs: this.#source.clockBehindMs }),
      ...blind,
    });
  }

  #ended(reason: EndOfObserver): void {
    this.#observer = undefined;
    this.#silentFor = 0;
    this.#onStopped();
    if (this.#isStopping) return;
    const pauseMs = this.#pause.afterFailure(steadyMs() - this.#startedAt);
    this.#restart = endedProblem(reason, this.#pause.failures, pauseMs !== undefined);
    const { drift, rejected } = this.#source;
    this.#counted = { drift, rejected };
    const status = this.#hasObserved && pauseMs !== undefined ? 'reconnecting' : 'failed';
    this.#reportedAt = steadyMs();
    const next = pauseMs === undefined ? {} : { nextTryMs: pauseMs };
    this.#source = { ...this.#source, ...next, status, linesPerSecond: 0, problem: this.#restart };
    const isOpen = this.#blindFrom !== undefined || !this.#hasObserved;
    const at = redisTime(Math.max(this.#newest, (wallMs() + leadMs(this.#source)) * 1000));
    if (!isOpen) {
      this.#blindFrom = at;
      const signal = { kind: 'blind-spot', at, phase: 'began', reason: OBSERVER_ENDED } as const;
      if (this.#isRecording) this.#sink?.write(`${lineFromSignal(signal)}\n`, 1);
    }
    this.#listener.onLost(this, isOpen ? undefined : at);
    this.#listener.onChanged(this);
    if (pauseMs !== undefined) this.#timer = startTimer(() => this.#startAgain(), pauseMs);
  }

  #running(): SourceObserver {
    if (this.#observer) return this.#observer;
    throw new ObserverGone(this.#restart ?? endedProblem({ cause: 'stopped' }, 0, false));
  }

  #message(message: FromWorker, observer: SourceObserver): void {
    switch (message.type) {
      case 'events':
        this.#texts.share(message.events);
        for (const event of message.events) this.#note(event);
        return this.#listener.onEvents(this, message.events);
      case 'evicted':
        return this.#listener.onEvicted(this, message.locks);
      case 'unread':
        return this.#listener.onUnread(this, message.locks);
      case 'source':
        this.#reportedAt = steadyMs();
        this.#source = this.#sourceFrom(message.source);
        return this.#listener.onChanged(this);
      case 'source-beat':
        this.#beat = message.beat;
        return;
      case 'stopped':
        return this.#onStopped();
      case 'server':
        void this.#listener.onServer(message.server).then(() => observer.post({ type: 'server-ready' }));
        return;
      case 'recorded':
        return this.#record(message.post);
    }
  }

  #note({ type, at }: LockEvent): void {
    if (type === 'blind-spot.began') this.#blindFrom = at;
    if (type === 'blind-spot.ended') this.#blindFrom = undefined;
    if (at > this.#newest) this.#newest = at;
  }

  /** The observer's report, plus its counts from before a restart, and the reason of the restart until it observes. */
  #sourceFrom(reported: Source): Source {
    if (reported.status === 'observing') {
      this.#hasObserved = true;
      this.#restart = undefined;
    }
    const drift = reported.drift + this.#counted.drift;
    const rejected = reported.rejected + this.#counted.rejected;
    const problem = reported.problem ?? this.#restart;
    return { ...reported, drift, rejected, ...(problem ? { problem } : {}) };
  }

  #record(post: RecordedPost): void {
    if (post.part === 'begin') {
      if (!this.#isRecording) this.#sink?.begin(post.header);
      this.#isRecording = true;
    } else if (post.part === 'lines') this.#sink?.write(post.lines, post.signals);
    else this.#endedAt = post.at;
  }
}
