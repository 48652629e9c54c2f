import type { ConnectionPool } from './connection-pool.ts';
import { lockChannel, newRequestId, unlockLatch } from './names.ts';
import { FORCE_UNLOCK, LOCK, RENEW, UNLOCK } from './scripts.ts';

const RELEASED_MESSAGE = '0';
const PUBLISH = 'PUBLISH';

/** The commands of a plain lock, one method a script. */
export class LockCommands {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** One attempt: null when acquired or re-entered, else the TTL of the hold in its way. */
  async attempt(lock: string, holder: string, leaseMs: number): Promise<number | null> {
    return replyNumber(await this.#pool.script(LOCK, [lock], [leaseMs, holder]));
  }

  /** True: released; false: held still, one level less; null: this holder does not hold it. */
  async unlock(lock: string, holder: string, leaseMs: number): Promise<boolean | null> {
    const latch = unlockLatch(lock, newRequestId());
    const keys = [lock, lockChannel(lock), latch];
    const reply = await this.#pool.script(UNLOCK, keys, [RELEASED_MESSAGE, leaseMs, holder, PUBLISH, latchTtl()]);
    // The answer has arrived, so nobody will ask again. Nobody waits for this one either.
    this.#pool.command('DEL', latch).catch(() => undefined);
    return reply === null ? null : replyNumber(reply) === 1;
  }

  /** True when somebody held it. */
  async forceUnlock(lock: string): Promise<boolean> {
    return (await this.#pool.script(FORCE_UNLOCK, [lock, lockChannel(lock)], [RELEASED_MESSAGE, PUBLISH])) === 1;
  }

  /** Refills all these holds at once; one answer a hold: false when it is no longer held. */
  async renew(holds: readonly { lock: string; holder: string }[], leaseMs: number): Promise<boolean[]> {
    const locks = holds.map(({ lock }) => lock);
    const holders = holds.map(({ holder }) => holder);
    const reply = await this.#pool.script(RENEW, locks, [leaseMs, ...holders]);
    if (!Array.isArray(reply)) throw new Error(`a renewal answered ${JSON.stringify(reply)}`);
    return reply.map((one) => one === 1);
  }
}

/** As long as a client might still repeat an unlock: four times (3 s timeout + 1 to 2 s pause). */
function latchTtl(): number {
  return 4 * (3000 + 1000 + Math.floor(Math.random() * 1001));
}

function replyNumber(reply: unknown): number | null {
  if (reply === null || typeof reply === 'number') return reply;
  throw new Error(`a lock script answered ${JSON.stringify(reply)}`);
}
