/** The rate of lines is computed over at least this many ms. */
const COUNTED_MS = 20;
/** Rates of lines. Below `FEW_PER_MS` there is no pause after a read. From `MANY_PER_MS` on, it is `LONGEST_MS`. */
const FEW_PER_MS = 1;
const MANY_PER_MS = 10;
const LONGEST_MS = 10;
/**
 * Bytes that are collected in a pause at most. Much more would fill the system's buffer, and Redis would have to keep
 * the rest.
 */
const MOST_COLLECTED = 48 * 1024;
/** After a read of this many bytes, the next one follows at once: more is likely to be waiting. */
const BIG_READ = 32 * 1024;

/**
 * How long a reader should pause after a read, while the system collects what arrives.
 *
 * Redis writes after every few commands, and waking up for a read costs more than the few lines in it. So reads are
 * fewer while lines come fast: a pause of 1 ms for each 1,000 lines a second, at most 10 ms. If lines are few, there is
 * no pause.
 */
export class Gathering {
  #since: number;
  #lines = 0;
  #bytes = 0;
  #pauseMs = 0;

  /** `now` as in `pauseMs`. */
  constructor(now: number) {
    this.#since = now;
  }

  /** Takes a read, and returns the pause after it in whole ms. `now` in ms, of any monotonic clock. */
  pauseMs(bytes: number, lines: number, now: number): number {
    this.#bytes += bytes;
    this.#lines += lines;
    const ms = now - this.#since;
    if (ms >= COUNTED_MS) {
      this.#pauseMs = pauseFor(this.#lines / ms, this.#bytes / ms);
      this.#since = now;
      this.#lines = 0;
      this.#bytes = 0;
    }
    return bytes >= BIG_READ ? 0 : this.#pauseMs;
  }
}

function pauseFor(linesPerMs: number, bytesPerMs: number): number {
  if (linesPerMs < FEW_PER_MS) return 0;
  const wanted = (LONGEST_MS * Math.min(linesPerMs, MANY_PER_MS)) / MANY_PER_MS;
  return Math.floor(Math.min(wanted, MOST_COLLECTED / bytesPerMs));
}
