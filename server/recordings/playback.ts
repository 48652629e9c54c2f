import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { RecordingHeader } from '../../shared/recording/format.ts';
import { shiftedTimes } from '../../shared/recording/shifted-times.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../shared/signals/step.ts';
import type { Observatory } from '../watch/observatory.ts';
import { Replay } from './replay.ts';

/** The recording of one source in memory. */
export type RecordedSource = { readonly header: RecordingHeader; readonly steps: readonly Step[] };

/** A step, and the place of its source in the recording. */
type PlacedStep = {
  /** When it is played: the steps of one source stay in their order. */
  readonly at: number;
  readonly step: Step;
  readonly place: number;
  /** The server of the source ends here, and no other server replaces it. */
  readonly isSourceEnd: boolean;
};

/** A recording of one or several sources in memory. It can be played several times. */
export type Show = {
  readonly name: string;
  /** The earliest beginning of a source. */
  readonly startedAt: RedisTime;
  readonly endsAt: RedisTime;
  readonly headers: readonly RecordingHeader[];
  /** The steps of all sources, in one order. */
  readonly steps: readonly PlacedStep[];
};

/** Joins the recordings of all sources of a run. They must have one clock, as servers of one machine do. */
export function showOf(name: string, sources: readonly RecordedSource[], endsAt: RedisTime): Show {
  const steps = sources.flatMap(({ steps }, place) => {
    const end = steps.findLastIndex(({ kind }) => kind === 'blind-spot');
    let at = 0;
    return steps.map((step, n) => {
      at = Math.max(at, timeOfStep(step));
      return { at, step, place, isSourceEnd: n === end && isBeginning(step) };
    });
  });
  const headers = sources.map(({ header }) => header);
  return {
    name,
    startedAt: redisTime(Math.min(...headers.map(({ startedAt }) => startedAt))),
    endsAt,
    headers,
    steps: steps.sort((a, b) => a.at - b.at),
  };
}

function isBeginning(step: Step): boolean {
  return step.kind === 'blind-spot' && step.phase === 'began';
}

/** Longest time set on a timer. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Plays recordings in real time, as if they were live. Each step is emitted at its time and dated now.
 *
 *   recorded   12:04:31.0  acquire · · · 12:04:33.5  refuse
 *   played     17:20:00.0  acquire · · · 17:20:02.5  refuse
 *
 * If a recording is played again, its events follow the earlier events. Holds from before end as unseen.
 */
export class Playback {
  readonly #replay: Replay;
  #show: Show;
  #next = 0;
  /** Time of playback minus time of recording, in µs. 0: nothing was played, or `stop` was called. */
  #shift = 0;
  #isPlaying = false;
  #timer: NodeJS.Timeout | undefined;

  readonly #isOver: boolean;

  /**
   * The first source of `first` is shown until a recording is played. With `isOver`, a recording is dated so that it
   * has just ended, and all of it is emitted at once.
   */
  constructor(first: Show, { isOver = false } = {}) {
    this.#show = first;
    this.#isOver = isOver;
    this.#replay = new Replay(first.headers.slice(0, 1), {
      now: () => nowOfUs(),
      rejected: () => 0,
      describe: () => ({
        name: this.#show.name,
        startedAt: this.#show.startedAt,
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

  /**
   * How far the recording has been played, in its own time; after its last step, `endsAt`. `undefined` if nothing was
   * played, or `stop` was called.
   */
  get position(): RedisTime | undefined {
    if (this.#shift === 0) return undefined;
    return redisTime(Math.min(nowOfUs() - this.#shift, this.#show.endsAt));
  }

  /**
   * Stops the current recording, if any, and plays this one from its beginning. Returns the time of playback minus the
   * time of recording, in µs.
   */
  play(show: Show): number {
    this.stop();
    this.#show = show;
    this.#next = 0;
    const begin = this.#isOver ? show.endsAt : show.startedAt;
    this.#shift = Math.floor((nowOfUs() - begin) / 1000) * 1000; // keys of locks have times in ms
    this.#replay.restart(show.headers.map((header) => shiftedTimes(header, show.startedAt, this.#shift)));
    this.#isPlaying = true;
    this.#replay.sourceChanged();
    this.#go();
    return this.#shift;
  }

  /** Stops playing. If the recording has not ended, open holds end as unseen. Only the first source is shown then. */
  stop(): void {
    clearTimeout(this.#timer);
    if (this.#isPlaying) this.#replay.blindSpotBegan('recording-stopped', nowOfUs());
    this.#isPlaying = false;
    this.#replay.showFirst();
    this.#shift = 0;
  }

  #go(): void {
    const position = nowOfUs() - this.#shift;
    const { steps, startedAt, endsAt } = this.#show;
    for (let next = steps[this.#next]; next && next.at <= position; next = steps[this.#next]) {
      this.#next++;
      if (next.isSourceEnd) this.#replay.noteEnded(next.place);
      this.#replay.feed(shiftedTimes(next.step, startedAt, this.#shift), next.place);
    }
    const next = steps[this.#next];
    const until = next?.at ?? endsAt;
    if (!next && position >= endsAt) {
      this.#isPlaying = false;
      this.#replay.sourceChanged();
      return;
    }
    const pause = Math.min(Math.max(1, (until - position) / 1000), LONGEST_PAUSE_MS);
    this.#timer = setTimeout(() => this.#go(), pause);
  }
}

function nowOfUs(): RedisTime {
  return redisTime(Date.now() * 1000);
}
