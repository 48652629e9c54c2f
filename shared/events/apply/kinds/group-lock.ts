import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { countOf, GroupValues } from '../../mirror/group-values.ts';
import { dropField, type LockKey, rememberLoss } from '../../mirror/lock-key.ts';
import type { HeldValue } from '../../types/hold-event.ts';
import type { Appliers } from '../appliers.ts';
import { acquire, setLease } from '../holding.ts';
import { setByHolder } from '../lease-set.ts';
import { dropStaleHolds, isStateKnown, noteFree } from '../proof.ts';
import { getOrCreateLock, keyOf } from '../reads/known-key.ts';
import { refuse } from '../waiting.ts';

const KIND = 'group-lock';
/** How many ms later than the client's own end the computed end may be: the client counts whole milliseconds. */
const SLACK = 20;

/** Group locks: each value of the group has its own holder. */
export const GROUP_LOCKS: Appliers<
  'group-acquire' | 'group-refuse' | 'group-release' | 'group-refuse-unlock' | 'group-renew' | 'group-force'
> = {
  'group-acquire': groupAcquire,
  'group-refuse': groupRefuse,
  'group-release': groupRelease,
  'group-refuse-unlock': groupRefuseUnlock,
  'group-renew': groupRenew,
  'group-force': groupForce,
};

function groupAcquire(to: Context, action: ActionOf<'group-acquire'>, from: Origin): void {
  const { at, lock, holder, leaseMs } = action;
  const key = keyOf(to, from.db, lock, KIND, at);
  const values = valuesOf(key);
  expireValues(to, key, at);
  if (action.isNew) {
    dropStaleHolds(to, key, at);
    values.clear();
  }
  for (const { value } of action.values) {
    const other = values.ownerOf(value);
    // the script found the value free
    if (other !== undefined && other !== holder) loseValues(to, key, other, [value], at);
  }
  const isReentry = action.values.every(({ value }) => values.ownerOf(value) === holder);
  for (const { value, endsAt } of action.values) {
    values.take(value, holder, endsAt ?? (values.ownerOf(value) === holder ? null : plusMillis(at, leaseMs)));
  }
  const held = values.heldBy(holder);
  const count = countOf(held);
  setLease(key, action.lease);
  const end = key.expiresAt == null ? undefined : { expiresAt: key.expiresAt };
  const hold = { kind: KIND, holder, mode: 'exclusive', isReentry, isShared: true, lease: action.lease } as const;
  acquire(to, { do: 'acquire', at, lock, ...hold, ...(count === null ? {} : { count }) }, from, {
    ...{ leaseMs, values: held },
    ...end,
  });
  if (count === null) to.onDoubt(key);
}

function groupRefuse(to: Context, action: ActionOf<'group-refuse'>, from: Origin): void {
  const { at, lock, holder, taken } = action;
  const key = keyOf(to, from.db, lock, KIND, at);
  const values = valuesOf(key);
  if (taken && values.ownerOf(taken.value) !== taken.heldBy) {
    values.renew(taken.value, taken.heldBy, null); // acquired unseen
    if (!key.holders.has(taken.heldBy)) {
      to.keys.hold(key, taken.heldBy, { count: null, mode: 'exclusive', acquiredSeq: undefined });
    }
    to.onDoubt(key);
  }
  const end = taken ? values.endOf(taken.value) : null;
  const reported =
    end === null ? null : ({ by: 'deadline', ms: Math.max(0, Math.round(millisBetween(at, end))) } as const);
  const reason = taken ? 'held' : 'error';
  const wanted = { wanted: action.values, ...(taken ? { taken } : undefined) };
  refuse(to, { do: 'refuse', at, lock, kind: KIND, holder, mode: 'exclusive', reported, reason }, from, wanted);
}

function groupRelease(to: Context, action: ActionOf<'group-release'>, { db, by }: Origin): void {
  const { at, lock, holder, leaseMs } = action;
  const key = keyOf(to, db, lock, KIND, at);
  const values = valuesOf(key);
  const acquiredSeq = key.holders.get(holder)?.acquiredSeq;
  for (const { value, isGone, endsAt } of action.values) values.release(value, holder, isGone, endsAt);
  const held = values.heldBy(holder);
  setLease(key, action.lease);
  key.watchEpoch = to.watchEpoch;
  const about = { db, lock, kind: KIND, at, by, because: [held.length === 0 ? acquiredSeq : undefined] } as const;
  const end = key.expiresAt == null ? undefined : { expiresAt: key.expiresAt };
  const detail = { holder, mode: 'exclusive', values: held, ...end } as const;
  if (held.length === 0) {
    dropField(key, holder);
    to.emit(about, { type: 'lock.released', holdCount: 0, ...detail });
    if (values.isEmpty) key.expiresAt = undefined; // Redis removes the hash with its last field, without a DEL
    return;
  }
  const count = countOf(held);
  to.keys.hold(key, holder, { count, mode: 'exclusive', acquiredSeq });
  const counted = count === null ? undefined : { holdCount: count };
  to.emit(about, { type: 'lock.partially-released', ...counted, leaseMs, ...detail });
}

