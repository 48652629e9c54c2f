import type { HoldMode } from '../types/hold-event.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { counterChannel, counterOfChannel } from './counter-names.ts';

/**
 * Names that Redisson derives from a lock's name, and what a holder id says.
 *
 *   name without braces   redisson_lock__channel:{orders:42}
 *   name with a brace     redisson_lock__channel:tenant:{42}:orders
 */

const LOCK_CHANNEL = 'redisson_lock__channel:';
const READ_WRITE_CHANNEL = 'redisson_rwlock:';
/** Before 3.2.0 (a lock's) and 3.5.0 (a read-write lock's). */
const OLD_CHANNELS = [
  ['redisson_lock__channel__', 'lock'],
  ['redisson_rwlock__', 'read-write-lock'],
] as const;
const LATCH = 'redisson_unlock_latch:';

/** Every channel on which a release of a lock is announced, as patterns of Redis. */
export const CHANNEL_PATTERNS: readonly string[] = [
  'redisson_lock__channel*',
  'redisson_rwlock*',
  'redisson_sc*',
  'redisson_countdownlatch*',
];

/** `prefix:name`, with braces around a name that has none. */
export function prefixName(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`;
}

/** The channel on which a release of this lock is announced. */
export function lockChannel(name: string): string {
  return prefixName('redisson_lock__channel', name);
}

/** The channel on which a release of a lock of this kind is announced. */
export function channelOfKind(kind: LockKind, name: string): string {
  if (kind === 'read-write-lock') return prefixName('redisson_rwlock', name);
  return counterChannel(kind, name) ?? lockChannel(name);
}

/** The channel of its own on which a fair lock's waiter is told. */
export function waiterChannel(lock: string, holder: string): string {
  return `${lockChannel(lock)}:${holder}`;
}

/** What a channel tells of a lock: its name, its kind where only that kind has such a channel, and whose it is. */
export type ChannelTarget = { readonly name: string; readonly kind: LockKind; readonly waiter?: string };

/** The lock a channel belongs to; undefined when it is no lock channel. A fair waiter's own channel names its holder. */
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

/** Whether a channel has the form of the first releases. */
export function isOldChannel(channel: string): boolean {
  return lockOfOldChannel(channel) !== undefined;
}

/** The channel asked about last: one step asks several times about the same. */
let knownChannel: { channel: string; target: ChannelTarget } | undefined;

/**
 * The name in what follows a prefix. `{a}` is the lock `a`: a lock that is itself called `{a}` has the same keys and
 * channels, and cannot be told apart by them.
 */
function nameWithin(text: string): string {
  const isWrapped = text.startsWith('{') && text.endsWith('}') && !text.slice(1, -1).includes('{');
  return isWrapped ? text.slice(1, -1) : text;
}

/** Whether a name read from a channel or a key may be this lock's: braces around the whole of a name leave no trace. */
export function isDerivedFrom(lock: string, derived: string | undefined): boolean {
  return derived !== undefined && (derived === lock || `{${derived}}` === lock);
}

const QUEUE = 'redisson_lock_queue';
const TIMEOUTS = 'redisson_lock_timeout';
const TOKEN = 'redisson_lock_token';

/** The list in which a fair lock's waiters stand, head first. */
export function queueKey(lock: string): string {
  return prefixName(QUEUE, lock);
}

export function lockOfQueueKey(key: string): string | undefined {
  return lockAfter(QUEUE, key);
}

/** The sorted set that says until when each waiter of a fair lock may stand in the queue. */
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

/** The lock whose name follows a prefix; undefined where another, or none, stands before it. */
export function lockAfter(prefix: string, key: string): string | undefined {
  if (!key.startsWith(prefix) || key[prefix.length] !== ':') return undefined;
  return nameWithin(key.slice(prefix.length + 1));
}

const ENTRY_LOCK = /^(.+):[A-Za-z0-9+/_-]{22}(?:==)?:(?:lock|fairlock|rw_lock)$/s;

/** The map or set that a lock is about one entry of, by the name Redisson gives such locks; undefined for any other. */
export function collectionOfEntryLock(name: string): string | undefined {
  const [, collection] = ENTRY_LOCK.exec(name) ?? [];
  return collection?.includes('{') ? nameWithin(collection) : undefined;
}

/** Whether a key is an unlock latch: bookkeeping of one unlock, never a lock. */
export function isLatchKey(key: string): boolean {
  return key.startsWith(LATCH);
}

/** The lock that an unlock latch is of: `redisson_unlock_latch:{orders:42}:0123…` is of `orders:42`. */
export function lockOfLatchKey(key: string): string | undefined {
  return key.startsWith(`${LATCH}{`) ? key.slice(LATCH.length + 1, key.lastIndexOf('}')) : undefined;
}

/** The last argument of a non-reentrant lock's attempts: what its caller's error says (4.4.0 on). */
export const NON_REENTRANT = 'NON_REENTRANT_REACQUIRE';

const UUID_LENGTH = 36;
const COLON = 58;

export type HolderId = { readonly client: string; readonly thread: string; readonly transaction?: string };

const HOLDER = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}):(-?\d{1,20})(:[0-9a-f]{32})?$/i;

/** The holder asked about last, and its client: one step asks several times about the same. */
let knownHolder = '';
let knownClient = '';

const WRITE = ':write';

/** The field of a lock's hash in which a hold stands: the holder's id, marked for a hold for writing. */
export function fieldOf(holder: string, mode: HoldMode): string {
  if (mode !== 'write') return holder;
  const rest = holder.indexOf(':', UUID_LENGTH + 1); // the id of a transaction
  return rest === -1 ? holder + WRITE : holder.slice(0, rest) + WRITE + holder.slice(rest);
}

/** The holder of a field, whatever the hold is for. */
export function holderOfField(field: string): string {
  const mark = field.indexOf(WRITE, UUID_LENGTH);
  return mark === -1 ? field : field.slice(0, mark) + field.slice(mark + WRITE.length);
}

/** Whether a field of a hash is one that a hold for writing stands in. */
export function isWriteField(field: string): boolean {
  return field.includes(WRITE) && isHolder(holderOfField(field)) && fieldOf(holderOfField(field), 'write') === field;
}

/** Whether a field is one that a lock's hash may have: a holder's, or what a read-write lock says of itself. */
export function isLockField(field: string): boolean {
  return isHolder(field) || field === 'mode' || isWriteField(field);
}

const READ_TIMEOUT = /^(.+):([0-9a-f]{8}-[0-9a-f-]{27}:-?\d{1,20}(?::[0-9a-f]{32})?):rwlock_timeout:(\d{1,9})$/s;

/** Whose timeout key this is, of which lock, and for which count of the hold; undefined for any other key. */
export function parseReadTimeoutKey(key: string): { lock: string; holder: string; count: number } | undefined {
  if (!key.includes(':rwlock_timeout:')) return undefined;
  const [, lock, holder, count] = READ_TIMEOUT.exec(key) ?? [];
  if (lock === undefined || holder === undefined) return undefined;
  return { lock: nameWithin(lock), holder, count: Number(count) };
}

/** The key that keeps one count of a hold for reading alive. */
export function readTimeoutKey(lock: string, holder: string, count: number): string {
  const name = lock.includes('{') ? lock : `{${lock}}`;
  return `${name}:${holder}:rwlock_timeout:${count}`;
}

/** Whether this is `uuid:thread`, as `parseHolder` reads it. */
export function isHolder(field: string): boolean {
  if (field === knownHolder) return field !== '';
  if (field.charCodeAt(UUID_LENGTH) !== COLON || !HOLDER.test(field)) return false;
  knownHolder = field;
  knownClient = field.slice(0, UUID_LENGTH);
  return true;
}

/** Reads `uuid:thread` (`uuid:thread:tx` inside a transaction); undefined for anything else. */
export function parseHolder(field: string): HolderId | undefined {
  const match = HOLDER.exec(field);
  if (!match) return undefined;
  const [, client = '', thread = '', transaction] = match;
  return transaction === undefined ? { client, thread } : { client, thread, transaction: transaction.slice(1) };
}

/** Whether a holder id of Redisson's is a thread's inside a transaction: what that locks is its own affair. */
export function isOfTransaction(holder: string): boolean {
  return holder.indexOf(':', UUID_LENGTH + 1) !== -1;
}

/** The client's part of a holder id, or the whole of it where it has no such part. */
export function clientOf(holder: string): string {
  return isHolder(holder) ? knownClient : holder;
}
