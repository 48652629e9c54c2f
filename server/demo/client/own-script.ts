import { script } from './scripts.ts';

/** What proves that a key is the demo's: uuids of its clients, and the expiry times of its counters, in ms. */
export type Marks = { uuids: string[]; ends: number[] };

/**
 * KEYS · ARGV `look` or `delete`, number of uuids, the uuids, the ends. Returns the keys without a mark; they stay.
 *
 * - A hash, list or sorted set is ours if it has at most 1000 members and each begins with one of our uuids. The field
 *   `mode` does not count.
 * - A counter, and the sorted set of the deadlines of permits, have no owner in Redis. They are ours if they expire at
 *   a time that we set: a SET by another client would have removed the expiry.
 * - One script checks and deletes, so a key that another client creates in between is never deleted.
 */
export const OWN = script(`
local uuids, ends = {}, {}
local count = tonumber(ARGV[2])
for n = 3, #ARGV do
  if n <= 2 + count then uuids[ARGV[n]] = true else ends[#ends + 1] = tonumber(ARGV[n]) end
end
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function hasEnd(key)
  local left = redis.call('pttl', key)
  for _, at in ipairs(ends) do
    if left > 0 and math.abs(now + left - at) <= 50 then return true end
  end
  return false
end
local function areOurs(members)
  local found = false
  for _, member in ipairs(members) do
    if member ~= 'mode' then
      if not uuids[string.match(member, '^[^:]*')] then return false end
      found = true
    end
  end
  return found
end
local SIZES = { hash = 'hlen', list = 'llen', zset = 'zcard' }
local function isOurs(key, type)
  if type == 'string' then return hasEnd(key) end
  if not SIZES[type] or redis.call(SIZES[type], key) > 1000 then return false end
  if type == 'hash' then return areOurs(redis.call('hkeys', key)) end
  if type == 'list' then return areOurs(redis.call('lrange', key, 0, -1)) end
  return areOurs(redis.call('zrange', key, 0, -1)) or hasEnd(key)
end
local function deleteTimeouts(key)
  for _, holder in ipairs(redis.call('hkeys', key)) do
    for n = 1, math.min(100, tonumber(redis.call('hget', key, holder)) or 0) do
      redis.call('del', '{' .. key .. '}:' .. holder .. ':rwlock_timeout:' .. n)
    end
  end
end
local foreign = {}
for _, key in ipairs(KEYS) do
  local type = redis.call('type', key).ok
  if type ~= 'none' then
    if not isOurs(key, type) then
      foreign[#foreign + 1] = key
    elseif ARGV[1] == 'delete' then
      if type == 'hash' then deleteTimeouts(key) end
      redis.call('del', key)
    end
  end
end
return foreign
`);

export function ownArguments(does: 'look' | 'delete', { uuids, ends }: Marks): (string | number)[] {
  return [does, uuids.length, ...uuids, ...ends];
}

export function keysFrom(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}