function groupRefuseUnlock(to: Context, action: ActionOf<'group-refuse-unlock'>, { db, by }: Origin): void {
  const { at, lock, holder } = action;
  const key = keyOf(to, db, lock, KIND, at);
  if (action.isFree) {
    dropStaleHolds(to, key, at);
    noteFree(to, key);
  }
  expireValues(to, key, at);
  const { reason, certainty } = reasonOfRefusal(to, key, holder, action.values);
  to.emit({ db, lock, kind: KIND, at, by, certainty }, { type: 'unlock.refused', holder, reason });
}

function groupRenew(to: Context, action: ActionOf<'group-renew'>, { db, by }: Origin): void {
  const { at, lock, holder, lease, leaseMs, missing } = action;
  const key = getOrCreateLock(to, db, lock, KIND, at);
  const values = valuesOf(key);
  for (const { value, endsAt } of action.values) values.renew(value, holder, endsAt);
  if (missing !== undefined) {
    expireValues(to, key, at);
    const { reason, certainty } = reasonOfRefusal(to, key, holder, [missing]);
    to.emit({ db, lock, kind: KIND, at, by, certainty }, { type: 'renewal.refused', holder, reason });
  }
  if (action.values.length === 0) return;
  const before = key.holders.get(holder);
  if (!before) to.keys.hold(key, holder, { count: null, mode: 'exclusive', acquiredSeq: undefined });
  const set = setByHolder(key, lease);
  setLease(key, lease);
  key.watchEpoch = to.watchEpoch;
  const end = key.expiresAt == null ? undefined : { expiresAt: key.expiresAt };
  const held = { values: values.heldBy(holder) };
  to.emit({ db, lock, kind: KIND, at, by }, { ...set, holder, leaseMs, ...end, ...held });
}

function groupForce(to: Context, action: ActionOf<'group-force'>, { db, by }: Origin): void {
  const { at, lock } = action;
  const key = keyOf(to, db, lock, KIND, at);
  const values = valuesOf(key);
  expireValues(to, key, at);
  const formerHolders = new Set(action.values.flatMap((value) => values.ownerOf(value) ?? []));
  for (const value of action.values) values.drop(value);
  for (const holder of formerHolders) {
    const held = values.heldBy(holder);
    key.lastLoss = to.emit(
      { db, lock, kind: KIND, at, by },
      { type: 'lock.force-released', holder, holders: [holder], values: held },
    );
    settle(to, key, holder, held, 'gone');
  }
  key.watchEpoch = to.watchEpoch;
}

/** Ends the holds of values whose lease ends by `now`, or up to `slack` ms later, while other values keep the hash. */
export function expireValues(to: Context, key: LockKey, now: RedisTime, slack: Millis = SLACK): void {
  const { values } = key.mirrors ?? {};
  if (!values) return;
  for (const [holder, over] of values.overAt(plusMillis(now, slack))) loseValues(to, key, holder, over, now);
}

function loseValues(to: Context, key: LockKey, holder: string, over: readonly string[], now: RedisTime): void {
  const values = valuesOf(key);
  const end = Math.max(...over.map((value) => values.endOf(value) ?? now));
  for (const value of over) values.expire(value);
  const held = values.heldBy(holder);
  const at = redisTime(Math.min(now, end));
  const because = [key.holders.get(holder)?.acquiredSeq];
  key.lastExpiry = to.emit(
    { db: key.db, lock: key.name, kind: KIND, at, certainty: 'inferred', because },
    { type: 'lease.expired', holder, mode: 'exclusive', expiresAt: redisTime(end), values: held },
  );
  settle(to, key, holder, held, 'expired');
}

/** Updates a holder after it lost some of its values: the hold keeps the others, or ends if no value is left. */
function settle(to: Context, key: LockKey, holder: string, held: readonly HeldValue[], how: 'expired' | 'gone'): void {
  const field = key.holders.get(holder);
  rememberLoss(key, holder, how);
  if (held.length > 0)
    to.keys.hold(key, holder, { count: countOf(held), mode: 'exclusive', acquiredSeq: field?.acquiredSeq });
  else dropField(key, holder);
}

function reasonOfRefusal(to: Context, key: LockKey, holder: string, asked: readonly string[]) {
  const values = valuesOf(key);
  const owners = asked.map((value) => values.ownerOf(value));
  if (owners.every((owner) => owner === holder)) {
    to.onDoubt(key);
    return { reason: 'error', certainty: 'inferred' } as const;
  }
  const hasExpired = !key.holders.has(holder) && key.lost?.get(holder) === 'expired';
  if (hasExpired || asked.some((value) => values.hasLost(value, holder)))
    return { reason: 'expired', certainty: 'observed' } as const;
  const isOthers = owners.some((owner) => owner !== undefined && owner !== holder);
  const isKnown = isStateKnown(to, key);
  if (!isKnown) to.onDoubt(key);
  return { reason: isOthers ? 'not-owner' : 'no-lock', certainty: isKnown ? 'observed' : 'inferred' } as const;
}

function valuesOf(key: LockKey): GroupValues {
  key.mirrors ??= {};
  key.mirrors.values ??= new GroupValues();
  return key.mirrors.values;
}
