import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import { inSlices } from '../slices/in-slices.ts';
import type { EventStore } from './event-store.ts';
import type { LookClock } from './look-clock.ts';

/** How often time passes for the detectors, if no event arrives. */
const EVERY_MS = 250;
/** Events of the last moment may not have arrived yet: a list of clients is older than the lines before it. */
export const LATE_MS = 300;

type LookTimerParts = {
  readonly clock: LookClock;
  readonly store: Pick<EventStore, 'look'>;
  /** The present Redis time, and by how much the stream is behind it at most. */
  now(): RedisTime;
  lagMs(): number;
  /** Is called if the detectors throw. */
  warn(message: string): void;
};

/** Lets the detectors look while no events arrive, and in slices if there are many locks. */
export class LookTimer {
  readonly #parts: LookTimerParts;
  readonly #stopped = new AbortController();
  #timer: Timer | undefined;

  constructor(parts: LookTimerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = startTimer(() => void this.#pass(), EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    stopTimer(this.#timer);
    this.#stopped.abort();
  }

  async #pass(): Promise<void> {
    const { clock, store, now, lagMs, warn } = this.#parts;
    try {
      const time = plusMillis(now(), -LATE_MS - lagMs());
      const at = clock.dueInSlices(time);
      if (at === undefined) clock.passTime(time);
      else await inSlices(store.look(at), this.#stopped.signal);
    } catch (error) {
      if (!this.#stopped.signal.aborted) warn(`The detectors failed: ${error}`);
    }
    if (!this.#stopped.signal.aborted) this.start();
  }
}
