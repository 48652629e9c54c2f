/** Redis writes a push together with the line that it belongs to: after this time, nothing more can be under way. */
const QUIET_MS = 3;
/** After a read of this many bytes, the next read follows at once: more is likely to be waiting. */
const BIG_READ = 32 * 1024;

type Parts = {
  /** The connection, which stops reading between `pause` and `resume`. */
  readonly stream: { pause(): void; resume(): void };
  /** Whether small reads are followed by a rest. */
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
  #timer: NodeJS.Timeout | undefined;
  #hasRead = false;
  #isResting = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Notes a read. Redis writes after every few commands, and a read costs more than the few lines in it. So after a small
   * read, reading pauses for a moment while the system collects bytes, and then takes them at once.
   */
  read(bytes: number): void {
    this.expect();
    if (!this.#parts.isRestful || bytes >= BIG_READ || this.#isResting) return;
    this.#isResting = true;
    this.#parts.stream.pause();
  }

  /** Calls `onQuiet` when nothing has been read for a moment. */
  expect(): void {
    this.#hasRead = true;
    this.#timer ??= setTimeout(() => this.#look(), QUIET_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const hasRead = this.#hasRead;
    this.#hasRead = false;
    if (this.#isResting) this.#parts.stream.resume();
    this.#isResting = false;
    this.#timer = hasRead ? setTimeout(() => this.#look(), QUIET_MS) : undefined;
    if (!hasRead && !this.#parts.isMidway()) this.#parts.onQuiet();
  }
}
