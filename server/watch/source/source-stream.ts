import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { decideOwnLocks } from '../../../shared/events/apply/tokens/own-locks.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { companionsOf } from '../../../shared/events/kinds/kinds.ts';
import type { LockKey } from '../../../shared/events/mirror/lock-key.ts';
import type { RecordingHeader } from '../../../shared/recording/format.ts';
import type { BlindReason } from '../../../shared/signals/blind-reason.ts';
import type { FailoverSignal } from '../../../shared/signals/signal.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import { LineReader } from '../../redis/lines/line-reader.ts';
import { patternFromGlob } from '../reads/glob.ts';
import { type RecordedPost, SourceRecording, watchStepOf } from '../recording/source-recording.ts';
import { type EvictedLock, reportEvicted } from '../terms/evicted-locks.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import { Pipeline } from './pipeline.ts';
import type { SourceOptions } from './worker-messages.ts';

type StreamSink = {
  onEvents(events: readonly LockEvent[]): void;
  onRecorded(post: RecordedPost): void;
  /** A key was recognised as a lock, for the first time or again. */
  onKey(key: LockKey): void;
  /** The expected state of a key may be wrong: it should be read. */
  onDoubt(key: LockKey): void;
  /** A part of the stream was not seen, so every known lock should be read. */
  onUnseen(): void;
  /** A client was seen for the first time: its connection should be listed. */
  onNewClient(): void;
  /** A token or permit is held that no lease will end soon: the connection of its holder should be listed. */
  onLongToken(): void;
  /** Held locks were evicted. */
  onEvicted(locks: readonly EvictedLock[]): void;
};

/** Early rounds of reads are at least this far apart. */
const UNSEEN_EVERY_MS = 2000;

/** What is read from a source over all its connections: its locks, the lines behind events, the recording. */
export class SourceStream {
  readonly pipeline: Pipeline;
  readonly recording: SourceRecording;
  readonly lineReader = new LineReader();
  /** Since when nothing is seen; undefined: the stream is seen, or has not begun. */
  #blindSince: RedisTime | undefined;
  /** If an attempt to connect failed: since when nothing was seen, in ms by this machine's clock, and why. */
  #missedSince: number | undefined;
  #missedFor: BlindReason = 'not-connected';
  #readSoonAt = Number.NEGATIVE_INFINITY;

  constructor({ id, isRecorded, madeBy, match, blindFrom, memory, ownLocks = [] }: SourceOptions, sink: StreamSink) {
    const globs = match.map(patternFromGlob);
    this.pipeline = new Pipeline(
      id,
      (events) => sink.onEvents(events),
      (step, events) => {
        this.recording.note(step, events);
        if (step.kind === 'blind-spot' && step.phase === 'ended') this.#readSoon(sink);
      },
      1,
      (place, count) => this.lineReader.again(place, count),
      (name) => globs.some((glob) => glob.test(name)),
    );
    const { interpreter } = this.pipeline;
    const record = isRecorded ? [(post: RecordedPost) => sink.onRecorded(post)] : [];
    this.recording = new SourceRecording(interpreter, madeBy, ...record);
    this.setRooms(memory);
    interpreter.keys.onNew = (key) => {
      this.lineReader.addKey(key.name);
      if (key.isKindKnown) for (const { keyOf } of companionsOf(key)) this.lineReader.addKey(keyOf(key.name));
      sink.onKey(key);
    };
    this.lineReader.effects.isNamed = globs.length > 0;
    interpreter.ownLocks.onWatched = (name) => this.lineReader.addKey(name);
    interpreter.ownLocks.isOffered = globs.length === 0;
    for (const wish of ownLocks) decideOwnLocks(interpreter, wish);
    reportEvicted(interpreter.keys, (locks) => sink.onEvicted(locks));
    interpreter.onDoubt = (key) => sink.onDoubt(key);
    interpreter.clients.onNew = () => sink.onNewClient();
    interpreter.longTokens.onNoted = () => sink.onLongToken();
    if (blindFrom === undefined) return;
    // The main thread has already reported the beginning of this blind spot.
    interpreter.interpret({ kind: 'blind-spot', at: blindFrom, phase: 'began', reason: 'observer-ended' });
    this.#blindSince = blindFrom;
  }

  /**
   * Asks for an early round of reads, at most every 2 s: a server may lose many lines, and each round costs it time.
   */
  #readSoon(sink: StreamSink): void {
    const now = steadyMs();
    if (now < this.#readSoonAt + UNSEEN_EVERY_MS) return;
    this.#readSoonAt = now;
    sink.onUnseen();
  }

  /** Changes how much memory may be used. */
  setRooms(shares: MemoryShares): void {
    this.pipeline.setRooms(shares);
    this.lineReader.setRoom(shares.linesBytes);
    this.recording.setRoom(shares.recordingBytes);
  }

  /** Since when nothing is seen; undefined: the stream is seen, or has not begun. */
  get blindSince(): RedisTime | undefined {
    return this.#blindSince;
  }

  /**
   * Notes that an attempt to connect failed. `sinceMs`: since when nothing is seen, by this machine's clock; used only
   * at the first failure since the stream was last seen.
   */
  noteMissed(sinceMs: number, reason: BlindReason): void {
    this.#missedSince ??= sinceMs;
    this.#missedFor = reason;
  }

  /**
   * Everything from `at` on is seen: a blind spot ends. `failover`: another server is watched than before, or a
   * restarted one.
   * `clockOffset`: the time of the source minus this machine's, in µs.
   */
  beginSight(
    source: RecordingHeader['source'],
    at: RedisTime,
    { failover, clockOffset = 0 }: { failover?: FailoverSignal | undefined; clockOffset?: number } = {},
  ): void {
    this.pipeline.watch(watchStepOf(source, at));
    this.recording.watch(source, at);
    if (this.#missedSince !== undefined && this.#blindSince === undefined) {
      const missedFrom = redisTime(Math.min(at, this.#missedSince * 1000 + clockOffset));
      this.pipeline.add({ kind: 'blind-spot', at: missedFrom, phase: 'began', reason: this.#missedFor });
      this.#blindSince = missedFrom;
    }
    this.#missedSince = undefined;
    if (failover) this.pipeline.add(failover);
    if (this.#blindSince !== undefined) {
      this.pipeline.add({ kind: 'blind-spot', at, phase: 'ended', reason: 'watching-again' });
    }
    this.#blindSince = undefined;
  }

  /**
   * Nothing after `at` is seen: a blind spot begins. If a script is still open, the blind spot begins at its head.
   */
  endSight(at: RedisTime, reason: BlindReason): void {
    const from = this.pipeline.end() ?? at;
    this.pipeline.add({ kind: 'blind-spot', at: from, phase: 'began', reason });
    this.#blindSince = from;
  }

  /** Ends the stream: no further signals follow. */
  end(at: RedisTime | undefined): void {
    this.recording.end(this.pipeline.end() ?? at);
  }
}
