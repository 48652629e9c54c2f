import { millisBetween, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { ActionOf } from '../action.ts';
import type { About, Context, Origin } from '../context.ts';
import type { Certainty, DetailOf, Draft } from '../event.ts';
import { KINDS } from '../kinds/kinds.ts';
import { surelySince, type Wait } from '../mirror/clients/wait.ts';
import { clearKey, holderIds, type LockKey, rememberLoss } from '../mirror/lock-key.ts';
import { clientOf, fieldOf, holderOfField, lockOfChannel } from '../names/names.ts';
import type { Lease } from '../types/lease.ts';
import type { Appliers } from './appliers.ts';
import { causeOfAttempt, isNextPoll, isSecondAttempt } from './cause-of-attempt.ts';
import { expire } from './expire.ts';
import { fencingTokenOf } from './kinds/fencing-token.ts';
import { kindOfAttempt } from './kinds/spin-kind.ts';
import { dropOtherStaleHolds, dropStaleHolds, isOver, noteFree, proveWithoutMode, reasonOf } from './proof.ts';
import { getOrCreateLock, keyOf, learnKind, noteHomeMade, noteOldChannel } from './reads/known-key.ts';

/** What scripts do to holds, whatever the kind of lock, and the messages that they publish. */
export const HOLDING: Appliers<
  'acquire' | 'release' | 'release-partly' | 'refuse-unlock' | 'force-release' | 'publish'
> = {
  acquire,
  release,
  'release-partly': releasePartly,
  'refuse-unlock': refuseUnlock,
  'force-release': forceRelease,
  publish,
};

/** Fields that acquisitions of some kinds of lock have in addition. */
type Extra = Pick<
  DetailOf<'lock.acquired'>,
  'shiftMs' | 'clockAheadMs' | 'clockUnseen' | 'readTimeouts' | 'values' | 'leaseMs' | 'expiresAt'
>;

/** Emits the acquisition or re-entry, and ends the wait that led to it. */
export function acquire(to: Context, action: ActionOf<'acquire'>, from: Origin, extra?: Extra): void {
  const { db, by } = from;
  const { lock, holder, isReentry, lease, at } = action;
  const key = keyOf(to, db, lock, kindOfAttempt(to, action, from), at);
  if (!isReentry && !action.isShared) {
    if (action.mode === 'exclusive') dropStaleHolds(to, key, at);
    else proveWithoutMode(to, key, at);
  }
  if (isReentry && action.mode === 'exclusive') dropOtherStaleHolds(to, key, holder, at);
  if (hasBecomePlain(key, action)) learnKind(to, key, action.kind, at);
  if (action.isHomeMade) noteHomeMade(key);
  const before = key.holders.get(fieldOf(holder, action.mode));
  // A plain script that finds the caller's read hold adds to it, because both kinds of hold have the same field.
  const mode = action.mode === 'exclusive' && before ? before.mode : action.mode;
  const count = action.count ?? (isReentry ? (before?.count == null ? null : before.count + 1) : 1);
  const wait = to.waits.find(db, lock, holder);
  const cause = wait && !isReentry ? causeOfAttempt(to, key, wait, at) : undefined;
  const wokenBy = cause?.wokenBy;
  const hasWaited = wait && !isReentry && (wait.isAsleep || wokenBy !== undefined || isNext(to, key, wait, at));
  setLease(key, lease);
  if (!lease && key.expiresAt === undefined) to.onDoubt(key); // the script set no lease, or one that Redis rejects
  // Built field by field: one event in three is one of these, and spreading objects is slow.
  const detail: Draft<DetailOf<'lock.acquired'>> = {
    type: isReentry ? 'lock.reentered' : 'lock.acquired',
    holder,
    mode,
  };
  if (count !== null) detail.holdCount = count;
  if (lease) {
    detail.leaseMs = lease.ms;
    detail.expiresAt = plusMillis(lease.setAt, lease.ms);
  }
  if (wokenBy) detail.wokenBy = wokenBy;
  if (cause?.lateMs !== undefined) detail.lateMs = cause.lateMs;
  if (hasWaited && !wait.isUnseen) {
    detail.waitedMs = millisBetween(surelySince(wait), at);
    if (wait.beganUnseen) detail.waitedAtLeast = true;
  }
  const fencingToken = fencingTokenOf(key);
  if (fencingToken !== undefined) detail.fencingToken = fencingToken;
  if (extra) Object.assign(detail, extra);
  const because = cause && [cause.seq, cause.freedBy];
  const about: About = because ? { db, lock, kind: key.kind, at, by, because } : { db, lock, kind: key.kind, at, by };
  const seq = to.emit(key.mirrors?.isHomeMade ? { ...about, library: 'unknown' } : about, detail);
  to.keys.hold(key, holder, { count, mode, acquiredSeq: before?.acquiredSeq ?? seq });
  key.watchEpoch = to.watchEpoch;
  if (wait) to.waits.end(wait);
}

/**
 * Whether a plain script shows that the lock no longer has its former kind. Either the script acquired a free key, or
 * it found the caller's hold where a token was expected, or in the hash of a read-write lock, without a `mode`.
 */
function hasBecomePlain(key: LockKey, { kind, isReentry }: ActionOf<'acquire'>): boolean {
  if (kind !== 'lock' || !KINDS[key.kind].hasOwnAcquire) return false;
  if (!isReentry || KINDS[key.kind].ownKey === 'token') return true;
  const holds = [...key.holders.values()];
  return KINDS[key.kind].hasReaders === true && holds.length > 0 && holds.every(({ mode }) => mode === 'exclusive');
}

/** Whether this attempt belongs to a call that was refused before: a wait, even without a sleep. */
function isNext(to: Context, key: LockKey, wait: Wait, at: RedisTime): boolean {
  if (isNextPoll(key, wait, at)) return true;
  const isListening = to.waits.listeners.isListening(wait.channel, clientOf(wait.holder));
  // Only this thread uses this channel: while the client listens there, its call continues, however long it pauses.
  return (wait.hasOwnChannel && isListening) || isSecondAttempt(wait, at, isListening);
}

function release(to: Context, action: ActionOf<'release'>, { db, by }: Origin): void {
  const { lock, holder, at } = action;
  const key = keyOf(to, db, lock, action.kind, at);
  // only the script of a plain lock publishes a message: that of a spin lock does not
  if (action.kind === 'lock' && KINDS[key.kind].backsOff) learnKind(to, key, 'lock', at);
  const before = key.holders.get(holder);
  const { mode } = before ?? action;
  const acquiredSeq = before?.acquiredSeq;
  if (key.holders.size > 0 && !key.holders.has(holder)) dropStaleHolds(to, key, at);
  const others = key.holders.size > 1 ? [...key.holders.keys()].filter((field) => field !== holder) : NO_FIELDS;
  clearKey(key, 'released');
  key.watchEpoch = to.watchEpoch;
  const seq = to.emit(
    { db, lock, kind: key.kind, at, by, because: [acquiredSeq] },
    { type: 'lock.released', holder, mode, holdCount: 0 },
  );
  if (others.length > 0) loseOthers(to, key, others, at, by);
  if (!KINDS[key.kind].backsOff) return;
  key.mirrors ??= {};
  key.mirrors.lastUnannouncedRelease = seq;
}

const NO_FIELDS: readonly string[] = [];

/**
 * Reports the loss of other holds in a key that a release deleted. Two locks of different kinds with one name share a
 * key, so a release of one ends the holds of the other as well.
 */
export function loseOthers(
  to: Context,
  key: LockKey,
  fields: readonly string[],
  at: RedisTime,
  by: string | undefined,
): void {
  const holders = [...new Set(fields.map(holderOfField))];
  const [holder = ''] = holders;
  for (const field of fields) rememberLoss(key, field, 'gone');
  key.lastLoss = to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by },
    { type: 'lock.deleted', command: 'DEL', holder, holders },
  );
}

