import { binaryFromText } from '../../base/bytes-text.ts';
import type { LockKind } from '../types/lock-kind.ts';

/*
 * Names of counters, which are not held like a lock: semaphores and count-down latches.
 *
 *   slots                  redisson_sc:{slots}                          {slots}:timeout
 *   boot                   redisson_countdownlatch__channel__{boot}
 */

const SEMAPHORE = 'redisson_sc:';
const LATCH = 'redisson_countdownlatch__channel__';
const DEADLINES = ':timeout';
/** The counter of a bounded queue: Redisson keeps it as a semaphore, but it is not a lock that a user created. */
const HELPER = 'redisson_bqs:';

/** The channel on which a release of permits is announced. */
export function semaphoreChannel(name: string): string {
  return SEMAPHORE + (name.includes('{') ? name : `{${name}}`);
}

/** The channel of a count-down latch: a message announces when it opens, and when it is set or deleted. */
export function latchChannel(name: string): string {
  return `${LATCH}{${name}}`;
}

/** The counter that uses a channel; undefined for any other channel. Both kinds of semaphore use the same one. */
export function counterOfChannel(channel: string): { name: string; kind: LockKind } | undefined {
  if (!channel.startsWith('redisson_')) return undefined;
  if (channel.startsWith(LATCH) && channel.endsWith('}')) {
    return { name: channel.slice(LATCH.length + 1, -1), kind: 'latch' };
  }
  if (!channel.startsWith(SEMAPHORE)) return undefined;
  const rest = channel.slice(SEMAPHORE.length);
  if (rest.startsWith(HELPER)) return undefined;
  const isWrapped = rest.startsWith('{') && rest.endsWith('}') && !rest.slice(1, -1).includes('{');
  return { name: isWrapped ? rest.slice(1, -1) : rest, kind: 'semaphore' };
}

/** Whether a key is the counter of a bounded queue. */
export function isHelperKey(key: string): boolean {
  return key.startsWith(HELPER);
}

/** The sorted set of the acquired permits of an expirable semaphore, with the time at which each expires. */
export function deadlinesKey(name: string): string {
  return name.includes('{') ? name + DEADLINES : `{${name}}${DEADLINES}`;
}

/** The semaphore that a sorted set of permits belongs to, by the name alone: any application may use such a name. */
export function lockOfDeadlinesKey(key: string): string | undefined {
  if (!key.endsWith(DEADLINES) || !key.includes('{')) return undefined;
  const name = key.slice(0, -DEADLINES.length);
  const isWrapped = name.startsWith('{') && name.endsWith('}') && !name.slice(1, -1).includes('{');
  return isWrapped ? name.slice(1, -1) : name;
}

const ID_IN_HEX = /^[0-9a-f]{32}$/;

/** A permit's id as 32 hex digits, as its client shows it. Since 3.17.0, Redis keeps it as 16 bytes. */
export function permitIdFrom(word: string): string | undefined {
  const id = releasedIdFrom(word);
  return id?.length === 2 * ID_BYTES ? id : undefined;
}

/**
 * Like `permitIdFrom`, for the id in a release. A released id may be too short: no permit has such an id, so the
 * release is refused.
 */
export function releasedIdFrom(word: string): string | undefined {
  if (ID_IN_HEX.test(word)) return word;
  const binary = binaryFromText(word);
  if (binary.length === 0 || binary.length > ID_BYTES) return undefined;
  return [...binary].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

const ID_BYTES = 16;
