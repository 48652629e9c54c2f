/**
 * Names that Redisson derives from a lock's name, and what a holder id says.
 *
 *   name without braces   redisson_lock__channel:{orders:42}
 *   name with a brace     redisson_lock__channel:tenant:{42}:orders
 */

const LOCK_CHANNEL = 'redisson_lock__channel:';
const LATCH = 'redisson_unlock_latch:';

/** `prefix:name`, with braces around a name that has none. */
export function prefixName(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`;
}

/** The channel on which a release of this lock is announced. */
export function lockChannel(name: string): string {
  return prefixName('redisson_lock__channel', name);
}

/** The lock a channel belongs to; undefined when it is no lock channel. A fair waiter's own channel names its holder. */
export function lockOfChannel(channel: string): { name: string; waiter?: string } | undefined {
  if (!channel.startsWith(LOCK_CHANNEL)) return undefined;
  const rest = channel.slice(LOCK_CHANNEL.length);
  const fair = /^(.*):([0-9a-f]{8}-[0-9a-f-]{27}:-?\d+)$/s.exec(rest);
  const inner = fair?.[1] ?? rest;
  const waiter = fair?.[2];
  // `{a}` is the lock `a`: a lock that is itself called `{a}` has the same channel, and cannot be told apart by it.
  const isWrapped = inner.startsWith('{') && inner.endsWith('}') && !inner.slice(1, -1).includes('{');
  const name = isWrapped ? inner.slice(1, -1) : inner;
  return waiter === undefined ? { name } : { name, waiter };
}

/** Whether a key is an unlock latch: bookkeeping of one unlock, never a lock. */
export function isLatchKey(key: string): boolean {
  return key.startsWith(LATCH);
}

const UUID_LENGTH = 36;
const COLON = 58;

export type HolderId = { readonly client: string; readonly thread: string };

const HOLDER = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}):(-?\d{1,20})(:[0-9a-f]{32})?$/i;

/** The holder asked about last: one step asks several times about the same. */
let knownHolder = '';

/** Whether this is `uuid:thread`, as `parseHolder` reads it. */
export function isHolder(field: string): boolean {
  if (field === knownHolder) return field !== '';
  if (field.charCodeAt(UUID_LENGTH) !== COLON || !HOLDER.test(field)) return false;
  knownHolder = field;
  return true;
}

/** Reads `uuid:thread` (`uuid:thread:tx` inside a transaction); undefined for anything else. */
export function parseHolder(field: string): HolderId | undefined {
  const match = HOLDER.exec(field);
  return match ? { client: match[1] ?? '', thread: match[2] ?? '' } : undefined;
}

/** The client's part of a holder id, or the whole of it where it has no such part. */
export function clientOf(holder: string): string {
  return isHolder(holder) ? holder.slice(0, UUID_LENGTH) : holder;
}
