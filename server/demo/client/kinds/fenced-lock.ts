import type { ConnectionPool } from '../connection-pool.ts';
import { prefixName } from '../names.ts';
import { script } from '../scripts.ts';
import { plainLock } from './plain-lock.ts';
import { replyNumber, type WayOfLocking } from './way-of-locking.ts';

/** KEYS lock, token · ARGV lease, holder. Nil: acquired or re-entered, and the token has risen; else the TTL in ms. */
const LOCK = script(`
local function take()
  redis.call('incr', KEYS[2])
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if redis.call('exists', KEYS[1]) == 0 then
  return take()
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  return take()
end
return redis.call('pttl', KEYS[1])
`);

/** The counter beside a fenced lock. */
export function tokenKey(lock: string): string {
  return prefixName('redisson_lock_token', lock);
}

/** `RedissonFencedLock`: a plain lock that counts how often it was taken. */
export function fencedLock(pool: ConnectionPool): WayOfLocking {
  return {
    ...plainLock(pool),
    attempt: async ({ lock, holder, leaseMs }) =>
      replyNumber(await pool.script(LOCK, [lock, tokenKey(lock)], [leaseMs, holder])),
  };
}
