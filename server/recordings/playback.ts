import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../shared/signals/step.ts';
import type { Observatory } from '../watch/observatory.ts';
import { Replay } from './replay.ts';

/** A recording in memory. It can be played several times. */
export type Show = {
  readonly name: string;
  readonly header: RecordingHeader;
  readonly steps: readonly Step[];
  readonly endsAt: RedisTime;
};

/** Longest time set on a timer. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Plays recordings in real time, as if they were live. Each step is emitted at its time and dated now.
 *
 *   recorded   12:04:31.0  acquire · · · 12:04:33.5  refuse
 *   played     17:20:00.0  acquire · · · 17:20:02.5  refuse
 *
 * If a recording is played again, its events follow the earlier ones. Holds from before end as unseen.
 */
export class Playback {
  readonly #replay: Replay;
  #show: Show;
  #next = 0;
  /** Time of playback minus time of recording, in µs. 0: nothing is played. */
  #shift = 0;
  #isPlaying = false;
  #timer: NodeJS.Timeout | undefined;

  /** `first` describes the source until a recording is played. */
  constructor(first: Show) {
    this.#show = first;
    this.#replay = new Replay(first.header, {
      now: () => nowOfUs(),
      rejected: () => 0,
      describe: () => ({
        name: this.#show.name,
        startedAt: this.#show.header.startedAt,
        endsAt: this.#show.endsAt,
        playing: true,
        cutShort: false,
        badLines: { count: 0, first: [] },
      }),
    });
  }

  get observatory(): Observatory {
    return this.#replay.observatory;
  }

  /** How far the recording has been played, in its own time; `undefined` if none is played. */
  get position(): RedisTime | undefined {
    if (this.#shift === 0) return undefined;
    return redisTime(Math.min(nowOfUs() - this.#shift, this.#show.endsAt));
  }

  /** Stops the current recording, if any, and plays this one from its beginning. */
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

  /** Stops playing. Open holds end as unseen. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#isPlaying) {
      this.#replay.blindSpotBegan('recording-stopped', nowOfUs());
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

/** The step with all its times `shift` µs later. */
function shifted(step: Step, shift: number): Step {
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
