import { startTimer, steadyMs, stopTimer, type Timer } from '../connection/surroundings.ts';
import { Gathering } from '../replication/gathering.ts';

/** Redis writes a push together with the line that it belongs to: after this time, nothing more can be under way. */
const QUIET_MS = 3;

type Parts = {
  /** The connection, which stops reading between `pause` and `resume`. */
  readonly stream: { pause(): void; resume(): void };
  /** Whether reading pauses after each read while lines arrive fast. */
  readonly pausesWhenFast: boolean;
  /** More belongs to the last signal: a part of a frame, or signals that are held back. */
  isMidway(): boolean;
  onQuiet(): void;
};

/**
 * Notices that a connection is silent. A timer may fire before bytes that arrived long ago are read, so silence means
 * two timers without a read in between. In the middle of a line there is never silence, however long Redis was held up.
 *
 *   read, pause · timer, resume · read, pause · timer, resume · timer: quiet
 */
export class Silence {
  readonly #parts: Parts;
  #timer: Timer | undefined;
  #hasRead = false;
  #isPaused = false;
  readonly #gathering = new Gathering(steadyMs());

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes a read, with its bytes and lines. While lines arrive fast, reading pauses afterwards. */
  read(bytes: number, lines: number): void {
    const { pausesWhenFast, stream } = this.#parts;
    const pauseMs = pausesWhenFast && !this.#isPaused ? this.#gathering.pauseMs(bytes, lines, steadyMs()) : 0;
    if (pauseMs === 0) return this.expect();
    this.#hasRead = true;
    this.#isPaused = true;
    stream.pause();
    stopTimer(this.#timer);
    this.#timer = startTimer(() => this.#look(), pauseMs);
  }

  /** Calls `onQuiet` when nothing has been read for a moment. */
  expect(): void {
    this.#hasRead = true;
    this.#timer ??= startTimer(() => this.#look(), QUIET_MS);
  }

  end(): void {
    stopTimer(this.#timer);
  }

  #look(): void {
    const hasRead = this.#hasRead;
    this.#hasRead = false;
    if (this.#isPaused) this.#parts.stream.resume();
    this.#isPaused = false;
    this.#timer = hasRead ? startTimer(() => this.#look(), QUIET_MS) : undefined;
    if (!hasRead && !this.#parts.isMidway()) this.#parts.onQuiet();
  }
}
