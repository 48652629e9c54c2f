import { plusMillis, type RedisTime } from '../../shared/base/time.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { BlindReason } from '../../shared/signals/blind-reason.ts';
import type { Step } from '../../shared/signals/step.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { Observatory } from '../watch/observatory.ts';
import { ObserveRefusal } from '../watch/observer/observe-refusal.ts';
import type { RecordedPost } from '../watch/recording/source-recording.ts';
import { EventStore } from '../watch/store/event-store.ts';
import { LookClock } from '../watch/store/look-clock.ts';
import { LATE_MS } from '../watch/store/look-timer.ts';
import { reportEvicted } from '../watch/terms/evicted-locks.ts';
import { type MemoryShares, sharesOf } from '../watch/terms/memory-shares.ts';
import { placedAnswers } from '../watch/topology/placed-locks.ts';
import { ReplayedSource } from './replayed-source.ts';

/** Number of runs of sources whose Redis lines are kept. */
const MOST_RUNS = 20;

/** What a replay needs in addition to the steps. */
type ReplayOptions = {
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

/**
 * Feeds recorded steps to an observatory, without Redis. The caller passes the steps to `feed`, those of several
 * sources in one order.
 */
export class Replay {
  readonly observatory: Observatory;
  readonly #options: ReplayOptions;
  readonly #eventStore: EventStore;
  /** The sources that are shown now. */
  #sources: readonly ReplayedSource[] = [];
  /** The sources of all runs so far, oldest first. */
  #runs: readonly ReplayedSource[] = [];
  #rooms: MemoryShares;
  #shedAt: RedisTime | null = null;
  readonly #looks: LookClock;
  /** Whether the sources of this run were described. */
  #isReported = false;

  constructor(headers: readonly RecordingHeader[], options: ReplayOptions) {
    this.#options = options;
    const { wholeFrom } = options;
    this.#rooms = sharesOf(options.memory, headers.length);
    this.#eventStore = new EventStore(
      () => options.now(),
      this.#rooms,
      wholeFrom === undefined ? undefined : Number.POSITIVE_INFINITY,
    );
    this.#looks = new LookClock(this.#eventStore);
    this.restart(headers);
    const { answers, history } = this.#eventStore;
    if (wholeFrom !== undefined) history.beginAt(wholeFrom);
    this.observatory = {
      ...placedAnswers(answers, (id) => this.#sourceOf(id)?.place),
      sources: () => this.#views().map((source) => this.#eventStore.withSight(source)),
      history: Object.assign(history, { signals: async (seq: number) => this.#linesOf(seq) }),
      recording: async ({ source, from, to }, signal) =>
        this.#sourceOf(source)?.recording.cut(from, to, options.now(), signal),
      observe: async () => refuseChanges(),
      decideOwnLocks: async () => refuseChanges(),
      memory: () => ({ ...this.#eventStore.memory(), shedAt: this.#shedAt }),
      setMemory: (limit) => {
        this.#shedAt = options.now();
        this.#setRooms(sharesOf(limit, this.#sources.length));
      },
      start: async () => {},
      stop: async () => {},
    };
  }

  /** Starts a new run of these sources. Its events follow the earlier events, and no earlier hold is known. */
  restart(headers: readonly RecordingHeader[]): void {
    const before = this.#sources;
    this.#sources = headers.map((header) => this.#open(header));
    this.#runs = [...this.#runs, ...this.#sources].slice(-MOST_RUNS);
    this.#looks.restart();
    this.#isReported = false;
    this.#forgetWorld(before);
  }

  #open(header: RecordingHeader): ReplayedSource {
    const source = new ReplayedSource(header, this.#eventStore.history.nextSeq(), this.#options.post, (events) => {
      for (const part of this.#looks.parts(events)) {
        for (const range of this.#eventStore.withoutFacts(part)) {
          this.#eventStore.add(source.seqs.renumber(range, this.#eventStore.history.nextSeq()));
        }
      }
    });
    reportEvicted(source.keys, (locks) => this.#eventStore.forgetLocks(source.id, locks));
    source.setRooms(this.#rooms);
    return source;
  }

  /** Shows only the first source from now on, and nothing of it as held. */
  showFirst(): void {
    const before = this.#sources;
    this.#sources = before.slice(0, 1);
    this.#forgetWorld(before);
    this.sourceChanged();
  }

  /** Processes the next step of a source, by its place among the headers. */
  feed(step: Step, place = 0): void {
    this.passTime(plusMillis(timeOfStep(step), -LATE_MS)); // so detectors look at the same instants as live
    if (this.#sources[place]?.take(step)) this.sourceChanged();
  }

  /** Advances the time: no step before `time` follows. */
  passTime(time: RedisTime): void {
    if (!this.#isReported) this.sourceChanged();
    this.#isReported = true;
    this.#looks.passTime(time);
  }

  /** Adds a blind spot to each source with locks in use: open holds and waits end as unseen. */
  blindSpotBegan(reason: BlindReason, at: RedisTime): void {
    const used = this.observatory.locks().filter((lock) => lock.held || lock.waiters.length > 0);
    for (const [place, { id }] of this.#sources.entries()) {
      if (!used.some(({ source }) => source === id)) continue;
      this.feed({ kind: 'blind-spot', at, phase: 'began', reason }, place);
      this.feed({ kind: 'blind-spot', at, phase: 'ended', reason }, place);
    }
    if (used.length > 0) this.#eventStore.forgetWorld();
  }

  /** Notifies pages that the sources have changed. */
  sourceChanged(): void {
    this.#eventStore.sourcesChanged(this.#views());
  }

  /** No further steps follow: passes the rest to `post`. */
  end(): void {
    for (const { recording } of this.#sources) recording.end(this.#options.now());
  }

  /** The server of a source ends with its next blind spot, and no other server replaces it. */
  noteEnded(place: number): void {
    this.#sources[place]?.noteEnded();
  }

  #setRooms(rooms: MemoryShares): void {
    this.#rooms = rooms;
    this.#eventStore.setRooms(rooms);
    for (const source of this.#runs) source.setRooms(rooms);
  }

  /** Forgets what is held, and all that is known about sources that are no longer shown. */
  #forgetWorld(before: readonly ReplayedSource[]): void {
    this.#eventStore.forgetWorld();
    for (const { id } of before) if (!this.#sourceOf(id)) this.#eventStore.forgetSource(id, true);
  }

  /** The source with this id; without an id, the first source. */
  #sourceOf(id: string | undefined): ReplayedSource | undefined {
    return id === undefined ? this.#sources[0] : this.#sources.find((source) => source.id === id);
  }

  #linesOf(seq: number): readonly string[] | undefined {
    const id = this.#eventStore.history.get(seq)?.source;
    return this.#runs.findLast((run) => run.id === id && run.firstSeq <= seq)?.linesOf(seq);
  }

  #views(): Source[] {
    const rejected = this.#options.rejected();
    const clockOffsetMs = Math.round(this.#options.now() / 1000 - Date.now());
    return this.#sources.map((source) => source.view({ rejected, clockOffsetMs, recording: this.#options.describe() }));
  }
}

/** Throws `ObserveRefusal`: settings of a recording cannot be changed. */
function refuseChanges(): never {
  throw new ObserveRefusal(problem('recording'));
}
