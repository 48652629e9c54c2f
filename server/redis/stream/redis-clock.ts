import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { microsFromTime } from '../reads/read-replies.ts';
import type { RawConnection } from './raw-connection.ts';

/** How far two clocks may drift apart, in ms per ms. */
const DRIFT = 1 / 5000;
/** A first measurement that may be wrong by more than this many ms is repeated. */
const WRONG_BY_MS = 250;
const FIRST_TRIES = 4;

type Measured = {
  /** Redis's clock minus ours, in µs. */
  readonly offset: number;
  /** By how many ms the offset may be wrong: half of the time that the reply took. */
  readonly errorMs: number;
  /** Our clock then, in ms. */
  readonly at: number;
};

/** The clock of one Redis, as far as it was measured. */
export class RedisClock {
  #best: Measured | undefined;

  /** Redis's clock minus ours, in µs. */
  get offset(): number {
    return this.#best?.offset ?? 0;
  }

  /** By how many ms the offset may be wrong. */
  get errorMs(): number {
    return this.#best?.errorMs ?? 0;
  }

  /** Measures the offset for the first time: several times if the replies are slow. */
  async begin(connection: RawConnection): Promise<void> {
    for (let tries = 0; tries < FIRST_TRIES; tries++) {
      await this.sync(connection);
      if (this.errorMs <= WRONG_BY_MS) return;
    }
  }

  /**
   * Measures the offset. Returns how long the reply took, in ms. A slow reply does not replace a better measurement that it
   * agrees with: half of its time may be far from the moment at which Redis read its clock.
   */
  async sync(connection: RawConnection): Promise<number> {
    const before = Date.now();
    const [time] = await connection.pipeline([['TIME']]);
    const after = Date.now();
    const micros = microsFromTime(time ?? null);
    if (micros > 0)
      this.note({ offset: micros - ((before + after) / 2) * 1000, errorMs: (after - before) / 2, at: after });
    return after - before;
  }

  note(measured: Measured): void {
    const best = this.#best;
    if (best) {
      const errorMs = best.errorMs + Math.abs(measured.at - best.at) * DRIFT;
      const apartMs = Math.abs(measured.offset - best.offset) / 1000;
      const isWorse = measured.errorMs > errorMs;
      if (isWorse && apartMs <= measured.errorMs + errorMs) return;
    }
    this.#best = measured;
  }

  /** The current Redis time, by our clock and the best measured offset. */
  now(): RedisTime {
    return redisTime(Math.round(Date.now() * 1000 + this.offset));
  }
}
