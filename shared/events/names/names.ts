import type { HoldMode } from '../types/hold-event.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { counterOfChannel } from './counter-names.ts';

/*
 * Names that Redisson derives from a lock's name, and the parts of a holder id.
 *
 *   name without braces   redisson_lock__channel:{orders:42}
 *   name with a brace     redisson_lock__channel:tenant:{42}:orders
 */

const LOCK_CHANNEL = 'redisson_lock__channel:';
const READ_WRITE_CHANNEL = 'redisson_rwlock:';
/** Channels before 3.2.0 (of a lock) and before 3.5.0 (of a read-write lock). */
const OLD_CHANNELS = [
  ['redisson_lock__channel__', 'lock'],
  ['redisson_rwlock__', 'read-write-lock'],
] as const;
/** The names of unlock latches begin with this. */
export const LATCH = 'redisson_unlock_latch:';

/** Redis patterns for every channel on which Redisson announces a release of a lock, of permits or of a latch. */
export const CHANNEL_PATTERNS: readonly string[] = [
  'redisson_lock__channel*',
  'redisson_rwlock*',
  'redisson_sc*',
  'redisson_countdownlatch*',
];

/** `prefix:name`, with braces around the name if the name has none. */
export function prefixName(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`;
}

/** The channel on which a release of this lock is announced. */
export function lockChannel(name: string): string {
  return prefixName('redisson_lock__channel', name);
}

/** The channel on which a release of a read-write lock is announced. */
export function readWriteChannel(name: string): string {
  return prefixName('redisson_rwlock', name);
}

/** The private channel of a fair lock's waiter. */
export function waiterChannel(lock: string, holder: string): string {
  return `${lockChannel(lock)}:${holder}`;
}

/** What a channel's name shows: the lock, its kind (`lock` if several kinds use such a channel), and a fair waiter. */
type ChannelTarget = { readonly name: string; readonly kind: LockKind; readonly waiter?: string };

/**
 * The lock, semaphore or latch that uses a channel; undefined for any other channel. A fair waiter's private channel
 * contains the waiter's holder id.
 */
export function lockOfChannel(channel: string): ChannelTarget | undefined {
  if (channel === knownChannel?.channel) return knownChannel.target;
  if (channel.startsWith(READ_WRITE_CHANNEL)) {
    return { name: nameWithin(channel.slice(READ_WRITE_CHANNEL.length)), kind: 'read-write-lock' };
  }
  if (!channel.startsWith(LOCK_CHANNEL)) return lockOfOldChannel(channel) ?? counterOfChannel(channel);
  const rest = channel.slice(LOCK_CHANNEL.length);
  const fair = /^(.*):([0-9a-f]{8}-[0-9a-f-]{27}:-?\d+)$/s.exec(rest);
  const name = nameWithin(fair?.[1] ?? rest);
  const waiter = fair?.[2];
  const target: ChannelTarget = waiter === undefined ? { name, kind: 'lock' } : { name, kind: 'fair-lock', waiter };
  knownChannel = { channel, target };
  return target;
}

function lockOfOldChannel(channel: string): ChannelTarget | undefined {
  if (!channel.startsWith('redisson_')) return undefined;
  for (const [prefix, kind] of OLD_CHANNELS) {
    if (channel.startsWith(prefix)) return { name: nameWithin(channel.slice(prefix.length)), kind };
  }
  return undefined;
}

/** Whether a channel has the form used before 3.2.0 (or 3.5.0, for a read-write lock). */
export function isOldChannel(channel: string): boolean {
  return lockOfOldChannel(channel) !== undefined;
}

/** Cache of the last channel of a plain or fair lock: one step looks up the same channel several times. */
let knownChannel: { channel: string; target: ChannelTarget } | undefined;

/**
 * The lock's name in the text after a prefix. `{a}` is read as the lock `a`: a lock named `{a}` has the same keys and
 * channels, so these do not show which of the two is meant.
 */
function nameWithin(text: string): string {
  const isWrapped = text.startsWith('{') && text.endsWith('}') && !text.slice(1, -1).includes('{');
  return isWrapped ? text.slice(1, -1) : text;
}

/**
 * Whether a name from a channel or a key may belong to this lock: braces around the whole name are not kept in channels
 * and keys.
 */
export function isDerivedFrom(lock: string, derived: string | undefined): boolean {
  return derived !== undefined && (derived === lock || `{${derived}}` === lock);
}

const QUEUE = 'redisson_lock_queue';
const TIMEOUTS = 'redisson_lock_timeout';
const TOKEN = 'redisson_lock_token';

/** The list of a fair lock's waiters, head first. */
export function queueKey(lock: string): string {
  return prefixName(QUEUE, lock);
}

export function lockOfQueueKey(key: string): string | undefined {
  return lockAfter(QUEUE, key);
}

/** The sorted set with each fair waiter's deadline: until when it may be in the queue. */
export function timeoutsKey(lock: string): string {
  return prefixName(TIMEOUTS, lock);
}

export function lockOfTimeoutsKey(key: string): string | undefined {
  return lockAfter(TIMEOUTS, key);
}

/** The counter of a fenced lock. */
export function tokenKey(lock: string): string {
  return prefixName(TOKEN, lock);
}

export function lockOfTokenKey(key: string): string | undefined {
  return lockAfter(TOKEN, key);
}

/** The lock whose name follows this prefix; undefined if the key has another prefix. */
function lockAfter(prefix: string, key: string): string | undefined {
  if (!key.startsWith(prefix) || key[prefix.length] !== ':') return undefined;
  return nameWithin(key.slice(prefix.length + 1));
}

const ENTRY_LOCK = /^(.+):[A-Za-z0-9+/_-]{22}(?:==)?:(?:lock|fairlock|rw_lock)$/s;

/** The map or set whose entry Redisson locks under this name; undefined for any other name. */
export function collectionOfEntryLock(name: string): string | undefined {
  const [, collection] = ENTRY_LOCK.exec(name) ?? [];
  return collection?.includes('{') ? nameWithin(collection) : undefined;
}

/** Whether a key has the name of an unlock latch, in which Redisson keeps the result of one unlock. */
export function isLatchKey(key: string): boolean {
  return key.startsWith(LATCH);
}

/**
 * The parts of an unlock latch's name: `orders:42` and the id of the request for `redisson_unlock_latch:{orders:42}:0123…`;
 * undefined for any other key.
 */
export function latchFromKey(key: string): { readonly lock: string; readonly request: string } | undefined {
  if (!isLatchKey(key)) return undefined;
  const end = key.lastIndexOf(':');
  if (end < LATCH.length) return undefined;
  return { lock: nameWithin(key.slice(LATCH.length, end)), request: key.slice(end + 1) };
}

/** The last argument of a non-reentrant lock's attempts, and the text of its error (4.4.0 on). */
export const NON_REENTRANT = 'NON_REENTRANT_REACQUIRE';

const UUID_LENGTH = 36;
const COLON = 58;

type HolderId = { readonly client: string; readonly thread: string; readonly transaction?: string };

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/**
 * In node-redisson, which uses Redisson's keys, each lock object has a uuid where Redisson has the number of a thread.
 */
const HOLDER = new RegExp(`^(${UUID}):(-?\\d{1,20}|${UUID})(:[0-9a-f]{32})?$`, 'i');

/** Cache of the last holder and its client: one step looks up the same holder several times. */
let knownHolder = '';
let knownClient = '';

const WRITE = ':write';

/** The field of a hold in a lock's hash: the holder's id, with `:write` if it holds the lock for writing. */
export function fieldOf(holder: string, mode: HoldMode): string {
  if (mode !== 'write') return holder;
  const rest = holder.indexOf(':', UUID_LENGTH + 1); // where the id of a transaction begins
  return rest === -1 ? holder + WRITE : holder.slice(0, rest) + WRITE + holder.slice(rest);
}

/** The holder of a field, for reading or for writing. */
export function holderOfField(field: string): string {
  const mark = field.indexOf(WRITE, UUID_LENGTH);
  return mark === -1 ? field : field.slice(0, mark) + field.slice(mark + WRITE.length);
}

/** Whether a field of a hash is a hold for writing. */
export function isWriteField(field: string): boolean {
  return field.includes(WRITE) && isHolder(holderOfField(field)) && fieldOf(holderOfField(field), 'write') === field;
}

/** Whether a lock's hash may have this field: a holder, or the `mode` of a read-write lock. */
export function isLockField(field: string): boolean {
  return isHolder(field) || field === 'mode' || isWriteField(field);
}

const READ_TIMEOUT = /^(.+):([0-9a-f]{8}-[0-9a-f-]{27}:-?\d{1,20}(?::[0-9a-f]{32})?):rwlock_timeout:(\d{1,9})$/s;

/** The lock, the holder and the count of a reader's timeout key; undefined for any other key. */
export function parseReadTimeoutKey(key: string): { lock: string; holder: string; count: number } | undefined {
  if (!key.includes(':rwlock_timeout:')) return undefined;
  const [, lock, holder, count] = READ_TIMEOUT.exec(key) ?? [];
  if (lock === undefined || holder === undefined) return undefined;
  return { lock: nameWithin(lock), holder, count: Number(count) };
}

/** The timeout key of one count of a reader's hold: when this key expires, that count ends. */
export function readTimeoutKey(lock: string, holder: string, count: number): string {
  const name = lock.includes('{') ? lock : `{${lock}}`;
  return `${name}:${holder}:rwlock_timeout:${count}`;
}

/** Whether the text is `uuid:thread`, as `parseHolder` reads it. */
export function isHolder(field: string): boolean {
  if (field === knownHolder) return field !== '';
  if (field.charCodeAt(UUID_LENGTH) !== COLON || !HOLDER.test(field)) return false;
  knownHolder = field;
  knownClient = field.slice(0, UUID_LENGTH);
  return true;
}

/**
 * Reads `uuid:thread` (`uuid:thread:tx` inside a transaction); undefined for anything else. If the thread is a uuid,
 * returns its first 8 characters.
 */
export function parseHolder(field: string): HolderId | undefined {
  const match = HOLDER.exec(field);
  if (!match) return undefined;
  const [, client = '', id = '', transaction] = match;
  const thread = id.length === UUID_LENGTH ? id.slice(0, 8) : id;
  return transaction === undefined ? { client, thread } : { client, thread, transaction: transaction.slice(1) };
}

/** Whether a holder is a lock object of node-redisson: `uuid:uuid`. */
export function isOfLockObject(holder: string): boolean {
  return holder.length === 2 * UUID_LENGTH + 1 && isHolder(holder);
}

/**
 * Whether a Redisson holder id belongs to a thread in a transaction: `uuid:thread:tx`. A transaction manages its locks
 * itself.
 */
export function isOfTransaction(holder: string): boolean {
  return holder.indexOf(':', UUID_LENGTH + 1) !== -1;
}

/** The client's uuid from a holder id, or the whole id if it has no such part. */
export function clientOf(holder: string): string {
  return isHolder(holder) ? knownClient : holder;
}
