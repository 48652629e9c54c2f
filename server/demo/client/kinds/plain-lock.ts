import type { ConnectionPool } from '../connection-pool.ts';
import { holderId, lockChannel } from '../names.ts';
import { FORCE_UNLOCK, LOCK, RENEW, UNLOCK } from '../scripts.ts';
import { type LockProtocol, PUBLISH, RELEASED, replyNumber } from './lock-protocol.ts';
import { unlockOnce } from './unlock-latch.ts';

/** `RedissonLock`: one holder at a time, one channel for all waiters. */
export function plainLock(pool: ConnectionPool): LockProtocol {
  return {
    isShared: false,
    holderOf: holderId,
    attempt: async ({ lock, holder, leaseMs }) => replyNumber(await pool.script(LOCK, [lock], [leaseMs, holder])),
    unlock: (lock, holder, leaseMs) =>
      unlockOnce(pool, lock, (latch, ttlMs) =>
        pool.script(UNLOCK, [lock, lockChannel(lock), latch], [RELEASED, leaseMs, holder, PUBLISH, ttlMs]),
      ),
    channelOf: lockChannel,
  };
}

/** Frees a lock regardless of its holder. True if the lock was held. */
export async function forceUnlock(pool: ConnectionPool, lock: string): Promise<boolean> {
  return (await pool.script(FORCE_UNLOCK, [lock, lockChannel(lock)], [RELEASED, PUBLISH])) === 1;
}

/** Renews these holds with one script. Returns one value per hold: false if the hold has ended. */
export async function renewHolds(
  pool: ConnectionPool,
  holds: readonly { lock: string; holder: string }[],
  leaseMs: number,
): Promise<boolean[]> {
  const locks = holds.map(({ lock }) => lock);
  const holders = holds.map(({ holder }) => holder);
  const reply = await pool.script(RENEW, locks, [leaseMs, ...holders]);
  if (!Array.isArray(reply)) throw new Error(`a renewal script returned ${JSON.stringify(reply)}`);
  return reply.map((outcome) => outcome === 1);
}
