import { lockMillis } from '../clock.ts';
import type { ConnectionPool } from '../connection-pool.ts';
import { holderId, lockChannel, prefixName } from '../names.ts';
import { script } from '../scripts.ts';
import { type LockProtocol, PUBLISH, RELEASED, replyNumber } from './lock-protocol.ts';
import { unlockOnce } from './unlock-latch.ts';

/*
 * A fair lock has a queue: a list of waiters, and a sorted set with the deadline of each. Every script first evicts
 * queue heads whose deadline has passed by the clock of the calling client.
 */

/** The beginning of every script: evicts late queue heads. `queue` and `timeouts` are KEYS[2] and KEYS[3]. */
const EVICT = (now: string) => `
while true do
  local head = redis.call('lindex', KEYS[2], 0)
  if head == false then break end
  local ends = redis.call('zscore', KEYS[3], head)
  if ends == false or tonumber(ends) > tonumber(${now}) then break end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
end
`;

/** The part of a script that acquires, which makes the deadlines of all waiters earlier by `wait`, or re-enters. */
const TAKE = (wait: string) => `
if redis.call('exists', KEYS[1]) == 0
    and (redis.call('exists', KEYS[2]) == 0 or redis.call('lindex', KEYS[2], 0) == ARGV[2]) then
  redis.call('lpop', KEYS[2])
  redis.call('zrem', KEYS[3], ARGV[2])
  for _, waiter in ipairs(redis.call('zrange', KEYS[3], 0, -1)) do
    redis.call('zincrby', KEYS[3], -tonumber(${wait}), waiter)
  end
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
`;

/** KEYS lock, queue, timeouts · ARGV lease, holder, wait, now. Nil: acquired or re-entered; else ms to wait. */
const LOCK_OR_QUEUE = script(`${EVICT('ARGV[4]')}${TAKE('ARGV[3]')}
if redis.call('zscore', KEYS[3], ARGV[2]) ~= false then
  return math.max(0, redis.call('pttl', KEYS[1]))
end
local tail = redis.call('lindex', KEYS[2], -1)
local left
if tail ~= false and tail ~= ARGV[2] and redis.call('zscore', KEYS[3], tail) ~= false then
  left = tonumber(redis.call('zscore', KEYS[3], tail)) - tonumber(ARGV[4])
else
  left = redis.call('pttl', KEYS[1])
end
if redis.call('zadd', KEYS[3], left + tonumber(ARGV[3]) + tonumber(ARGV[4]), ARGV[2]) == 1 then
  redis.call('rpush', KEYS[2], ARGV[2])
end
return left
`);

/** KEYS lock, queue, timeouts · ARGV lease, holder, now, wait. Nil: acquired or re-entered; 1: not now. */
const TRY_ONCE = script(`${EVICT('ARGV[3]')}${TAKE('ARGV[4]')}
return 1
`);

/**
 * KEYS lock, queue, timeouts, channel, latch · ARGV message, lease, holder, now, publish word, latch TTL.
 * 1: released, or already free; 0: still held; nil: not the holder.
 */
const UNLOCK = script(`
local before = redis.call('get', KEYS[5])
if before ~= false then return tonumber(before) end
${EVICT('ARGV[4]')}
local function tell()
  local head = redis.call('lindex', KEYS[2], 0)
  if head ~= false then
    redis.call(ARGV[5], KEYS[4] .. ':' .. head, ARGV[1])
  end
end
if redis.call('exists', KEYS[1]) == 0 then
  tell()
  redis.call('set', KEYS[5], 1, 'px', ARGV[6])
  return 1
end
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  redis.call('set', KEYS[5], 0, 'px', ARGV[6])
  return 0
end
redis.call('del', KEYS[1])
redis.call('set', KEYS[5], 1, 'px', ARGV[6])
tell()
return 1
`);

/**
 * KEYS queue, timeouts · ARGV holder, wait. Removes the waiter; the deadlines of those behind it become earlier by
 * `wait`.
 */
const GIVE_UP = script(`
local isBehind = false
for _, waiter in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
  if isBehind then redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), waiter) end
  if waiter == ARGV[1] then isBehind = true end
end
redis.call('zrem', KEYS[2], ARGV[1])
redis.call('lrem', KEYS[1], 0, ARGV[1])
`);

/** The companion keys of a fair lock: the list of waiters and the sorted set of deadlines. */
export function fairKeys(lock: string): [queue: string, timeouts: string] {
  return [prefixName('redisson_lock_queue', lock), prefixName('redisson_lock_timeout', lock)];
}

/** `RedissonFairLock`: waiters are served in order, and each has its own channel. */
export function fairLock(pool: ConnectionPool): LockProtocol {
  return {
    isShared: false,
    holderOf: holderId,
    async attempt({ lock, holder, leaseMs, isWaiting, queueMs }) {
      const [times, which] = isWaiting ? [[queueMs, lockMillis()], LOCK_OR_QUEUE] : [[lockMillis(), queueMs], TRY_ONCE];
      return replyNumber(await pool.script(which, [lock, ...fairKeys(lock)], [leaseMs, holder, ...times]));
    },
    unlock: (lock, holder, leaseMs) =>
      unlockOnce(pool, lock, (latch, ttlMs) => {
        const keys = [lock, ...fairKeys(lock), lockChannel(lock), latch];
        return pool.script(UNLOCK, keys, [RELEASED, leaseMs, holder, lockMillis(), PUBLISH, ttlMs]);
      }),
    channelOf: (lock, holder) => `${lockChannel(lock)}:${holder}`,
    async giveUp(lock, holder, queueMs) {
      await pool.script(GIVE_UP, fairKeys(lock), [holder, queueMs]);
    },
  };
}
