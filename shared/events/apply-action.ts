import { assertNever } from '../base/assert-never.ts';
import { millisBetween, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import type { Action, Lease } from './action.ts';
import { applyWaitAction } from './apply-wait.ts';
import { causeOfAttempt, isSecondAttempt } from './cause-of-attempt.ts';
import type { About, Interpreter } from './interpreter.ts';
import { clearKey, type LockKey } from './lock-keys.ts';
import { clientOf, lockChannel, lockOfChannel } from './names.ts';
import { isOver, proveFree, reasonOf } from './proof.ts';
import type { Wait } from './waiting-room.ts';

type Did<Name extends Action['do']> = Extract<Action, { do: Name }>;

/** Compares an action with what Redis held before it, changes the mirror, and emits the events it means. */
export function applyAction(
  to: Interpreter,
  action: Action,
  db: number,
  by: string | undefined,
  because?: number,
): void {
  switch (action.do) {
    case 'acquire':
      return acquire(to, action, db, by);
    case 'release':
      return release(to, action, db, by);
    case 'release-partly':
      return releasePartly(to, action, db, by);
    case 'refuse-unlock':
      return refuseUnlock(to, action, db, by);
    case 'force-release':
      return forceRelease(to, action, db, by);
    case 'renew':
      return renew(to, action, db, by);
    case 'publish':
      return publish(to, action, db, by, because);
    case 'delete':
      return remove(to, action, db, by);
    case 'set-expiry':
      return setExpiry(to, action, db, by);
    case 'flush':
      return flush(to, action, db, by);
    case 'refuse':
    case 'subscribe':
    case 'unsubscribe':
    case 'unsubscribe-all':
    case 'name-connection':
      return applyWaitAction(to, action, db, by);
    default:
      return assertNever(action);
  }
}

function acquire(to: Interpreter, action: Did<'acquire'>, db: number, by: string | undefined): void {
  const { lock, holder, mode } = action;
  const key = to.keys.take(db, lock, action.kind, to.stretch);
  if (!action.isReentry) proveFree(to, key, action.at);
  const before = key.holders.get(holder);
  const count = action.isReentry ? (before?.count == null ? null : before.count + 1) : 1;
  const wait = to.waits.find(db, lock, holder);
  const cause = wait && !action.isReentry ? causeOfAttempt(to, key, wait, action.at) : undefined;
  const hasWaited =
    wait !== undefined &&
    !action.isReentry &&
    (wait.isAsleep || cause?.wokenBy !== undefined || isNext(to, wait, action.at));
  setLease(key, action.lease);
  const seq = to.emit(
    { db, lock, kind: key.kind, at: action.at, by, because: [cause?.seq] },
    {
      type: action.isReentry ? 'lock.reentered' : 'lock.acquired',
      holder,
      mode,
      ...(count === null ? {} : { holdCount: count }),
      ...leaseFields(action.lease),
      ...(cause?.wokenBy ? { wokenBy: cause.wokenBy } : {}),
      ...(hasWaited ? { waitedMs: millisBetween(wait.since, action.at) } : {}),
    },
  );
  to.keys.hold(key, holder, { count, mode, acquiredSeq: before?.acquiredSeq ?? seq });
  key.stretch = to.stretch;
  if (wait) to.waits.end(wait, key.channel);
}

/** Whether this attempt is the second of a call that was refused once: no sleep, but a wait. */
function isNext(to: Interpreter, wait: Wait, at: RedisTime): boolean {
  return isSecondAttempt(wait, at, to.waits.isListening(lockChannel(wait.lock), clientOf(wait.holder)));
}

function release(to: Interpreter, action: Did<'release'>, db: number, by: string | undefined): void {
  const { lock, holder, mode } = action;
  const key = to.keys.take(db, lock, action.kind, to.stretch);
  const before = key.holders.get(holder);
  clearKey(key, 'released');
  key.stretch = to.stretch;
  const because = [before?.acquiredSeq];
  to.emit(
    { db, lock, kind: key.kind, at: action.at, by, because },
    { type: 'lock.released', holder, mode, holdCount: 0 },
  );
}

function releasePartly(to: Interpreter, action: Did<'release-partly'>, db: number, by: string | undefined): void {
  const { lock, holder, mode } = action;
  const key = to.keys.take(db, lock, action.kind, to.stretch);
  const before = key.holders.get(holder);
  const count = before?.count == null ? null : before.count - 1;
  to.keys.hold(key, holder, { count, mode, acquiredSeq: before?.acquiredSeq });
  key.stretch = to.stretch;
  setLease(key, action.lease);
  to.emit(
    { db, lock, kind: key.kind, at: action.at, by },
    {
      type: 'lock.partially-released',
      holder,
      mode,
      ...(count === null ? {} : { holdCount: count }),
      ...leaseFields(action.lease),
    },
  );
}

function refuseUnlock(to: Interpreter, action: Did<'refuse-unlock'>, db: number, by: string | undefined): void {
  const { lock, holder } = action;
  const key = to.keys.take(db, lock, action.kind, to.stretch);
  if (action.callerSawSuccess) proveFree(to, key, action.at);
  const { reason, certainty } = reasonOf(to, key, holder, action.at);
  to.emit(
    { db, lock, kind: key.kind, at: action.at, by, certainty },
    {
      type: 'unlock.refused',
      holder,
      reason,
      ...(action.callerSawSuccess ? { callerSawSuccess: true as const } : {}),
    },
  );
}

function forceRelease(to: Interpreter, action: Did<'force-release'>, db: number, by: string | undefined): void {
  const key = to.keys.find(db, action.lock);
  const holders = key ? [...key.holders.keys()] : [];
  if (!action.isProven) {
    // It published nothing: there was nothing left of a lease that is over.
    if (key && holders.length > 0 && isOver(key, action.at)) return to.expire(key, action.at, 'inferred');
    if (holders.length === 0) return;
  }
  const known = to.keys.take(db, action.lock, action.kind, to.stretch);
  const [holder] = holders;
  known.lastLoss = to.emit(
    { db, lock: action.lock, kind: known.kind, at: action.at, by },
    { type: 'lock.force-released', ...(holder === undefined ? {} : { holder, holders }) },
  );
  clearKey(known, 'gone');
  known.stretch = to.stretch;
}

function renew(to: Interpreter, action: Did<'renew'>, db: number, by: string | undefined): void {
  const { lock, holder, lease } = action;
  const key = to.keys.take(db, lock, action.kind, to.stretch);
  const about: About = { db, lock, kind: key.kind, at: action.at, by };
  if (lease === null) {
    const { reason, certainty } = reasonOf(to, key, holder, action.at);
    to.emit({ ...about, certainty }, { type: 'renewal.refused', holder, reason });
    return;
  }
  if (!key.holders.has(holder)) {
    to.keys.hold(key, holder, { count: null, mode: 'exclusive', acquiredSeq: undefined });
  }
  setLease(key, lease);
  key.stretch = to.stretch;
  const batch = action.batch > 1 ? { batch: action.batch } : {};
  to.emit(about, { type: 'lease.renewed', holder, cause: 'watchdog', ...batch, ...leaseFields(lease) });
}

function publish(
  to: Interpreter,
  action: Did<'publish'>,
  db: number,
  by: string | undefined,
  because: number | undefined,
): void {
  const target = lockOfChannel(action.channel);
  if (!target) return;
  const key = to.keys.take(db, target.name, 'lock', to.stretch);
  const seq = to.emit(
    { db, lock: target.name, kind: key.kind, at: action.at, by, because: [because] },
    {
      type: 'wakeup.published',
      channel: action.channel,
      message: action.message,
      ...(target.waiter === undefined ? {} : { holder: target.waiter }),
    },
  );
  to.noteMessage(key, seq, action.at);
  to.waits.published(action.channel);
}

function remove(to: Interpreter, action: Did<'delete'>, db: number, by: string | undefined): void {
  const key = to.keys.find(db, action.key);
  if (!key || key.holders.size === 0) return;
  if (isOver(key, action.at)) return to.expire(key, action.at, 'inferred');
  const holders = [...key.holders.keys()];
  if (action.holders && !holders.every((holder) => action.holders?.includes(holder))) return;
  const [holder] = holders;
  key.lastLoss = to.emit(
    { db, lock: key.name, kind: key.kind, at: action.at, by },
    { type: 'lock.deleted', command: action.command, ...(holder === undefined ? {} : { holder, holders }) },
  );
  clearKey(key, 'gone');
  key.stretch = to.stretch;
}

function setExpiry(to: Interpreter, action: Did<'set-expiry'>, db: number, by: string | undefined): void {
  const key = to.keys.find(db, action.key);
  if (!key || key.holders.size === 0 || !isExpirySet(key, action)) return;
  if (action.expiresAt !== null && action.expiresAt <= action.at) {
    return remove(to, { do: 'delete', at: action.at, key: action.key, command: action.command }, db, by);
  }
  key.expiresAt = action.expiresAt;
  const lease =
    action.expiresAt === null
      ? {}
      : { expiresAt: action.expiresAt, leaseMs: millisBetween(action.at, action.expiresAt) };
  to.emit(
    { db, lock: key.name, kind: key.kind, at: action.at, by },
    { type: 'lease.renewed', cause: 'command', ...lease },
  );
}

/** NX, XX, GT and LT make an expiry depend on the one before (Redis 7: EXPIRE). No expiry counts as endless. */
function isExpirySet(key: LockKey, action: Did<'set-expiry'>): boolean {
  const before = key.expiresAt ?? Number.POSITIVE_INFINITY;
  const after = action.expiresAt ?? Number.POSITIVE_INFINITY;
  switch (action.condition) {
    case 'NX':
      return before === Number.POSITIVE_INFINITY;
    case 'XX':
      return before !== Number.POSITIVE_INFINITY;
    case 'GT':
      return after > before;
    case 'LT':
      return after < before;
    default:
      return true;
  }
}

function flush(to: Interpreter, action: Did<'flush'>, db: number, by: string | undefined): void {
  for (const key of [...to.keys.held(action.allDatabases ? undefined : db)]) {
    if (isOver(key, action.at)) {
      to.expire(key, action.at, 'inferred');
      continue;
    }
    const holders = [...key.holders.keys()];
    const [holder] = holders;
    key.lastLoss = to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at: action.at, by },
      { type: 'db.flushed', command: action.command, ...(holder === undefined ? {} : { holder, holders }) },
    );
    clearKey(key, 'gone');
  }
}

function setLease(key: LockKey, lease: Lease | null): void {
  if (!lease) return;
  key.expiresAt = plusMillis(lease.setAt, lease.ms);
  key.leaseMs = lease.ms;
}

function leaseFields(lease: Lease | null): { leaseMs?: number; expiresAt?: RedisTime } {
  return lease ? { leaseMs: lease.ms, expiresAt: redisTime(lease.setAt + lease.ms * 1000) } : {};
}