function releasePartly(to: Context, action: ActionOf<'release-partly'>, { db, by }: Origin): void {
  const { lock, holder, lease, at } = action;
  const key = keyOf(to, db, lock, action.kind, at);
  dropOtherStaleHolds(to, key, holder, at);
  const before = key.holders.get(holder);
  const { mode } = before ?? action;
  const count = before?.count == null ? null : before.count - 1;
  to.keys.hold(key, holder, { count, mode, acquiredSeq: before?.acquiredSeq });
  key.watchEpoch = to.watchEpoch;
  setLease(key, lease);
  to.emit(
    { db, lock, kind: key.kind, at, by },
    {
      type: 'lock.partially-released',
      holder,
      mode,
      ...(count === null ? undefined : { holdCount: count }),
      ...leaseFields(lease),
    },
  );
}

function refuseUnlock(to: Context, action: ActionOf<'refuse-unlock'>, { db, by }: Origin): void {
  const { lock, holder, mode, callerSawSuccess, answerMs, at } = action;
  if (action.isHomeMade && !hasLostHomeMade(to.keys.find(db, lock), holder)) return;
  const key = keyOf(to, db, lock, action.kind, at);
  if (callerSawSuccess || action.isFree) {
    dropStaleHolds(to, key, at);
    noteFree(to, key);
  }
  const { reason, certainty } = reasonOf(to, key, fieldOf(holder, mode ?? 'exclusive'), at);
  const backAt = to.unlocks.backAt(db, lock, holder, mode ?? 'exclusive');
  to.emit(
    { db, lock, kind: key.kind, at, by, certainty },
    {
      type: 'unlock.refused',
      holder,
      ...(mode ? { mode } : undefined),
      reason,
      ...(callerSawSuccess ? { callerSawSuccess } : undefined),
      ...(reason === 'not-owner' ? otherHolder(to, key, holder, certainty) : undefined),
      ...(backAt === undefined || !key.lost?.has(fieldOf(holder, mode ?? 'exclusive')) ? undefined : { backAt }),
      ...(answerMs === undefined ? undefined : { answerMs }),
    },
  );
}

