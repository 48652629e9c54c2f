import { millisBetween, type RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import type { Lease } from '../types/lease.ts';
import { leaseFields } from './holding.ts';

const RENEWED = { type: 'lease.renewed', cause: 'watchdog' } as const;
const SHORTENED_BY_HOLDER = { type: 'lease.shortened', cause: 'holder' } as const;

type SetByHolder = typeof RENEWED | typeof SHORTENED_BY_HOLDER;

/** A renewal of several read holds has one lease: for all but the first of them, its end is already that of the key. */
const judged = new WeakMap<Lease, { readonly key: LockKey; readonly set: SetByHolder }>();

/** Whether a script of the holder's library renews or shortens the lease, as event fields. Call it before `setLease`. */
export function setByHolder(key: LockKey, lease: Lease | null): SetByHolder {
  const before = lease && judged.get(lease);
  if (before?.key === key) return before.set;
  const set = endsEarlier(key, leaseFields(lease)?.expiresAt) ? SHORTENED_BY_HOLDER : RENEWED;
  if (lease) judged.set(lease, { key, set });
  return set;
}

/** Whether this end is earlier than the known one. `null` means no end, `undefined` an unknown one. */
export function endsEarlier(key: LockKey, expiresAt: RedisTime | null | undefined): boolean {
  if (key.expiresAt === undefined || expiresAt == null) return false;
  return key.expiresAt === null || expiresAt < key.expiresAt;
}

/** A command sets the end of the lease; null: it has none. The same end as before is no event. */
export function setEnd(
  to: Context,
  key: LockKey,
  { at, by, expiresAt }: { at: RedisTime; by: string | undefined; expiresAt: RedisTime | null },
): void {
  const before = key.expiresAt;
  const type = endsEarlier(key, expiresAt) ? 'lease.shortened' : 'lease.renewed';
  key.expiresAt = expiresAt;
  if (before === expiresAt) return;
  const lease = expiresAt === null ? { expiresAt } : { expiresAt, leaseMs: millisBetween(at, expiresAt) };
  to.emit({ db: key.db, lock: key.name, kind: key.kind, at, by }, { type, cause: 'command', ...lease });
}
