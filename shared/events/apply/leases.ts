import { type Millis, millisBetween } from '../../base/time.ts';
import type { ActionOf } from '../action.ts';
import type { About, Context, Origin } from '../context.ts';
import { isCounterKind, isStringKind, KINDS } from '../kinds/kinds.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import type { EndMoved } from '../mirror/tokens/token-mirror.ts';
import { fieldOf } from '../names/names.ts';
import type { ReadTimeouts } from '../types/hold-event.ts';
import type { Appliers } from './appliers.ts';
import { leaseFields, setLease } from './holding.ts';
import { remove } from './keys.ts';
import { setByHolder, setEnd } from './lease-set.ts';
import { dropOtherStaleHolds, reasonOf } from './proof.ts';
import { getOrCreateLock } from './reads/known-key.ts';

/**
 * A watchdog renews after each third of the lease, so two renewals within this time are one renewal and its repetition.
 */
const REPEATED_MS: Millis = 50;

/** Actions that set the end of a lease, or should: watchdog renewals and plain expiry commands. */
export const LEASES: Appliers<'renew' | 'renew-nothing' | 'renew-not-run' | 'set-expiry'> = {
  renew: (to, action, from) => renew(to, action, from),
  'renew-nothing': renewNothing,
  'renew-not-run': renewNotRun,
  'set-expiry': setExpiry,
};

/** Reports a renewal, or a refused renewal if its script found no hold. */
export function renew(
  to: Context,
  action: ActionOf<'renew'>,
  { db, by }: Origin,
  extra?: { readonly readTimeouts: ReadTimeouts },
): void {
  const { lock, holder, lease, batch, at } = action;
  const key = getOrCreateLock(to, db, lock, action.kind, at);
  const about: About = { db, lock, kind: key.kind, at, by };
  // Up to 3.8.0, read holds were renewed like the holds of a plain lock.
  const mode = action.mode ?? key.holders.get(holder)?.mode ?? (KINDS[key.kind].hasReaders ? 'read' : 'exclusive');
  const shared = mode === 'exclusive' ? undefined : { mode };
  if (lease === null) {
    const { reason, certainty } = reasonOf(to, key, fieldOf(holder, mode), at);
    to.emit({ ...about, certainty }, { type: 'renewal.refused', holder, ...shared, reason });
    return;
  }
  if (mode === 'exclusive') dropOtherStaleHolds(to, key, holder, at);
  if (!key.holders.has(fieldOf(holder, mode))) {
    to.keys.hold(key, holder, { count: null, mode, acquiredSeq: undefined });
  }
  const field = key.holders.get(fieldOf(holder, mode));
  if (field) field.renewedMs = lease.ms;
  if (key.mirrors?.mayBeTaken) key.mirrors.mayBeTaken = undefined;
  const set = setByHolder(key, lease);
  setLease(key, lease);
  key.watchEpoch = to.watchEpoch;
  const many = batch > 1 ? { batch } : undefined;
  to.emit(about, Object.assign({}, set, { holder, ...shared, ...many, ...leaseFields(lease), ...extra }));
}

/**
 * Reports a renewal that names no holder. The script of another program may look the same, so the lock and the client
 * of the connection must be known.
 */
function renewNothing(to: Context, { lock, leaseMs, at }: ActionOf<'renew-nothing'>, { db, by }: Origin): void {
  const key = to.keys.find(db, lock);
  const client = by === undefined ? undefined : to.clients.uuidAt(by);
  if (!key || client === undefined) return;
  to.emit({ db, lock, kind: key.kind, at, by }, { type: 'renewal.without-holder', client, leaseMs });
}

/**
 * An EVALSHA that runs nothing is normal once: Redis does not have the script, so the client loads it and sends the
 * call again. A second one within 50 ms is reported: the client got no reply and only repeated the call. The client
 * does not load the script before its next renewal.
 */
function renewNotRun(to: Context, { lock, holder, mode, at }: ActionOf<'renew-not-run'>, { db, by }: Origin): void {
  const key = to.keys.find(db, lock);
  const hold = key?.holders.get(fieldOf(holder, mode));
  if (!key || !hold) return;
  const before = hold.notRunAt;
  hold.notRunAt = at;
  if (before === undefined || millisBetween(before, at) > REPEATED_MS) return;
  const shared = mode === 'exclusive' ? undefined : { mode };
  to.emit({ db, lock, kind: key.kind, at, by }, { type: 'renewal.not-run', holder, ...shared });
}

function setExpiry(to: Context, action: ActionOf<'set-expiry'>, from: Origin): void {
  const key = to.keys.find(from.db, action.key);
  const { at, expiresAt, command } = action;
  if (!key && expiresAt !== null && action.conditions.length === 0)
    to.ownLocks.find(from.db, action.key)?.prolong({ at, by: from.by, expiresAt });
  if (!key || (action.isOfString && !isStringKind(key.kind))) return;
  const isEndUnknown = key.expiresAt === undefined && key.holders.size > 0;
  if (isEndUnknown && action.conditions.length > 0) return to.onDoubt(key);
  if (!isExpirySet(key, action)) return;
  if (expiresAt !== null && expiresAt <= at) return remove(to, { do: 'delete', at, key: action.key, command }, from);
  if (expiresAt !== null) endUnreported(key, { at, by: from.by, expiresAt });
  const isCounter = isCounterKind(key.kind);
  if (key.holders.size === 0 && !isCounter) return;
  if (isCounter) key.expiresAt = expiresAt;
  else setEnd(to, key, { at, by: from.by, expiresAt });
}

/**
 * SETNX, then EXPIRE: an attempt whose outcome is not known yet gets this lease, or this end if it has a lease already.
 * Only the client that acquired the lock sends EXPIRE. So attempts on other connections get the lease only if the
 * connection of the EXPIRE made none.
 */
function endUnreported({ mirrors }: LockKey, moved: EndMoved): void {
  const lease = { setAt: moved.at, ms: millisBetween(moved.at, moved.expiresAt) };
  const attempts = mirrors?.tokens?.unreported ?? [];
  const own = attempts.filter(({ by }) => by === moved.by);
  for (const attempt of own.length > 0 ? own : attempts) {
    if (attempt.lease) attempt.moved = moved;
    else attempt.lease = lease;
  }
}

/**
 * Whether the command sets the end: NX, XX, GT and LT compare with the previous end (Redis 7), and all of them must be
 * met. No end counts as infinite.
 */
function isExpirySet(key: LockKey, action: ActionOf<'set-expiry'>): boolean {
  const before = key.expiresAt ?? Number.POSITIVE_INFINITY;
  const after = action.expiresAt ?? Number.POSITIVE_INFINITY;
  return action.conditions.every((condition) => {
    switch (condition) {
      case 'NX':
        return before === Number.POSITIVE_INFINITY;
      case 'XX':
        return before !== Number.POSITIVE_INFINITY;
      case 'GT':
        return after > before;
      default:
        return after < before;
    }
  });
}
