import { random } from '../../../redis/connection/surroundings.ts';
import type { ConnectionPool } from '../connection-pool.ts';
import { script } from '../scripts.ts';
import type { LockProtocol } from './lock-protocol.ts';
import { plainLock } from './plain-lock.ts';
import { unlockOnce } from './unlock-latch.ts';

/** KEYS lock, latch · ARGV lease, holder, latch TTL. 1: released; 0: still held; nil: not the holder. */
const UNLOCK = script(`
local before = redis.call('get', KEYS[2])
if before ~= false then return tonumber(before) end
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end
local outcome = 0
if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
else
  redis.call('del', KEYS[1])
  outcome = 1
end
redis.call('set', KEYS[2], outcome, 'px', ARGV[3])
return outcome
`);

/** `RedissonSpinLock`: no channel. Waiters poll, and a release publishes nothing. */
export function spinLock(pool: ConnectionPool): LockProtocol {
  return {
    ...plainLock(pool),
    unlock: (lock, holder, leaseMs) =>
      unlockOnce(pool, lock, (latch, ttlMs) => pool.script(UNLOCK, [lock, latch], [leaseMs, holder, ttlMs])),
    channelOf: () => null,
  };
}

const FIRST_MS = 1;
const LONGEST_MS = 128;

/** The pause before the next attempt, in ms: doubles with each refusal, plus a random part, at most 128 ms. */
export function backOffMs(refusals: number): number {
  const base = FIRST_MS * 2 ** Math.min(refusals, 30);
  return Math.min(LONGEST_MS, base + Math.floor(random() * (base + 1)));
}
