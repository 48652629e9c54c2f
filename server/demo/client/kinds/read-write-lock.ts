import type { ConnectionPool } from '../connection-pool.ts';
import { holderId, prefixName, suffixName } from '../names.ts';
import { script } from '../scripts.ts';
import { type LockProtocol, PUBLISH, READERS_MAY_COME, RELEASED, replyNumber } from './lock-protocol.ts';
import { unlockOnce } from './unlock-latch.ts';

/*
 * One hash for both sides: a field `mode`, one field per reader, one for the writer. Each hold of a reader has its own
 * timeout key. The hash expires with the longest of them.
 */

/** KEYS lock, timeouts · ARGV lease, reader, writer. Nil: acquired or re-entered; else the TTL in ms. */
const READ_LOCK = script(`
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == false then
  redis.call('hset', KEYS[1], 'mode', 'read')
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('set', KEYS[2] .. ':1', 1)
  redis.call('pexpire', KEYS[2] .. ':1', ARGV[1])
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if mode == 'read' or redis.call('hexists', KEYS[1], ARGV[3]) == 1 then
  local timeout = KEYS[2] .. ':' .. redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('set', timeout, 1)
  redis.call('pexpire', timeout, ARGV[1])
  redis.call('pexpire', KEYS[1], math.max(redis.call('pttl', KEYS[1]), ARGV[1]))
  return nil
end
return redis.call('pttl', KEYS[1])
`);

/**
 * KEYS lock, channel, timeouts, prefix, latch · ARGV message, reader, publish word, latch TTL.
 * 1: the lock is free; 0: still held, by this reader or another thread; nil: not a reader.
 */
const READ_UNLOCK = script(`
local before = redis.call('get', KEYS[5])
if before ~= false then return tonumber(before) end
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == false then
  redis.call(ARGV[3], KEYS[2], ARGV[1])
  redis.call('set', KEYS[5], 1, 'px', ARGV[4])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return nil end
local count = redis.call('hincrby', KEYS[1], ARGV[2], -1)
if count == 0 then redis.call('hdel', KEYS[1], ARGV[2]) end
redis.call('del', KEYS[3] .. ':' .. (count + 1))
if redis.call('hlen', KEYS[1]) > 1 then
  local longest = -3
  for _, field in ipairs(redis.call('hkeys', KEYS[1])) do
    local holds = tonumber(redis.call('hget', KEYS[1], field))
    for n = holds or 0, 1, -1 do
      local left = redis.call('pttl', KEYS[4] .. ':' .. field .. ':rwlock_timeout:' .. n)
      longest = math.max(longest, left)
    end
  end
  if longest > 0 then
    redis.call('pexpire', KEYS[1], longest)
    redis.call('set', KEYS[5], 0, 'px', ARGV[4])
    return 0
  end
  if mode == 'write' then return 0 end
end
redis.call('del', KEYS[1])
redis.call(ARGV[3], KEYS[2], ARGV[1])
redis.call('set', KEYS[5], 1, 'px', ARGV[4])
return 1
`);

/** KEYS lock · ARGV lease, writer. Nil: acquired or re-entered; else the TTL in ms. */
const WRITE_LOCK = script(`
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == false then
  redis.call('hset', KEYS[1], 'mode', 'write')
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if mode == 'write' and redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], redis.call('pttl', KEYS[1]) + ARGV[1])
  return nil
end
return redis.call('pttl', KEYS[1])
`);

/**
 * KEYS lock, channel, latch · ARGV message, lease, writer, publish word, latch TTL.
 * 1: released, though the writer may keep reading; 0: still held; nil: not the writer.
 */
const WRITE_UNLOCK = script(`
local before = redis.call('get', KEYS[3])
if before ~= false then return tonumber(before) end
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == false then
  redis.call(ARGV[4], KEYS[2], ARGV[1])
  redis.call('set', KEYS[3], 1, 'px', ARGV[5])
  return nil
end
if mode ~= 'write' or redis.call('hexists', KEYS[1], ARGV[3]) == 0 then return nil end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  redis.call('set', KEYS[3], 0, 'px', ARGV[5])
  return 0
end
redis.call('hdel', KEYS[1], ARGV[3])
if redis.call('hlen', KEYS[1]) == 1 then
  redis.call('del', KEYS[1])
  redis.call(ARGV[4], KEYS[2], ARGV[1])
else
  redis.call('hset', KEYS[1], 'mode', 'read')
end
redis.call('set', KEYS[3], 1, 'px', ARGV[5])
return 1
`);

