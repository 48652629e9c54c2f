import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { type RecordedStep, timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Observatory } from '../watch/observatory.ts';
import { Replay } from './replay.ts';

/** A recording in memory, to be played as often as wanted. */
export type Show = {
  readonly name: string;
  readonly header: RecordingHeader;
  readonly steps: readonly RecordedStep[];
  readonly endsAt: RedisTime;
};

/** Timers do not reach further than this. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Plays recordings in real time, as if they were live: every step comes at its time, dated now.
 *
 *   recorded   12:04:31.0  acquire · · · 12:04:33.5  refuse
 *   played     17:20:00.0  acquire · · · 17:20:02.5  refuse
 *
 * Played again, a recording follows what was played before; what was held then is not known any more.
 */
export class Playback {
  readonly #replay: Replay;
  #show: Show;
  #next = 0;
  /** Now minus then, in µs. */
  #shift = 0;
  #isPlaying = false;
  #timer: NodeJS.Timeout | undefined;

  /** `first` is what is shown of until something is played. */
  constructor(first: Show) {
    this.#show = first;
    this.#replay = new Replay(first.header, {
      now: () => nowOfUs(),
      rejected: () => 0,
      describe: () => ({
        name: this.#show.name,
        startedAt: this.#show.header.startedAt,
        endsAt: this.#show.endsAt,
        playing: this.#isPlaying,
        cutShort: false,
        badLines: { count: 0, first: [] },
      }),
    });
  }

  get observatory(): Observatory {
    return this.#replay.observatory;
  }

  /** How far the recording has been played, in its own time; undefined before the first. */
  get position(): RedisTime | undefined {
    if (this.#shift === 0) return undefined;
    return redisTime(Math.min(nowOfUs() - this.#shift, this.#show.endsAt));
  }

  /** Plays a recording from its beginning; what is playing ends. */
  play(show: Show): void {
    this.stop();
    this.#show = show;
    this.#next = 0;
    this.#shift = nowOfUs() - show.header.startedAt;
    this.#replay.restart({ ...show.header, startedAt: nowOfUs() });
    this.#isPlaying = true;
    this.#replay.sourceChanged();
    this.#go();
  }

  /** Ends what is playing; what was held is not known any more. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#isPlaying) {
      this.#replay.lookAway('the recording was stopped', nowOfUs());
      this.#isPlaying = false;
      this.#replay.sourceChanged();
    }
    this.#shift = 0;
  }

  #go(): void {
    const position = nowOfUs() - this.#shift;
    const { steps, endsAt } = this.#show;
    for (let step = steps[this.#next]; step && timeOfStep(step) <= position; step = steps[this.#next]) {
      this.#next++;
      this.#replay.feed(shifted(step, this.#shift));
    }
    const next = steps[this.#next];
    const until = next ? timeOfStep(next) : endsAt;
    if (!next && position >= endsAt) {
      this.#isPlaying = false;
      this.#replay.sourceChanged();
      return;
    }
    const pause = Math.min(Math.max(1, (until - position) / 1000), LONGEST_PAUSE_MS);
    this.#timer = setTimeout(() => this.#go(), pause);
  }
}

/** The step as if it had happened `shift` µs later. */
function shifted(step: RecordedStep, shift: number): RecordedStep {
  const later = <T extends { readonly at: RedisTime }>(signal: T): T => ({
    ...signal,
    at: redisTime(signal.at + shift),
  });
  if (step.kind !== 'command') return later(step);
  return { ...step, head: later(step.head), inner: step.inner.map(later), pushes: step.pushes.map(later) };
}

function nowOfUs(): RedisTime {
  return redisTime(Date.now() * 1000);
}
