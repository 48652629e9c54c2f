import { isTokenKind, KINDS } from '../../shared/events/kinds/kinds.ts';
import { fieldOf } from '../../shared/events/names/names.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { ForceRelease } from './force-scripts.ts';

/**
 * What a guarded script answers instead of 1 if the lock has other holders, or if its lease ends at another time than
 * expected.
 */
export const CHANGED = 0;
export const LEASE_MOVED = -1;

/**
 * An end is computed from `TIME` and `PTTL`, which read the clock one after the other. So two results for one lease
 * differ by some ms.
 */
const SAME_END_MS = 50;

/*
 * The script itself compares, so nothing depends on earlier commands of its connection: the connection may have broken,
 * or a proxy may use several.
 *
 * ARGV: those of the script that follows · when the lease ends · the fields of the holders, or the token · their number
 */
const LEASE = `local count = tonumber(ARGV[#ARGV])
local now = redis.call('time')
local ends = redis.call('pttl', KEYS[1])
if ends >= 0 then ends = ends + now[1] * 1000 + math.floor(now[2] / 1000) end`;

/**
 * `pcall`: a key of another type is not this lock. The size comes first, so that no large key is read.
 */
const HAS_FIELDS = `if redis.pcall('hlen', KEYS[1]) ~= count then return ${CHANGED} end
for _, value in ipairs(redis.call('hmget', KEYS[1], unpack(ARGV, #ARGV - count, #ARGV - 1))) do
  if value == false then return ${CHANGED} end
end`;

const HAS_TOKEN = `if redis.pcall('strlen', KEYS[1]) ~= #ARGV[#ARGV - 1] then return ${CHANGED} end
if redis.call('get', KEYS[1]) ~= ARGV[#ARGV - 1] then return ${CHANGED} end`;

/**
 * A renewal moves the end of the lease. So does a thread that releases the lock and acquires it again: that is a new
 * hold.
 */
const SAME_LEASE = `if math.abs(ends - ARGV[#ARGV - count - 1]) > ${SAME_END_MS} then return ${LEASE_MOVED} end`;

/**
 * The words of a command that runs `release` only while the lock has exactly the holders of `lock`, and its lease ends
 * at `endsAt` (epoch ms by Redis's clock; -1: it has no end).
 */
export function guardedWords({ script, keys, args }: ForceRelease, lock: Lock, endsAt: number): string[] {
  const held = heldBy(lock);
  const compare = isTokenKind(lock.kind) ? HAS_TOKEN : HAS_FIELDS;
  const text = `${[LEASE, compare, SAME_LEASE].join('\n').replaceAll(/\n */g, ' ')} ${script}`;
  const guard = [String(endsAt), ...held, String(held.length)];
  return ['EVAL', text, String(keys.length), ...keys, ...args, ...guard];
}

/** What the key has while it is held as shown, and nothing else: the fields of its hash, or the token. */
function heldBy({ kind, holders }: Lock): string[] {
  if (isTokenKind(kind)) return holders.slice(0, 1).map(({ id }) => id);
  const fields = holders.map(({ id, mode }) => fieldOf(id, mode === 'read' || mode === 'write' ? mode : 'exclusive'));
  return KINDS[kind].hasReaders ? [...fields, 'mode'] : fields;
}