/**
 * KEYS lock and prefix in pairs · ARGV lease, then for each lock how many readers, and the readers.
 * One number per reader: 1 renewed, 0 no longer held.
 */
const READ_RENEW = script(`
local outcomes = {}
local at = 2
for pair = 1, #KEYS, 2 do
  local isHeld = false
  for n = 1, tonumber(ARGV[at]) do
    local reader = ARGV[at + n]
    local holds = redis.call('hget', KEYS[pair], reader)
    for count = tonumber(holds or 0), 1, -1 do
      redis.call('pexpire', KEYS[pair + 1] .. ':' .. reader .. ':rwlock_timeout:' .. count, ARGV[1])
    end
    if holds then isHeld = true end
    outcomes[#outcomes + 1] = holds and 1 or 0
  end
  if isHeld then redis.call('pexpire', KEYS[pair], ARGV[1]) end
  at = at + 1 + tonumber(ARGV[at])
end
return outcomes
`);

/** The read lock: readers share it, and no writer can acquire it meanwhile. */
export function readLock(pool: ConnectionPool): LockProtocol {
  return {
    isShared: true,
    holderOf: holderId,
    async attempt({ lock, holder, leaseMs }) {
      return replyNumber(
        await pool.script(READ_LOCK, [lock, timeouts(lock, holder)], [leaseMs, holder, `${holder}:write`]),
      );
    },
    unlock: (lock, holder) =>
      unlockOnce(pool, lock, (latch, ttlMs) => {
        const keys = [lock, channel(lock), timeouts(lock, holder), prefix(lock), latch];
        return pool.script(READ_UNLOCK, keys, [RELEASED, holder, PUBLISH, ttlMs]);
      }),
    channelOf: channel,
  };
}

/** The write lock: one writer at a time. The writer may also read, and may keep reading after it has written. */
export function writeLock(pool: ConnectionPool): LockProtocol {
  return {
    isShared: false,
    holderOf: (uuid, thread) => `${holderId(uuid, thread)}:write`,
    attempt: async ({ lock, holder, leaseMs }) => replyNumber(await pool.script(WRITE_LOCK, [lock], [leaseMs, holder])),
    unlock: (lock, holder, leaseMs) =>
      unlockOnce(pool, lock, (latch, ttlMs) => {
        const keys = [lock, channel(lock), latch];
        return pool.script(WRITE_UNLOCK, keys, [READERS_MAY_COME, leaseMs, holder, PUBLISH, ttlMs]);
      }),
    channelOf: channel,
  };
}

/** Renews these readers with one script. Returns one value per reader: false if it no longer holds the lock. */
export async function renewReaders(
  pool: ConnectionPool,
  holds: readonly { lock: string; holder: string }[],
  leaseMs: number,
): Promise<boolean[]> {
  const locks = [...new Set(holds.map(({ lock }) => lock))];
  const readersOf = (lock: string) => holds.filter((hold) => hold.lock === lock).map(({ holder }) => holder);
  const readers = locks.flatMap((lock) => [readersOf(lock).length, ...readersOf(lock)]);
  const reply = await pool.script(
    READ_RENEW,
    locks.flatMap((lock) => [lock, prefix(lock)]),
    [leaseMs, ...readers],
  );
  if (!Array.isArray(reply)) throw new Error(`a renewal script returned ${JSON.stringify(reply)}`);
  const inOrder = locks.flatMap((lock) => holds.filter((hold) => hold.lock === lock));
  return holds.map((hold) => reply[inOrder.indexOf(hold)] === 1);
}

function channel(lock: string): string {
  return prefixName('redisson_rwlock', lock);
}

function timeouts(lock: string, reader: string): string {
  return `${suffixName(lock, reader)}:rwlock_timeout`;
}

function prefix(lock: string): string {
  return lock.includes('{') ? lock : `{${lock}}`;
}
