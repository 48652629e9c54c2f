import type { ConnectionPool } from '../connection-pool.ts';
import { prefixName } from '../names.ts';
import { attemptScript } from '../scripts.ts';
import { type LockProtocol, replyNumber } from './lock-protocol.ts';
import { plainLock } from './plain-lock.ts';

/** KEYS lock, token · ARGV lease, holder. Nil: acquired or re-entered, and the token rises by 1; else the TTL. */
const LOCK = attemptScript("redis.call('incr', KEYS[2])", "redis.call('hincrby', KEYS[1], ARGV[2], 1)");

/** The companion key of a fenced lock: the counter of its tokens. */
export function tokenKey(lock: string): string {
  return prefixName('redisson_lock_token', lock);
}

/** `RedissonFencedLock`: a plain lock with a counter of its acquisitions and re-entries. */
export function fencedLock(pool: ConnectionPool): LockProtocol {
  return {
    ...plainLock(pool),
    attempt: async ({ lock, holder, leaseMs }) =>
      replyNumber(await pool.script(LOCK, [lock, tokenKey(lock)], [leaseMs, holder])),
  };
}
