import { type RedisTime, redisTime } from '../../../shared/base/time.ts';

/** A step back of at least this is a clock that was set. A smaller one is a better measurement of it. */
const SET_MICROS = 1_000_000;

/**
 * The Redis time of a source. When a better measurement of Redis's clock sets the time back, it stands still until that
 * time has passed, so that what is noted later does not seem to be older.
 *
 *   measured   10.00   10.20 ─┐ 10.15   10.19   10.24
 *   time       10.00   10.20  └►10.20   10.20   10.24
 */
export class SteadyTime {
  #last = redisTime(0);

  /** The time, if the measured one is `measured`. */
  from(measured: RedisTime): RedisTime {
    const isCorrected = measured < this.#last && this.#last - measured < SET_MICROS;
    if (!isCorrected) this.#last = measured;
    return this.#last;
  }
}
