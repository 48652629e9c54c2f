import { isCounterKind, isTokenKind, KINDS } from '../events/kinds/kinds.ts';
import { lockChannel } from '../events/names/names.ts';
import type { LockKind } from '../events/types/lock-kind.ts';
import { isPlainName } from './plain-name.ts';

/** The fields of a lock and of one of its holders that a command needs. */
export type ReleasedHold = {
  readonly name: string;
  readonly kind: LockKind;
  readonly kindKnown?: boolean | undefined;
  readonly library: string;
  readonly db: number;
  readonly slot?: number | undefined;
  readonly holder: string;
  readonly mode: string;
};

/** A text to copy that releases a lock by hand: a command of Redis, or a call in an application with Redisson. */
type ReleaseText = { readonly of: 'redis-cli' | 'redisson'; readonly text: string };

/** Deletes the lock if this holder still holds it, and wakes the waiters as an unlock does. */
const IF_HELD_BY =
  "if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then return 0 end redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], ARGV[1]) return 1";
/** Deletes a spin lock if this holder still holds it. No message is needed: its waiters attempt again by themselves. */
const IF_HELD_BY_SPIN =
  "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end return redis.call('del', KEYS[1])";
/** Deletes a lock with a token if the token is still the holder's. */
const IF_TOKEN = "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('del', KEYS[1])";

/**
 * Returns the text that releases a hold by hand:
 *
 * - A command of Redis, if possible. It releases the lock only while this holder has it. It also sends the message that
 *   wakes waiters, unless they poll.
 * - Redisson's own `forceUnlock()` for kinds with a queue or several modes, and for kinds with a message in a cluster:
 *   there, versions and settings decide whether waiters listen to `PUBLISH` or `SPUBLISH`. It releases the lock of any
 *   holder.
 *
 * Null: the kind is not known or has no such command, the lock is a hash of a library other than Redisson, or a name in
 * the text is not plain text.
 */
export function releaseText(hold: ReleasedHold): ReleaseText | null {
  const { name, kind, kindKnown, library, holder, mode, slot } = hold;
  const { hasValues, backsOff, hasQueue, hasReaders, wakeUp } = KINDS[kind];
  if (isCounterKind(kind) || hasValues || kindKnown === false) return null;
  if (!isPlainName(name) || !isPlainName(holder)) return null;
  if (isTokenKind(kind)) return redisCli(hold, IF_TOKEN, [name], [holder]);
  if (library !== 'redisson') return null;
  if (backsOff) return redisCli(hold, IF_HELD_BY_SPIN, [name], [holder]);
  if (hasQueue) return redisson(`getFairLock(${javaText(name)}).forceUnlock();`);
  if (hasReaders) {
    return redisson(`getReadWriteLock(${javaText(name)}).${mode === 'read' ? 'read' : 'write'}Lock().forceUnlock();`);
  }
  if (wakeUp !== 'channel') return null;
  if (slot !== undefined) return redisson(`getLock(${javaText(name)}).forceUnlock();`);
  return redisCli(hold, IF_HELD_BY, [name, lockChannel(name)], ['0', holder]);
}

function redisCli(
  { db, slot }: ReleasedHold,
  script: string,
  keys: readonly string[],
  values: readonly string[],
): ReleaseText {
  const place = [...(db > 0 ? [`-n ${db}`] : []), ...(slot === undefined ? [] : ['-c'])];
  const words = [script, String(keys.length), ...keys, ...values].map(shellWord);
  return { of: 'redis-cli', text: ['redis-cli', ...place, 'EVAL', ...words].join(' ') };
}

function redisson(call: string): ReleaseText {
  return { of: 'redisson', text: `redisson.${call}` };
}

/**
 * A word for a POSIX shell. A script contains single quotes, so it is put in double quotes, unless it also has a
 * character with a meaning there, for example `!` for the history.
 */
function shellWord(word: string): string {
  if (/^[\w:.-]+$/.test(word)) return word;
  return word.includes("'") && !/["$`\\!]/.test(word) ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

function javaText(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
