import { KINDS } from '../../shared/events/kinds/kinds.ts';
import { lockChannel, queueKey, timeoutsKey, waiterChannel } from '../../shared/events/names/names.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';

/** Why the head of a queue cannot be removed. */
export type UnsafeHead = 'guessed' | 'no-queue' | 'head-alive';

/** The queue as Redis has it. `score`: the deadline of the head as Redis wrote it, in epoch ms; empty: it has none. */
export type QueueHead = {
  readonly head: string;
  readonly score: string;
  /** The waiter behind the head; null: the queue will be empty. */
  readonly next: string | null;
  readonly isFree: boolean;
};

/**
 * Evicts the head as the scripts of Redisson do (`zrem`, then `lpop`; the other deadlines stay), only while it is still
 * the head with that deadline, and no connection listens to its channel. If the lock is free, the script wakes the next
 * head as a fair unlock does. `pcall`: before Redis 7 there are no sharded channels.
 *
 * KEYS lock, queue, deadlines, channel · ARGV message, publish word, deadline, head. 1: removed; 0: changed.
 */
const REMOVE_HEAD = `if redis.call('lindex', KEYS[2], 0) ~= ARGV[4] then return 0 end
if (redis.call('zscore', KEYS[3], ARGV[4]) or '') ~= ARGV[3] then return 0 end
local own = KEYS[4] .. ':' .. ARGV[4]
if redis.call('pubsub', 'numsub', own)[2] > 0 then return 0 end
local shards = redis.pcall('pubsub', 'shardnumsub', own)
if shards.err == nil and shards[2] > 0 then return 0 end
redis.call('zrem', KEYS[3], ARGV[4])
redis.call('lpop', KEYS[2])
if redis.call('exists', KEYS[1]) == 0 then
  local next = redis.call('lindex', KEYS[2], 0)
  if next ~= false then redis.call(ARGV[2], KEYS[4] .. ':' .. next, ARGV[1]) end
end
return 1`.replaceAll(/\n */g, ' ');

/** Why it is not safe to remove the head of this queue; undefined: its client is known to be gone. */
export function unsafeHead({ kind, kindKnown, library, waiters }: Lock): UnsafeHead | undefined {
  if (KINDS[kind].hasQueue !== true || library !== 'redisson') return 'no-queue';
  if (kindKnown === false) return 'guessed';
  const head = waiters.find(({ position }) => position === 1);
  if (!head) return 'no-queue';
  return head.goneSince === undefined ? 'head-alive' : undefined;
}

/** The words of the command that removes this head. */
export function removeHeadWords(name: string, { head, score }: QueueHead, publish: 'PUBLISH' | 'SPUBLISH'): string[] {
  const keys = [name, queueKey(name), timeoutsKey(name), lockChannel(name)];
  return ['EVAL', REMOVE_HEAD, String(keys.length), ...keys, '0', publish, score, head];
}

/** The channel on which the next head gets its message; null: no message is sent. */
export function channelOfNext(name: string, { next, isFree }: QueueHead): string | null {
  return next !== null && isFree ? waiterChannel(name, next) : null;
}
