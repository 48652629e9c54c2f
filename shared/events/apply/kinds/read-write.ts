import { plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import type { DetailOf } from '../../event.ts';
import { clearKey, dropField, type LockKey, rememberLoss } from '../../mirror/lock-key.ts';
import { fieldOf, holderOfField } from '../../names/names.ts';
import type { ReadTimeouts } from '../../types/hold-event.ts';
import type { Appliers } from '../appliers.ts';
import { acquire, leaseFields, loseOthers, setEnd } from '../holding.ts';
import { renew } from '../leases.ts';
import { proveWithoutMode } from '../proof.ts';
import { keyOf } from '../reads/known-key.ts';

const KIND = 'read-write-lock';

/** Actions of read-write locks. Read holds are shared, and each has one timeout key per hold count. */
export const READ_WRITE: Appliers<'read-acquire' | 'read-release' | 'write-release' | 'read-renew'> = {
  'read-acquire': acquireRead,
  'read-release': release,
  'write-release': release,
  'read-renew': renewRead,
};

function acquireRead(to: Context, action: ActionOf<'read-acquire'>, from: Origin): void {
  const { at, lock, holder, isShared, timeout, lease } = action;
  const key = keyOf(to, from.db, lock, KIND, at);
  if (!isShared) proveWithoutMode(to, key, at);
  const count = action.count ?? (key.holders.get(holder)?.count ?? 0) + 1;
  const ends =
    timeouts(key)
      .get(holder)
      ?.slice(0, count - 1) ?? [];
  while (ends.length < count - 1) ends.push(null); // the earlier timeout keys were not seen
  ends.push(timeout && plusMillis(timeout.setAt, timeout.ms));
  timeouts(key).set(holder, ends);
  const hold = { kind: KIND, holder, mode: 'read', isReentry: count > 1, isShared, count, lease } as const;
  acquire(to, { do: 'acquire', at, lock, ...hold }, from, { readTimeouts: endsOf(key, [holder]) });
}

function release(to: Context, action: ActionOf<'read-release' | 'write-release'>, { db, by }: Origin): void {
  const { at, lock, holder, isFreed, lease } = action;
  const mode = action.do === 'read-release' ? 'read' : 'write';
  const key = keyOf(to, db, lock, KIND, at);
  const before = key.holders.get(fieldOf(holder, mode));
  const count = action.count ?? (before?.count == null ? null : Math.max(1, before.count - 1));
  if (mode === 'read') {
    if (count === 0) timeouts(key).delete(holder);
    else
      timeouts(key)
        .get(holder)
        ?.splice(count ?? 0);
  }
  const plain = [...key.holders].flatMap(([field, hold]) =>
    hold.mode === 'exclusive' && field !== holder ? field : [],
  );
  if (isFreed) {
    endOthers(to, key, fieldOf(holder, mode), at);
    clearKey(key, 'released');
  } else if (count === 0) dropField(key, fieldOf(holder, mode));
  else to.keys.hold(key, holder, { count, mode, acquiredSeq: before?.acquiredSeq });
  key.watchEpoch = to.watchEpoch;
  if (lease) setEnd(key, lease);
  if (lease && mode === 'write') key.leaseMs = lease.ms;
  const changed = mode === 'read' ? { readTimeouts: endsOf(key, [holder]) } : undefined;
  const end = key.expiresAt == null ? undefined : { expiresAt: key.expiresAt };
  const about = { db, lock, kind: key.kind, at, by, because: [count === 0 ? before?.acquiredSeq : undefined] };
  if (count !== 0) {
    const left: DetailOf<'lock.partially-released'> = {
      ...{ type: 'lock.partially-released', holder, mode },
      ...(count === null ? undefined : { holdCount: count }),
      ...(mode === 'write' ? leaseFields(lease) : end),
      ...changed,
    };
    to.emit(about, left);
    return;
  }
  const downgrade = action.isDowngrade ? { isDowngrade: true as const } : undefined;
  const seq = to.emit(about, { type: 'lock.released', holder, mode, holdCount: 0, ...downgrade, ...end, ...changed });
  if (isFreed && plain.length > 0) loseOthers(to, key, plain, at, by);
  key.mirrors ??= {};
  if (action.isDowngrade) key.mirrors.lastUnannouncedRelease = seq;
}

/** Ends the other read and write holds when a release freed the lock: no reader has a timeout key left. */
function endOthers(to: Context, key: LockKey, own: string, now: RedisTime): void {
  for (const [field, { mode, acquiredSeq }] of [...key.holders]) {
    if (field === own || mode === 'exclusive') continue;
    const holder = holderOfField(field);
    const ends = timeouts(key).get(holder) ?? [];
    const at = redisTime(Math.min(now, Math.max(...ends.map((end) => end ?? now), 0) || now));
    key.lastExpiry = to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred', because: [acquiredSeq] },
      { type: 'lease.expired', holder, mode, expiresAt: at },
    );
    dropField(key, field);
    rememberLoss(key, field, 'expired');
  }
}

function renewRead(to: Context, action: ActionOf<'read-renew'>, from: Origin): void {
  const { at, lock, holder, lease, batch, moved } = action;
  const key = keyOf(to, from.db, lock, KIND, at);
  for (const timeout of moved) {
    const ends = timeouts(key).get(timeout.holder) ?? [];
    while (ends.length < timeout.count) ends.push(null);
    ends[timeout.count - 1] = timeout.endsAt;
    timeouts(key).set(timeout.holder, ends);
  }
  const readers = [...new Set(moved.map((timeout) => timeout.holder))];
  const changed = readers.length > 0 ? { readTimeouts: endsOf(key, readers) } : undefined;
  renew(to, { do: 'renew', at, lock, kind: KIND, holder, mode: 'read', lease, batch }, from, changed);
}

function timeouts(key: LockKey): Map<string, (RedisTime | null)[]> {
  key.mirrors ??= {};
  key.mirrors.readTimeouts ??= new Map();
  return key.mirrors.readTimeouts;
}

function endsOf(key: LockKey, holders: readonly string[]): ReadTimeouts {
  return holders.map((holder) => ({ holder, ends: [...(timeouts(key).get(holder) ?? [])] }));
}
