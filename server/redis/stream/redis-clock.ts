import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { microsFromTime } from '../reads/read-replies.ts';
import type { RawConnection } from './raw-connection.ts';

/** The clock of one Redis, as far as it was measured. */
export class RedisClock {
  /** Redis's clock minus ours, in µs. */
  offset = 0;
  /** By how many ms the offset may be wrong: half of the time that the reply took. */
  errorMs = 0;

  /** Measures the offset. Returns how long the reply took, in ms. */
  async sync(connection: RawConnection): Promise<number> {
    const before = Date.now();
    const [time] = await connection.pipeline([['TIME']]);
    const after = Date.now();
    const micros = microsFromTime(time ?? null);
    if (micros > 0) {
      this.offset = micros - ((before + after) / 2) * 1000;
      this.errorMs = (after - before) / 2;
    }
    return after - before;
  }

  /** The current Redis time, by our clock and the last measured offset. */
  now(): RedisTime {
    return redisTime(Math.round(Date.now() * 1000 + this.offset));
  }
}
