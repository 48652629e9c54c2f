import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Interpreter } from '../../../shared/events/interpreter.ts';
import { FORMAT, type RecordedSignal, type RecordingHeader } from '../../../shared/recording/format.ts';
import { Recorder } from '../../../shared/recording/recorder.ts';
import { lineFromSignal } from '../../../shared/recording/signal-line.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import type { WatchSignal } from '../../../shared/signals/signal.ts';
import type { Step } from '../../../shared/signals/step.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import { inSlices } from '../slices/in-slices.ts';
import { cutRecording, watchedAs } from './cut-recording.ts';
import { RecordingRing } from './recording-ring.ts';
import type { RecordingCut } from './recording-sink.ts';

const POST_EVERY_MS = 200;
const POST_CHARS = 64 * 1024;

export type RecordedPost =
  | { readonly part: 'begin'; readonly header: RecordingHeader }
  | { readonly part: 'lines'; readonly lines: string; readonly signals: number }
  | { readonly part: 'end'; readonly at: number };

/** Records one source: keeps its newest lines in memory, and posts every line if `post` is given. */
export class SourceRecording {
  readonly #recorder: Recorder;
  readonly #ring = new RecordingRing();
  readonly #madeBy: string | undefined;
  readonly #post: ((post: RecordedPost) => void) | undefined;
  #header: RecordingHeader | undefined;
  #watch: Omit<WatchSignal, 'kind' | 'at'> | undefined;
  #at: RedisTime = redisTime(0);
  #pending: string[] = [];
  #pendingChars = 0;
  #timer: Timer | undefined;

  /** `madeBy` goes into the header. `post` receives everything from the beginning, in small parts. */
  constructor(interpreter: Interpreter, madeBy: string | undefined, post?: (post: RecordedPost) => void) {
    this.#recorder = new Recorder(interpreter);
    this.#madeBy = madeBy;
    this.#post = post;
  }

  /** Changes how much memory the newest lines may take, compressed, in bytes. */
  setRoom(bytes: number): void {
    this.#ring.setRoom(bytes);
  }

  /** Notes how the source is watched from `at` on. */
  watch(source: RecordingHeader['source'], at: RedisTime): void {
    this.#at = redisTime(Math.max(this.#at, at));
    const { kind: _, at: __, ...watch } = watchStepOf(source, at);
    this.#watch = watch;
    if (!this.#header) {
      const madeBy = this.#madeBy === undefined ? undefined : { madeBy: this.#madeBy };
      this.#header = { lockscope: 'recording', format: FORMAT, source, startedAt: this.#at, ...madeBy };
      this.#post?.({ part: 'begin', header: this.#header });
    }
    this.#keep([{ kind: 'watch', at: this.#at, ...this.#watch }]);
  }

  /** Notes what cannot be seen from `at` on, if that has changed. */
  see(lacks: readonly string[], at: RedisTime): void {
    if (!this.#watch || String(this.#watch.lacks ?? '?') === String(lacks)) return;
    this.#watch = { ...this.#watch, lacks };
    this.#at = redisTime(Math.max(this.#at, at));
    this.#keep([{ kind: 'watch', at: this.#at, ...this.#watch, isSame: true }]);
  }

  /** Takes the next step and the number of its events. */
  note(step: Step, events: number): void {
    const signals = this.#recorder.note(step, events);
    if (signals.length === 0 || !this.#watch) return;
    this.#at = redisTime(Math.max(this.#at, timeOfStep(step)));
    this.#keep(signals);
  }

  /** The part of a range of time that is in memory; `undefined` if none of it is. Stops when `signal` aborts. */
  async cut(
    from: number | undefined,
    to: number | undefined,
    heardAt: RedisTime | undefined,
    signal?: AbortSignal,
  ): Promise<RecordingCut | undefined> {
    const oldest = this.#ring.startedAt;
    const now = redisTime(Math.max(this.#at, heardAt ?? 0));
    if (oldest === undefined || !this.#header || (to !== undefined && to < oldest)) return undefined;
    const isFromStart = from === undefined || from <= oldest;
    const startedAt = redisTime(isFromStart ? oldest : Math.min(from, now));
    const range = { from: isFromStart ? undefined : startedAt, to: redisTime(Math.min(to ?? now, now)) };
    const { startedAt: _began, ...header } = this.#header;
    const work = cutRecording(this.#ring.pieces(range.from), range, header, startedAt);
    const bytes = await inSlices(work, signal);
    return { startedAt, bytes };
  }

  /** Ends the recording: no further steps follow. */
  end(now: RedisTime | undefined): void {
    stopTimer(this.#timer);
    this.#flush();
    if (this.#header) this.#post?.({ part: 'end', at: Math.max(this.#at, now ?? 0) });
  }

  #keep(signals: readonly RecordedSignal[]): void {
    const lines = signals.map(lineFromSignal);
    if (this.#ring.startedAt !== undefined) this.#ring.add(textOf(lines), this.#at);
    if (this.#ring.isDue(this.#at) && this.#watch) {
      this.#ring.begin(textOf(this.#recorder.beliefs(this.#at, this.#watch).map(lineFromSignal)), this.#at);
    }
    if (!this.#post) return;
    this.#pending.push(...lines);
    for (const line of lines) this.#pendingChars += line.length;
    if (this.#pendingChars > POST_CHARS) this.#flush();
    else this.#timer ??= startTimer(() => this.#flush(), POST_EVERY_MS);
  }

  #flush(): void {
    stopTimer(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    this.#post?.({ part: 'lines', lines: textOf(this.#pending), signals: this.#pending.length });
    this.#pending = [];
    this.#pendingChars = 0;
  }
}

function textOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** How this source is watched from `at` on, as a step. */
export function watchStepOf(source: RecordingHeader['source'], at: RedisTime): WatchSignal {
  return { kind: 'watch', at, ...watchedAs(source) };
}
