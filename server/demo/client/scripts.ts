import { createHash } from 'node:crypto';

/** A Lua script and its hash for EVALSHA. */
export type Script = { readonly text: string; readonly sha: string };

/*
 * These scripts are our own. They run the same commands in the same order and spelling as Redisson 3.24 and later, so
 * MONITOR shows the same lines. Only the hashes differ.
 */

/** KEYS lock · ARGV lease, holder. Nil: acquired or re-entered; else the TTL in ms. */
export const LOCK = attemptScript("redis.call('hincrby', KEYS[1], ARGV[2], 1)");

/** The script of an attempt. `take` is the Lua that adds a hold. */
export function attemptScript(...take: string[]): Script {
  return script(`
local function take()
  ${[...take, "redis.call('pexpire', KEYS[1], ARGV[1])"].join('\n  ')}
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
}

/**
 * KEYS lock, channel, latch · ARGV message, lease, holder, publish word, latch TTL.
 * 1: released; 0: still held; nil: not the holder.
 */
export const UNLOCK = script(`
local before = redis.call('get', KEYS[3])
if before then
  return tonumber(before)
end
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return nil
end
local outcome
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  outcome = 0
else
  redis.call('del', KEYS[1])
  redis.call(ARGV[4], KEYS[2], ARGV[1])
  outcome = 1
end
redis.call('set', KEYS[3], outcome, 'px', ARGV[5])
return outcome
`);

/** KEYS lock, channel · ARGV message, publish word. 1: released; 0: the lock was not held. */
export const FORCE_UNLOCK = script(`
if redis.call('del', KEYS[1]) == 0 then
  return 0
end
redis.call(ARGV[2], KEYS[2], ARGV[1])
return 1
`);

/** KEYS locks · ARGV lease, then one holder per lock. One number per lock: 1 renewed, 0 no longer held. */
export const RENEW = script(`
local outcomes = {}
for n, lock in ipairs(KEYS) do
  local held = redis.call('hexists', lock, ARGV[n + 1])
  if held == 1 then
    redis.call('pexpire', lock, ARGV[1])
  end
  outcomes[n] = held
end
return outcomes
`);

export function script(source: string): Script {
  const text = source.trim();
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}
