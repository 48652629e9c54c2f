import type { RedisTime } from '../base/time.ts';

/** Wake-ups that ended in a refused attempt, in one range without a pause of `PAUSE_MS`. */
export type Herd = {
  readonly since: RedisTime;
  readonly at: RedisTime;
  /** Releases that were published since then. */
  readonly releases: number;
  /** Woken attempts that were refused. */
  readonly refused: number;
};

/** The reads of a read-write lock that were admitted while a writer waited and the lock was never free. */
export type ReadsAhead = { readonly since: RedisTime; readonly at: RedisTime; readonly reads: number };