/** Whether this holder lost an application's own lock: then its script looks for the hold in order to release it. */
function hasLostHomeMade(key: LockKey | undefined, holder: string): boolean {
  return key?.mirrors?.isHomeMade === true && key.lost?.has(holder) === true;
}

/**
 * The holder of a lock that another thread tried to unlock, if known, and when that thread was last refused the lock.
 */
function otherHolder(
  to: Context,
  key: LockKey,
  caller: string,
  certainty: Certainty,
): Pick<DetailOf<'unlock.refused'>, 'heldBy' | 'triedAt'> {
  const heldBy = certainty === 'observed' ? holderIds(key).find((id) => id !== caller) : undefined;
  const triedAt = to.unlocks.refusedAt(key.db, key.name, caller);
  return { ...(heldBy === undefined ? undefined : { heldBy }), ...(triedAt === undefined ? undefined : { triedAt }) };
}

function forceRelease(to: Context, action: ActionOf<'force-release'>, { db, by }: Origin): void {
  const { lock, at } = action;
  const key = to.keys.find(db, lock);
  const holders = key ? holderIds(key) : [];
  if (!action.hasFound) {
    if (!key || holders.length === 0) return;
    if (action.hasFound === false) return dropStaleHolds(to, key, at);
    // at the end of a lease, the key may have been gone
    if (isOver(key, at)) return expire(to, key, at);
  }
  const known = keyOf(to, db, lock, action.kind, at);
  const [holder] = holders;
  known.lastLoss = to.emit(
    { db, lock, kind: known.kind, at, by },
    { type: 'lock.force-released', ...(holder === undefined ? undefined : { holder, holders }) },
  );
  clearKey(known, 'gone');
  known.watchEpoch = to.watchEpoch;
}

function publish(to: Context, action: ActionOf<'publish'>, { db, by, released }: Origin): void {
  const { channel, message, at } = action;
  const target = lockOfChannel(channel);
  if (!target) return;
  const { name, kind, waiter } = target;
  const lock = action.lock ?? to.keys.nameFrom(db, name);
  const key = getOrCreateLock(to, db, lock, kind, at);
  noteOldChannel(to, key, channel);
  const seq = to.emit(
    { db, lock, kind: key.kind, at, by, because: [released] },
    { type: 'wakeup.published', channel, message, ...(waiter === undefined ? undefined : { holder: waiter }) },
  );
  key.lastMessage = seq;
  key.messageAt = at;
  const { counter } = key.mirrors ?? {};
  if (counter && message !== KINDS[key.kind].messageToNone) counter.openedAt = at;
  to.waits.listeners.published(
    channel,
    at,
    KINDS[key.kind].messageToAll === message ? to.waits.sleepersByClient(db, lock) : undefined,
  );
  const woken = waiter === undefined ? undefined : to.waits.find(db, lock, waiter);
  if (woken) woken.ownMessage = { seq, at };
}

/** Stores the lease that a script set. */
export function setLease(key: LockKey, lease: Lease | null): void {
  if (!lease) return;
  setEnd(key, lease);
  key.leaseMs = lease.ms;
}

/** Stores when a lease ends. */
export function setEnd(key: LockKey, { setAt, ms, earlierBy }: Lease): void {
  key.expiresAt = plusMillis(setAt, ms);
  if (earlierBy === undefined) return;
  key.mirrors ??= {};
  key.mirrors.unsureEnd = { expiresAt: key.expiresAt, earlierBy };
}

/** The fields of a lease in an event. */
export function leaseFields(lease: Lease | null): { leaseMs: number; expiresAt: RedisTime } | undefined {
  return lease ? { leaseMs: lease.ms, expiresAt: redisTime(lease.setAt + lease.ms * 1000) } : undefined;
}
