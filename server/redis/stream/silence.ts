import { startTimer, steadyMs, stopTimer, type Timer } from '../connection/surroundings.ts';
import { Gathering } from '../replication/gathering.ts';

/** Redis writes a push together with the line that it belongs to: after this time, nothing more can be under way. */
const QUIET_MS = 3;

type Parts = {
  /** The connection, which stops reading between `pause` and `resume`. */
  readonly stream: { pause(): void; resume(): void };
  /** Whether a read is followed by a rest while lines come fast. */
  readonly isRestful: boolean;
  /** More belongs to the last signal: a part of a frame, or signals that are held back. */
  isMidway(): boolean;
  onQuiet(): void;
};

/**
 * Notices that a connection is silent. A timer may fire before bytes that arrived long ago are read, so silence means two
 * timers without a read in between. In the middle of a line there is never silence, however long Redis was held up.
 *
 *   read, rest · timer, resume · read, rest · timer, resume · timer: quiet
 */
export class Silence {
  readonly #parts: Parts;
  #timer: Timer | undefined;
  #hasRead = false;
  #isResting = false;
  readonly #gathering = new Gathering(steadyMs());

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes a read, with its bytes and lines. While lines come fast, reading rests afterwards. */
  read(bytes: number, lines: number): void {
    const { isRestful, stream } = this.#parts;
    const restMs = isRestful && !this.#isResting ? this.#gathering.restMs(bytes, lines, steadyMs()) : 0;
    if (restMs === 0) return this.expect();
    this.#hasRead = true;
    this.#isResting = true;
    stream.pause();
    stopTimer(this.#timer);
    this.#timer = startTimer(() => this.#look(), restMs);
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
    if (this.#isResting) this.#parts.stream.resume();
    this.#isResting = false;
    this.#timer = hasRead ? startTimer(() => this.#look(), QUIET_MS) : undefined;
    if (!hasRead && !this.#parts.isMidway()) this.#parts.onQuiet();
  }
}
