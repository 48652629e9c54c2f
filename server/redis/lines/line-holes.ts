import { type RedisTime, redisTime } from '../../../shared/base/time.ts';

/** A longer time without any line is a hole: the heartbeat alone makes a line every 200 ms. */
const HOLE_MICROS = 1_000_000;
/** A beat begins at most this long after a hole does. */
const LATE_BEAT_MS = 500;
/** Commands that waited for the end of a hole run within this time after it. */
const BURST_MICROS = 100_000;
const SCRIPTS_OF_BURST = 2;
/** This many lines in a second are not ours alone. */
const BUSY_LINES = 30;

/** A time without a line, and whether the lines around it show that clients waited in it. */
export type LineHole = { readonly from: RedisTime; readonly to: RedisTime; readonly isOfClients: boolean };

/**
 * Finds holes in the lines of clients, by the time of each line. A long script causes a hole as well: its own lines are
 * not those of a client. A hole counts if our heartbeat was under way in it.
 */
export class LineHoles {
  readonly #onHole: (hole: LineHole) => void;
  readonly #waitedMs: () => number;
  #at = 0;
  #second = 0;
  #inSecond = 0;
  #perSecond = 0;
  #open: { from: number; to: number; scripts: number; isBusy: boolean } | undefined;

  /**
   * `waitedMs`: for how long a heartbeat has been under way. If it is shorter than a hole, our own thread or connection
   * stood still.
   */
  constructor(onHole: (hole: LineHole) => void, waitedMs: () => number) {
    this.#onHole = onHole;
    this.#waitedMs = waitedMs;
  }

  /** Takes the time of the next line of a client, in µs. NaN is ignored. */
  line(at: number): void {
    if (Number.isNaN(at)) return;
    if (this.#open && at > this.#open.to + BURST_MICROS) this.#close();
    if (this.#at > 0 && at > this.#at + HOLE_MICROS && this.#waitedMs() + LATE_BEAT_MS >= (at - this.#at) / 1000) {
      this.#open = { from: this.#at, to: at, scripts: 0, isBusy: this.#perSecond >= BUSY_LINES };
    }
    this.#at = at;
    const second = Math.floor(at / 1_000_000);
    if (second !== this.#second) {
      this.#perSecond = this.#inSecond;
      this.#inSecond = 0;
      this.#second = second;
    }
    this.#inSecond++;
  }

  /**
   * Takes the next `count` lines of clients, all of the same second as the line before. `at`: the time of the last one.
   */
  linesOfSecond(at: number, count: number): void {
    this.line(at);
    this.#inSecond += count - 1;
  }

  /** The last line was a client's call of a script. */
  script(): void {
    if (this.#open) this.#open.scripts++;
  }

  #close(): void {
    if (!this.#open) return;
    const { from, to, scripts, isBusy } = this.#open;
    this.#open = undefined;
    this.#onHole({
      from: redisTime(from),
      to: redisTime(to),
      isOfClients: isBusy || scripts >= SCRIPTS_OF_BURST,
    });
  }
}
