import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import { inSlices } from '../slices/in-slices.ts';
import type { EventStore } from './event-store.ts';
import type { LookClock } from './look-clock.ts';

/** The longest and the shortest pause between two passes. Neither is long, because the clock of Redis may be set. */
const LONGEST_MS = 250;
const SHORTEST_MS = 20;
/** Events of the last moment may not have arrived yet: a list of clients is older than the lines before it. */
export const LATE_MS = 300;

/** Two estimates of Redis's time differ by less than this. A greater step back shows that its clock was set. */
const SET_BACK_MS = 1000;

type LookTimerParts = {
  readonly clock: LookClock;
  readonly store: Pick<EventStore, 'look'>;
  /** The present Redis time. */
  now(): RedisTime;
  /** Is called if the detectors throw. */
  warn(message: string): void;
};

/** Lets the detectors look while no events arrive, and in slices if there are many locks. */
export class LookTimer {
  readonly #parts: LookTimerParts;
  readonly #stopped = new AbortController();
  #timer: Timer | undefined;
  /** What `now()` returned at the last pass; 0 before the first one. Until a server is reached, `now()` is our clock. */
  #before = redisTime(0);

  constructor(parts: LookTimerParts) {
    this.#parts = parts;
  }

  start(): void {
    const ms = this.#parts.clock.msUntilNext(this.#time()) + 1;
    this.#timer = startTimer(() => void this.#pass(), Math.min(LONGEST_MS, Math.max(SHORTEST_MS, ms)));
    this.#timer.unref();
  }

  stop(): void {
    stopTimer(this.#timer);
    this.#stopped.abort();
  }

  /**
   * The time until which all events have arrived, except those of a source that is late: its own time is earlier by its
   * lag.
   */
  #time(): RedisTime {
    return plusMillis(this.#parts.now(), -LATE_MS);
  }

  async #pass(): Promise<void> {
    const { clock, store, warn, now } = this.#parts;
    // Redis's clock was set back: the next look would be late by that difference
    if (now() < plusMillis(this.#before, -SET_BACK_MS)) clock.restart();
    this.#before = now();
    try {
      const time = this.#time();
      const at = clock.dueInSlices(time);
      if (at === undefined) clock.passTime(time);
      else await inSlices(store.look(at), this.#stopped.signal);
    } catch (error) {
      if (!this.#stopped.signal.aborted) warn(`The detectors failed: ${error}`);
    }
    if (!this.#stopped.signal.aborted) this.start();
  }
}
