import type { RedisUrl } from '../../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { OwnLocksWish } from '../../../shared/events/apply/tokens/own-locks.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { nameShape } from '../../../shared/events/names/name-shape.ts';
import { lineFromSignal } from '../../../shared/recording/signal-line.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { leadMs } from '../../../shared/wire/watched.ts';
import { startTimer, steadyMs, stopTimer, type Timer, wallMs } from '../../redis/connection/surroundings.ts';
import type { RecordingCut, RecordingSink } from '../recording/recording-sink.ts';
import type { RecordedPost } from '../recording/source-recording.ts';
import type { LevelWish } from '../source/level-switch.ts';
import type { FromWorker, Note, Place, SourceOptions } from '../source/worker-messages.ts';
import type { EvictedLock } from '../terms/evicted-locks.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import type { UnreadLock } from '../terms/quarantine.ts';
import { ObserveRefusal } from './observe-refusal.ts';
import type { ObserverPool } from './observer-pool.ts';
import { type EndOfObserver, endedProblem, ObserverGone } from './observer-problems.ts';
import { ReportedSource } from './reported-source.ts';
import { RestartPause } from './restart-pause.ts';
import { SeqRuns } from './seq-runs.ts';
import { SharedTexts } from './shared-texts.ts';
import type { SourceObserver } from './source-observer.ts';
import { SteadyTime } from './steady-time.ts';

export type SourceListener = {
  onEvents(handle: SourceHandle, events: readonly LockEvent[]): void;
  /** Nothing is known about these locks any longer. */
  onEvicted(handle: SourceHandle, locks: readonly EvictedLock[]): void;
  /** These are all known locks of the source that are not read, or not completely. */
  onUnread(handle: SourceHandle, locks: readonly UnreadLock[]): void;
  onChanged(handle: SourceHandle): void;
  /** The observer ended, and its state is lost. `blindFrom`: a blind spot begins then; absent: one is open already. */
  onLost(handle: SourceHandle, blindFrom: RedisTime | undefined): void;
  /** The source is about to subscribe on this server. Settles once the server's settings are changed. Never rejects. */
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
  readonly #reported: ReportedSource;
  #observer: SourceObserver | undefined;
  #startedAt = 0;
  #timer: Timer | undefined;
  #runs = new SeqRuns();
  readonly #texts = new SharedTexts();
  readonly #time = new SteadyTime();
  #place: Place | null;
  #memory: MemoryShares;
  #onStopped: () => void = () => {};
  #isRecording = false;
  #endedAt: number | undefined;
  #isStopping = false;
  /** Since when a blind spot is open; undefined: none is. */
  #blindFrom: RedisTime | undefined;
  #ownLocks: readonly OwnLocksWish[] = [];
  #newest = redisTime(0);

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
    this.#reported = new ReportedSource(source);
    this.#listener = listener;
    this.#sink = sink;
    this.#blindFrom = options.blindFrom;
    sink?.onBreak(() => listener.onChanged(this));
    this.#start(options);
  }

  get source(): Source {
    const source = this.#reported.now();
    return this.#sink ? { ...source, recorder: this.#sink.status() } : source;
  }

  /** The current Redis time of the source. */
  now(): RedisTime {
    return this.#time.from(redisTime((wallMs() + leadMs(this.#reported.last)) * 1000));
  }

  /** The server that the source watches; undefined: not known. */
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

  /** Changes how much memory the observer may use. */
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
   * Applies what the user decides about keys that look like own locks, now and after a restart of the observer. Rejects
   * with `ObserverGone`.
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

  /** Notes that the server of the source is ended on purpose. */
  noteEnded(): void {
    this.#reported.serverEnded();
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
        this.#reported.silent(seconds);
        this.#listener.onChanged(this);
      },
      onEnd: (reason) => this.#ended(reason),
    });
    this.#observer = observer;
  }

  /** Starts the observer again. MONITOR is switched on again only if it is the level that the source began with. */
  #startAgain(): void {
    const { last } = this.#reported;
    const level = last.level === 'monitor' ? this.#options.level : last.level;
    const blind = this.#blindFrom === undefined ? {} : { blindFrom: this.#blindFrom };
    this.#start({
      ...this.#options,
      level,
      place: this.#place,
      memory: this.#memory,
      ownLocks: this.#ownLocks,
      ...(last.clockBehindMs === undefined ? {} : { clockBehindMs: last.clockBehindMs }),
      ...blind,
    });
  }

  #ended(reason: EndOfObserver): void {
    this.#observer = undefined;
    this.#reported.silent(0);
    this.#onStopped();
    if (this.#isStopping) return;
    const pauseMs = this.#pause.afterFailure(steadyMs() - this.#startedAt);
    this.#reported.observerEnded(endedProblem(reason, this.#pause.failures, pauseMs !== undefined), pauseMs);
    const isOpen = this.#blindFrom !== undefined || !this.#reported.hasObserved;
    const at = redisTime(Math.max(this.#newest, (wallMs() + leadMs(this.#reported.last)) * 1000));
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
    throw new ObserverGone(this.#reported.restart ?? endedProblem({ cause: 'stopped' }, 0, false));
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
        this.#reported.take(message.source);
        return this.#listener.onChanged(this);
      case 'source-beat':
        return this.#reported.beat(message.beat);
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

  #record(post: RecordedPost): void {
    if (post.part === 'begin') {
      if (!this.#isRecording) this.#sink?.begin(post.header);
      this.#isRecording = true;
    } else if (post.part === 'lines') this.#sink?.write(post.lines, post.signals);
    else this.#endedAt = post.at;
  }
}
