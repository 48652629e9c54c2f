import { millisBetween, type RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import { isTokenLike } from '../libraries/token-libraries.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import { acquiredBy } from '../mirror/tokens/token-memory.ts';
import type { Lease } from '../types/lease.ts';
import { leaseFields } from './holding.ts';
import { wasOverForCommand } from './proof.ts';

const RENEWED = { type: 'lease.renewed', cause: 'watchdog' } as const;
const SHORTENED_BY_HOLDER = { type: 'lease.shortened', cause: 'holder' } as const;

type SetByHolder = typeof RENEWED | typeof SHORTENED_BY_HOLDER;

/**
 * By lease: what it did to the end. A renewal of several read holds sets one lease for all of them, so the key already
 * has that end when the second hold is looked at.
 */
const judged = new WeakMap<Lease, { readonly key: LockKey; readonly set: SetByHolder }>();

/**
 * Whether a script of the holder's library renews or shortens the lease, as event fields. To be called before
 * `setLease`.
 */
export function setByHolder(key: LockKey, lease: Lease | null): SetByHolder {
  const before = lease && judged.get(lease);
  if (before?.key === key) return before.set;
  const set = endsEarlier(key, leaseFields(lease)?.expiresAt) ? SHORTENED_BY_HOLDER : RENEWED;
  if (lease) judged.set(lease, { key, set });
  return set;
}

/** Whether this end is earlier than the known one. `null` means no end, `undefined` an unknown one. */
function endsEarlier(key: LockKey, expiresAt: RedisTime | null | undefined): boolean {
  if (key.expiresAt === undefined || expiresAt == null) return false;
  return key.expiresAt === null || expiresAt < key.expiresAt;
}

/**
 * A command that sets the end of a lease. `expiresAt` null: the lease has no end afterwards. `wrote`: the value that
 * the command wrote, which is the holder's token.
 */
type EndSet = {
  readonly at: RedisTime;
  readonly by: string | undefined;
  readonly expiresAt: RedisTime | null;
  readonly wrote?: string | undefined;
};

/** Reports that a command set the end of the lease. The same end as before is not an event. */
export function setEnd(to: Context, key: LockKey, set: EndSet): void {
  const { at, by, expiresAt } = set;
  const before = key.expiresAt;
  const type = endsEarlier(key, expiresAt) ? 'lease.shortened' : 'lease.renewed';
  const own = type === 'lease.renewed' ? ownRenewal(to, key, set) : undefined;
  key.expiresAt = expiresAt;
  if (before === expiresAt) return;
  const lease = expiresAt === null ? { expiresAt } : { expiresAt, leaseMs: millisBetween(at, expiresAt) };
  const about = {
    db: key.db,
    lock: key.name,
    kind: key.kind,
    at,
    by,
    certainty: own?.certainty ?? 'observed',
  } as const;
  const isFirst = type === 'lease.shortened' && before === null ? ({ hadNoEnd: true } as const) : undefined;
  const client = type === 'lease.shortened' && by !== undefined ? to.clients.uuidAt(by) : undefined;
  const who = own ? { holder: own.holder } : client !== undefined ? { client } : undefined;
  to.emit(about, Object.assign({ type, cause: 'command' } as const, isFirst, who, lease));
}

/**
 * The holder that sent the command, for example a leader that renews its lock; undefined if that is not known.
 *
 * - The command wrote a random token: this is the holder.
 * - Otherwise the command came from the connection that acquired the lock. This is inferred, because the command did
 *   not compare the token.
 */
function ownRenewal(to: Context, key: LockKey, { at, by, wrote }: EndSet) {
  if (wrote !== undefined && isTokenLike(wrote)) return { holder: wrote, certainty: 'observed' } as const;
  const holder = by === undefined ? undefined : acquiredBy(key.mirrors?.tokens, by);
  if (holder === undefined || !key.holders.has(holder)) return undefined;
  if (key.watchEpoch !== to.watchEpoch || wasOverForCommand(to, key, at)) return undefined;
  return { holder, certainty: 'inferred' } as const;
}
