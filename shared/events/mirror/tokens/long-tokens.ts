import { forgetOldest } from '../../../base/forget-oldest.ts';
import { type Millis, plusMillis, type RedisTime } from '../../../base/time.ts';

/** A token or permit with a long lease, or without an end, and the connection on which it was acquired. */
type LongToken = {
  readonly db: number;
  readonly lock: string;
  readonly token: string;
  readonly by: string;
  /** The name of that connection; undefined: not known. */
  readonly name: string | undefined;
  readonly at: RedisTime;
  /** `token` is the id of a permit of a semaphore. */
  readonly isPermit?: true;
};

/** A lease of a lock is long from here on: it may guard a job against duplicates. */
export const LONG: Millis = 3_600_000;
/** A permit with a shorter lease is soon free again. */
const LONG_PERMIT: Millis = 60_000;
/**
 * A hold counts as long only after this time: most locks are released before, and one that is acquired by SETNX and
 * EXPIRE has no end between the two.
 */
export const SETTLED: Millis = 3000;
const MOST = 1000;

/**
 * Holds that no lease will end soon. Only for such a hold does it matter whether its connection still exists. A token
 * does not identify a client: each acquisition has a new one.
 */
export class LongTokens {
  readonly #tokens = new Map<string, LongToken>();
  /** Called with each hold that is noted. */
  onNoted: () => void = () => {};

  /** Notes a hold, if its lease is long; forgets the lock's previous hold. `leaseMs` null: it has no end. */
  note(hold: LongToken, leaseMs: Millis | null): void {
    const { db, lock, token, isPermit } = hold;
    const id = isPermit ? `${db}/${lock}/${token}` : `${db}/${lock}`;
    this.#tokens.delete(id);
    if (leaseMs !== null && leaseMs < (isPermit ? LONG_PERMIT : LONG)) return;
    this.#tokens.set(id, hold);
    forgetOldest(this.#tokens, MOST);
    this.onNoted();
  }

  /** Removes and returns the holds that were acquired 3 s ago or earlier. */
  takeSettled(now: RedisTime): LongToken[] {
    const settled = [...this.#tokens].filter(([, { at }]) => plusMillis(at, SETTLED) <= now);
    for (const [id] of settled) this.#tokens.delete(id);
    return settled.map(([, hold]) => hold);
  }
}
