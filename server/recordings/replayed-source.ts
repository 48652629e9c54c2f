import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { LockKeys } from '../../shared/events/mirror/lock-keys.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import type { WatchSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { SeqRuns } from '../watch/observer/seq-runs.ts';
import { watchedAs } from '../watch/recording/cut-recording.ts';
import { type RecordedPost, SourceRecording, watchStepOf } from '../watch/recording/source-recording.ts';
import { Pipeline } from '../watch/source/pipeline.ts';
import { sightOf } from '../watch/source/source-status.ts';
import { blindnessOf } from '../watch/terms/levels.ts';
import type { MemoryShares } from '../watch/terms/memory-shares.ts';
import { unseenInRecording } from '../watch/terms/source-lacks.ts';
import type { SourcePlace } from '../watch/topology/placed-locks.ts';

const UNSEEN_IN_TEXT = [problem('unseen-before-text'), problem('unseen-connections'), problem('unseen-replies')];
const UNSEEN_SCRIPTS = [problem('unseen-script-lines')];

/** One source of a replay, from the beginning of its recording. */
export class ReplayedSource {
  readonly id: string;
  /** The number of its first event. */
  readonly firstSeq: number;
  readonly seqs = new SeqRuns();
  readonly recording: SourceRecording;
  readonly #header: RecordingHeader;
  readonly #pipeline: Pipeline;
  #level: ObserveLevel;
  #lacks: readonly string[] | undefined;
  #drift = 0;
  #snapshotAt: RedisTime | null = null;
  /** The server that has answered since the newest failover. */
  #node: string | undefined;
  #isBlind = false;
  #lacksScripts = false;
  #isEnded = false;

  constructor(
    header: RecordingHeader,
    firstSeq: number,
    post: ((post: RecordedPost) => void) | undefined,
    onEvents: (events: LockEvent[]) => void,
  ) {
    const { source, madeBy } = header;
    this.id = source.id;
    this.firstSeq = firstSeq;
    this.#header = header;
    this.#level = source.level;
    this.#lacks = source.lacks;
    this.#node = source.node;
    this.#pipeline = new Pipeline(
      source.id,
      (events) => {
        for (const event of events) if (event.type === 'drift.healed' && event.cause === 'unexplained') this.#drift++;
        onEvents(events);
      },
      (step, events) => this.recording.note(step, events),
    );
    this.recording = new SourceRecording(this.#pipeline.interpreter, madeBy, post);
    const startedAt = redisTime(header.startedAt);
    this.#pipeline.watch(watchStepOf(source, startedAt));
    this.recording.watch(source, startedAt);
  }

  get keys(): LockKeys {
    return this.#pipeline.interpreter.keys;
  }

  get place(): SourcePlace {
    return { topology: this.#header.source.topology, node: this.#node };
  }

  setRooms(rooms: MemoryShares): void {
    this.#pipeline.setRooms(rooms);
    this.recording.setRoom(rooms.recordingBytes);
  }

  /** Takes the next step of its recording. Returns whether pages must get the facts about the source again at once. */
  take(step: Step): boolean {
    switch (step.kind) {
      case 'watch':
        this.#level = step.level;
        this.#lacks = step.lacks;
        if (step.isSame) {
          if (step.lacks) this.recording.see(step.lacks, step.at);
          return true;
        }
        this.recording.watch(sourceWatchedAs(this.#header.source, step), step.at);
        this.#pipeline.interpreter.interpret(step);
        return true;
      case 'connection':
        this.#pipeline.interpreter.interpret(step);
        return false;
      case 'failover':
        this.#node = step.to;
        this.#pipeline.take([step]);
        return true;
      case 'blind-spot':
        if (step.reason === 'no-script-lines') this.#lacksScripts = true;
        else this.#isBlind = step.phase === 'began';
        this.#pipeline.take([step]);
        return true;
      case 'bookmark':
        this.#snapshotAt = step.at;
        this.#pipeline.take([step]);
        return false;
      default:
        this.#pipeline.take([step]);
        return false;
    }
  }

  noteEnded(): void {
    this.#isEnded = true;
  }

  /** The Redis lines behind an event; `undefined` if they are no longer kept. */
  linesOf(seq: number): readonly string[] | undefined {
    const local = this.seqs.localOf(seq);
    return local === undefined ? undefined : this.#pipeline.linesOf(local);
  }

  /** The source as pages get it. If its recording is played in real time, it is shown as unwatched in a blind spot. */
  view(reported: Pick<Source, 'rejected' | 'clockOffsetMs'> & { recording: NonNullable<Source['recording']> }): Source {
    const { id, url, redisVersion, role, topology, isText = false } = this.#header.source;
    const areOff = isText || (this.#level === 'monitor' && this.#lacks?.includes('key-events') === true);
    const keyEvents = this.#level === 'snapshot' || areOff ? 'off' : 'notifications';
    const isUnwatched = this.#isBlind && reported.recording.playing;
    return {
      id,
      url,
      redisVersion,
      role,
      ...(topology === undefined ? {} : { topology }),
      ...(this.#node === undefined ? {} : { node: this.#node }),
      status: isUnwatched ? 'reconnecting' : 'observing',
      ...(isUnwatched && this.#isEnded ? { ended: true } : {}),
      level: this.#level,
      lagMs: 0,
      linesPerSecond: 0,
      guard: { state: 'ok' },
      ...sightOf([
        ...blindnessOf(this.#level, keyEvents, { areSettingsKnown: false }),
        ...(isText ? UNSEEN_IN_TEXT : unseenInRecording(this.#lacks)),
        ...(this.#lacksScripts ? UNSEEN_SCRIPTS : []),
      ]),
      keyEvents,
      snapshotAt: this.#snapshotAt,
      drift: this.#drift,
      ...reported,
    };
  }
}

/** The source of a header with the settings of a watch signal, such as its level and the order of pushes. */
function sourceWatchedAs(source: RecordingHeader['source'], watch: WatchSignal): RecordingHeader['source'] {
  const { hearsMessages: _, clockBehindMs: __, hasIfEqual: ___, lacks: ____, ...rest } = source;
  return { ...rest, ...watchedAs(watch) };
}
