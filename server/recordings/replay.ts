import { plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { BlindReason } from '../../shared/signals/blind-reason.ts';
import type { WatchSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { createEventStore, type EventStore } from '../watch/history/event-store.ts';
import { reportEvicted } from '../watch/history/evicted-locks.ts';
import { type MemoryShares, sharesOf } from '../watch/history/memory-shares.ts';
import { LookClock } from '../watch/insights/look-clock.ts';
import { LATE_MS } from '../watch/insights/look-timer.ts';
import type { Observatory } from '../watch/observatory.ts';
import { ObserveRefusal } from '../watch/observer/observe-refusal.ts';
import { SeqRuns } from '../watch/observer/seq-runs.ts';
import { watchedAs } from '../watch/recording/cut-recording.ts';
import { type RecordedPost, SourceRecording, watchStepOf } from '../watch/recording/source-recording.ts';
import { blindnessOf } from '../watch/source/levels.ts';
import { Pipeline } from '../watch/source/pipeline.ts';
import { sightOf } from '../watch/source/source-status.ts';
import { placedAnswers, type SourcePlace } from '../watch/topology/placed-locks.ts';

type Watching = {
  header: RecordingHeader;
  pipeline: Pipeline;
  firstSeq: number;
  seqs: SeqRuns;
  recording: SourceRecording;
};

const UNSEEN_IN_TEXT = [problem('unseen-before-text'), problem('unseen-connections'), problem('unseen-replies')];

/** Number of runs whose Redis lines are kept. */
const MOST_RUNS = 20;

/** What a replay needs to describe itself as a source. */
export type ReplayOptions = {
  now(): RedisTime;
  /** The beginning of a recording that is read as a whole. Its events are kept for as long as there is room. */
  wholeFrom?: RedisTime;
  /** Memory limit of the whole process, in bytes. */
  memory?: number;
  /** Describes the recording for the page. */
  describe(): NonNullable<Source['recording']>;
  /** Receives everything as lines of a recording. */
  post?(post: RecordedPost): void;
  /** Number of lines that could not be read. */
  rejected(): number;
};

/** Feeds recorded steps to an observatory, without Redis. The caller passes the steps to `feed`. */
export class Replay {
  readonly observatory: Observatory;
  readonly #options: ReplayOptions;
  readonly #chronicle: EventStore;
  readonly #runs: Watching[] = [];
  #rooms: MemoryShares;
  #shedAt: RedisTime | null = null;
  #level: ObserveLevel;
  #drift = 0;
  readonly #looks: LookClock;
  /** Whether the source of this run was described. */
  #isTold = false;
  #snapshotAt: RedisTime | null = null;
  /** The server that has answered since the newest failover. */
  #node: string | undefined;

  constructor(header: RecordingHeader, options: ReplayOptions) {
    this.#options = options;
    const { wholeFrom } = options;
    this.#level = header.source.level;
    this.#rooms = sharesOf(options.memory);
    this.#chronicle = createEventStore(
      () => options.now(),
      this.#rooms,
      wholeFrom === undefined ? undefined : Number.POSITIVE_INFINITY,
    );
    this.#looks = new LookClock(this.#chronicle);
    this.restart(header);
    const { answers, history } = this.#chronicle;
    if (wholeFrom !== undefined) history.beginAt(wholeFrom);
    this.observatory = {
      ...placedAnswers(answers, () => this.#place),
      sources: () => [this.#source()],
      history: Object.assign(history, { signals: async (seq: number) => this.#linesOf(seq) }),
      recording: async ({ from, to }, signal) => this.#run.recording.cut(from, to, options.now(), signal),
      observe: async () => refuseChanges(),
      showOwnLocks: async () => refuseChanges(),
      memory: () => ({ ...this.#chronicle.memory(), shedAt: this.#shedAt }),
      setMemory: (limit) => {
        this.#shedAt = options.now();
        this.#setRooms(sharesOf(limit));
      },
      start: async () => {},
      stop: async () => {},
    };
  }

  /** Starts a new run. Its events follow the earlier ones, and no earlier hold is known. */
  restart(header: RecordingHeader): void {
    const { history } = this.#chronicle;
    const pipeline = new Pipeline(
      header.source.id,
      (events) => {
        for (const event of events) if (event.type === 'drift.healed' && event.cause === 'unexplained') this.#drift++;
        for (const part of this.#looks.parts(events)) {
          for (const stretch of this.#chronicle.withoutFacts(part)) {
            this.#chronicle.add(seqs.renumber(stretch, history.nextSeq()));
          }
        }
      },
      (step, events) => recording.note(step, events),
    );
    const seqs = new SeqRuns();
    const recording = new SourceRecording(pipeline.interpreter, header.madeBy, this.#options.post);
    const { id } = header.source;
    reportEvicted(pipeline.interpreter.keys, (locks) => this.#chronicle.forgetLocks(id, locks));
    pipeline.setRooms(this.#rooms);
    recording.setRoom(this.#rooms.recordingBytes);
    pipeline.watch(watchStepOf(header.source, redisTime(header.startedAt)));
    recording.watch(header.source, redisTime(header.startedAt));
    this.#runs.push({ header, pipeline, firstSeq: history.nextSeq(), seqs, recording });
    this.#looks.restart();
    this.#isTold = false;
    if (this.#runs.length > MOST_RUNS) this.#runs.shift();
    this.#level = header.source.level;
    this.#chronicle.forgetWorld();
  }

  /** Processes the next step of the recording. */
  feed(step: Step): void {
    this.passTime(plusMillis(timeOfStep(step), -LATE_MS)); // as the live stream does, so that a look has the same place
    this.#take(step);
  }

  /** Nothing else happens until `time`. */
  passTime(time: RedisTime): void {
    if (!this.#isTold) this.sourceChanged();
    this.#isTold = true;
    this.#looks.passTime(time);
  }

  #take(step: Step): void {
    const { pipeline, recording, header } = this.#run;
    switch (step.kind) {
      case 'watch':
        this.#level = step.level;
        recording.watch(sourceWatchedAs(header.source, step), step.at);
        pipeline.interpreter.interpret(step);
        this.sourceChanged();
        return;
      case 'connection':
        pipeline.interpreter.interpret(step);
        return;
      case 'time':
        pipeline.take([step]);
        return;
      case 'failover':
        this.#node = step.to;
        pipeline.take([step]);
        this.sourceChanged();
        return;
      case 'bookmark':
        this.#snapshotAt = step.at;
        pipeline.take([step]);
        return;
      default:
        pipeline.take([step]);
    }
  }

  /** Adds a blind spot: open holds and waits end as unseen. */
  blindSpotBegan(reason: BlindReason, at: RedisTime): void {
    if (!this.observatory.locks().some((lock) => lock.held || lock.waiters.length > 0)) return;
    this.feed({ kind: 'blind-spot', at, phase: 'began', reason });
    this.feed({ kind: 'blind-spot', at, phase: 'ended', reason });
    this.#chronicle.forgetWorld();
  }

  /** Notifies pages that the source has changed. */
  sourceChanged(): void {
    this.#chronicle.sourcesChanged([this.#source()]);
  }

  /** No further steps follow: passes the rest to `post`. */
  end(): void {
    this.#run.recording.end(this.#options.now());
  }

  #setRooms(rooms: MemoryShares): void {
    this.#rooms = rooms;
    this.#chronicle.setRooms(rooms);
    for (const { pipeline, recording } of this.#runs) {
      pipeline.setRooms(rooms);
      recording.setRoom(rooms.recordingBytes);
    }
  }

  get #run(): Watching {
    const run = this.#runs.at(-1);
    if (!run) throw new Error('a replay has always begun');
    return run;
  }

  get #place(): SourcePlace {
    const { topology, node } = this.#run.header.source;
    return { topology, node: node && (this.#node ?? node) };
  }

  #linesOf(seq: number): readonly string[] | undefined {
    const run = this.#runs.findLast(({ firstSeq }) => firstSeq <= seq);
    const local = run?.seqs.localOf(seq);
    return local === undefined ? undefined : run?.pipeline.linesOf(local);
  }

  #source(): Source {
    const { id, url, redisVersion, role, topology, node } = this.#run.header.source;
    const isText = this.#run.header.source.isText === true;
    const keyEvents = this.#level === 'snapshot' || isText ? 'off' : 'notifications';
    return {
      id,
      url,
      redisVersion,
      role,
      ...(topology === undefined ? {} : { topology }),
      ...(node === undefined ? {} : { node: this.#node ?? node }),
      status: 'observing',
      level: this.#level,
      lagMs: 0,
      linesPerSecond: 0,
      guard: { state: 'ok' },
      ...sightOf([...blindnessOf(this.#level, keyEvents), ...(isText ? UNSEEN_IN_TEXT : [])]),
      keyEvents,
      snapshotAt: this.#snapshotAt,
      drift: this.#drift,
      rejected: this.#options.rejected(),
      clockOffsetMs: Math.round(this.#options.now() / 1000 - Date.now()),
      recording: this.#options.describe(),
    };
  }
}

/** The source with the settings of a watch signal: level, order of pushes, wake-up messages. */
function sourceWatchedAs(source: RecordingHeader['source'], watch: WatchSignal): RecordingHeader['source'] {
  const { hearsMessages: _, clockBehindMs: __, ...rest } = source;
  return { ...rest, ...watchedAs(watch) };
}

/** Throws `ObserveRefusal`: settings of a recording cannot be changed. */
function refuseChanges(): never {
  throw new ObserveRefusal(problem('recording'));
}
