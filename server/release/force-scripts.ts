import { lockChannel, queueKey, readWriteChannel, timeoutsKey } from '../../shared/events/names/names.ts';
import type { LockKind } from '../../shared/events/types/lock-kind.ts';

/**
 * How a lock is released: a script, its keys and its arguments. `channel`: where the waiters get a message (of a fair
 * lock: the beginning of the channel of each waiter); null: they get none.
 */
export type ForceRelease = {
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly channel: string | null;
};

/**
 * The force-unlock scripts of Redisson 4.7.0, unchanged: they delete the lock, and wake its waiters unless these poll.
 */
export const SCRIPTS = {
  plain: "if (redis.call('del', KEYS[1]) == 1) then redis.call(ARGV[2], KEYS[2], ARGV[1]); return 1 else return 0 end",
  spin: "if (redis.call('del', KEYS[1]) == 1) then return 1 else return 0 end",
  fair: "while true do local firstThreadId2 = redis.call('lindex', KEYS[2], 0);if firstThreadId2 == false then break;end; local timeout = redis.call('zscore', KEYS[3], firstThreadId2);if timeout ~= false and tonumber(timeout) <= tonumber(ARGV[2]) then redis.call('zrem', KEYS[3], firstThreadId2); redis.call('lpop', KEYS[2]); else break;end; end;if (redis.call('del', KEYS[1]) == 1) then local nextThreadId = redis.call('lindex', KEYS[2], 0); if nextThreadId ~= false then redis.call(ARGV[3], KEYS[4] .. ':' .. nextThreadId, ARGV[1]); end; return 1; end; return 0;",
  read: "if (redis.call('hget', KEYS[1], 'mode') == 'read') then redis.call('del', KEYS[1]); redis.call(ARGV[2], KEYS[2], ARGV[1]); return 1; end; return 0; ",
  write:
    "if (redis.call('hget', KEYS[1], 'mode') == 'write') then redis.call('del', KEYS[1]); redis.call(ARGV[2], KEYS[2], ARGV[1]); return 1; end; return 0; ",
} as const;

/** Deletes a token lock: it is a single key, and its waiters poll. */
const TOKEN = "redis.call('del', KEYS[1]); return 1";

/** The message of a release on the channel of a lock; the release of a write lock has another message. */
const UNLOCKED = '0';
const WRITE_UNLOCKED = '1';

/**
 * What the script and its arguments depend on. `publish`: `SPUBLISH` if the waiters listen to a sharded channel.
 * `nowMs`: Redis time.
 */
type ForcedLock = {
  readonly name: string;
  readonly kind: LockKind;
  readonly mode: 'exclusive' | 'read' | 'write';
  readonly publish: 'PUBLISH' | 'SPUBLISH';
  readonly nowMs: number;
};

type Release = (lock: ForcedLock, channel: string) => Omit<ForceRelease, 'channel'>;

/**
 * For each kind that can be released by force: what releases it, and the channel on which its waiters listen (of a fair
 * lock: the beginning of the channel of each waiter).
 * Redisson's kinds are released by the scripts that Redisson itself runs.
 */
const RELEASES: Readonly<Partial<Record<LockKind, { release: Release; channel?: (name: string) => string }>>> = {
  lock: { release: plain, channel: lockChannel },
  'fenced-lock': { release: plain, channel: lockChannel },
  'spin-lock': { release: ({ name }) => ({ script: SCRIPTS.spin, keys: [name], args: [] }) },
  'fair-lock': {
    release: ({ name, nowMs, publish }, channel) => ({
      script: SCRIPTS.fair,
      keys: [name, queueKey(name), timeoutsKey(name), channel],
      args: [UNLOCKED, String(nowMs), publish],
    }),
    channel: lockChannel,
  },
  'read-write-lock': {
    release: ({ name, mode, publish }, channel) =>
      mode === 'read'
        ? { script: SCRIPTS.read, keys: [name, channel], args: [UNLOCKED, publish] }
        : { script: SCRIPTS.write, keys: [name, channel], args: [WRITE_UNLOCKED, publish] },
    channel: readWriteChannel,
  },
  'token-lock': { release: ({ name }) => ({ script: TOKEN, keys: [name], args: [] }) },
};

function plain({ name, publish }: ForcedLock, channel: string): Omit<ForceRelease, 'channel'> {
  return { script: SCRIPTS.plain, keys: [name, channel], args: [UNLOCKED, publish] };
}

/**
 * The channel on which waiters of such a lock listen (of a fair lock: the beginning of the channel of each waiter);
 * null: its waiters poll, or the kind cannot be released.
 */
export function channelOf({ name, kind }: Pick<ForcedLock, 'name' | 'kind'>): string | null {
  return RELEASES[kind]?.channel?.(name) ?? null;
}

/**
 * What releases a lock of this kind by force: the script that Redisson itself runs; for a token lock, a script that
 * deletes its key. Null: no safe way is known.
 */
export function forceRelease(lock: ForcedLock): ForceRelease | null {
  const channel = channelOf(lock);
  const force = RELEASES[lock.kind]?.release(lock, channel ?? '');
  return force ? { ...force, channel } : null;
}
