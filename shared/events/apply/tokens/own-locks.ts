import { plusMillis, type RedisTime } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { isLikeOwnLock, isLockName } from '../../libraries/token-found.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import { formOf } from '../../libraries/value-form.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { type IsSameClient, OwnLock } from '../../mirror/tokens/own-lock.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { Unreported } from '../../mirror/tokens/token-mirror.ts';
import { nameShape } from '../../names/name-shape.ts';
import { expire } from '../expire.ts';
import { isGuessed, proveAttempt, proveFirst } from '../reads/token-reads.ts';
import { acquire, release } from './token-hold.ts';

/*
 * Locks that an application made itself. Each key is remembered with what was seen of it (`mirror/tokens/own-lock.ts`),
 * until it is probably a lock, or the user decides.
 */

type Place = Pick<Origin, 'db' | 'by'>;

/**
 * Notes an attempt on a key that is not known as a lock. Returns the key as soon as it is probably a lock, or if the
 * user decided so.
 */
export function tryOwnLock(to: Context, action: ActionOf<'token-try'>, { db, by }: Place): LockKey | undefined {
  const { ownLocks } = to;
  const { token, lock, at, lease, ifKeyIs } = action;
  if (!ownLocks.isOffered || ifKeyIs !== 'free' || token === undefined) return undefined;
  // SETNX, then EXPIRE: only the name of a lock distinguishes it from a value that is written once and stays
  if (lease === null && !isLockName(lock)) return undefined;
  const decision = ownLocks.decisionOn(lock);
  if (decision === false || !isLikeOwnLock(lock, token) || to.strangeLocks.has(db, lock)) return undefined;
  const known = ownLocks.find(db, lock);
  const own = ownLocks.take(db, lock);
  const before = [...own.attempts];
  own.try({ token, at, lease, by });
  const isShown = decision === true && (!own.isData || own.isContended);
  if (!isShown && !own.isProbable) {
    if (known || own.evidence.length > 0) ownLocks.onWatched(lock);
    return undefined;
  }
  // The attempt itself is applied next.
  return show(to, own, before.slice(0, own.attempts.length - 1 || 0), decision === true, own.lastHold);
}

/**
 * A comparison with the token of an attempt proves that the key is a lock. Returns the key, or undefined for any other
 * value.
 */
export function compareOwnLock(
  to: Context,
  action: ActionOf<'token-try' | 'token-drop'>,
  { db }: Place,
): LockKey | undefined {
  const own = to.ownLocks.find(db, action.lock);
  const compared = action.do === 'token-try' ? action.compared : action.token;
  if (!own?.attempts.some(({ token }) => token === compared)) return undefined;
  const key = show(to, own, own.attempts, true, own.lastHold);
  if (key) tokenMirrorOf(key).isOwn = false;
  return key;
}

/**
 * Notes that a script found this token in a key that clients try to set, and prolonged the key. Returns the key if it
 * is now probably a lock.
 */
export function renewOwnLock(to: Context, action: ActionOf<'token-renew'>, { db, by }: Place): LockKey | undefined {
  const { token, lock, at, lease } = action;
  const own = to.ownLocks.find(db, lock);
  if (!own || token === undefined || to.ownLocks.decisionOn(lock) === false || !isLikeOwnLock(lock, token))
    return undefined;
  own.compare(token);
  own.find({ token, at, lease, by });
  if (!own.isProbable) {
    if (lease) own.prolong({ at, by, expiresAt: plusMillis(lease.setAt, lease.ms) });
    return undefined;
  }
  return show(to, own, own.attempts, false, own.lastHold);
}

/**
 * Like `tryOwnLock`, for a script that sets the key. Its SHA is noted: if a call with another token later leaves the
 * key unchanged, it was refused.
 */
export function tryByScript(
  to: Context,
  action: ActionOf<'token-take' | 'token-keep' | 'token-set-if-free'>,
  place: Place,
): LockKey | undefined {
  const { lock, script } = action;
  const key = tryOwnLock(to, { ...action, do: 'token-try', ifKeyIs: 'free', isDelete: false }, place);
  const own = to.ownLocks.find(place.db, lock);
  if (own) own.script = script;
  return key;
}

/**
 * Notes that a script found no key or this token, and set the key. If the key had another token, the script replaced
 * it, so the key is not a lock. Returns the key if it is now probably a lock.
 */
export function keepOwnLock(to: Context, action: ActionOf<'token-keep'>, { db, by }: Place): LockKey | undefined {
  const { token, lock, at, lease } = action;
  const own = to.ownLocks.find(db, lock);
  const [first] = own?.isHeldAt(at) ? own.attempts : [];
  if (!own || !first) return tryByScript(to, action, { db, by });
  if (first.token !== token) to.ownLocks.forget(db, lock);
  else if (lease) own.prolong({ at, by, expiresAt: plusMillis(lease.setAt, lease.ms) });
  return own.isProbable && first.token === token ? show(to, own, own.attempts, false, own.lastHold) : undefined;
}

/**
 * Notes that the script which set a key was called with another token and left the key unchanged: a refused attempt.
 */
export function refuseOwnLock(to: Context, action: ActionOf<'token-miss'>, { db, by }: Place): LockKey | undefined {
  const { token, lock, at, script } = action;
  const own = script === undefined ? undefined : to.ownLocks.find(db, lock);
  if (!own || own.script !== script || token === undefined || !own.isHeldAt(at)) return undefined;
  own.try({ token, at, lease: null, by });
  return own.isProbable ? show(to, own, own.attempts, false, own.lastHold) : undefined;
}

/** Notes the deletion of a key that is not known as a lock. Returns the key if it was probably a lock. */
export function deleteOwnLock(to: Context, name: string, at: RedisTime, { db, by }: Place): LockKey | undefined {
  const own = to.ownLocks.isEmpty ? undefined : to.ownLocks.find(db, name);
  if (!own) return undefined;
  const { lastHold, isHoldKnown } = own;
  const attempts = isHoldKnown ? own.attempts : [];
  const [first] = own.attempts;
  own.delete(at, by, sameClient(to));
  if (!first || !own.isProbable) return undefined;
  const key = show(to, own, attempts, false, lastHold);
  if (key && isHoldKnown) proveAttempt(to, key, first.token, at);
  return key;
}

/**
 * Forgets a key if a command wrote a value of another form over that of an attempt, such as `COMPLETED`: the key is
 * data, not a lock.
 */
export function overwriteOwnLock({ ownLocks }: Context, name: string, value: string, db: number): void {
  const own = ownLocks.isEmpty ? undefined : ownLocks.find(db, name);
  if (own && !isTokenLike(value) && !own.attempts.some(({ token }) => formOf(token) === formOf(value)))
    ownLocks.forget(db, name);
}

/**
 * Notes a value that a read found in a key that is not known as a lock. Returns the key as soon as it is probably a
 * lock, or if the user decided so.
 */
export function findOwnLock(to: Context, db: number, name: string, found: Unreported): LockKey | undefined {
  const { ownLocks } = to;
  const decision = ownLocks.decisionOn(name);
  if (!ownLocks.isOffered || decision === false || !isLikeOwnLock(name, found.token)) return undefined;
  if (to.strangeLocks.has(db, name)) return undefined;
  const own = ownLocks.take(db, name);
  const isKnown = own.attempts.at(-1)?.token === found.token;
  own.find(found);
  if (isKnown) return undefined;
  return decision === true || own.isProbable ? show(to, own, [], decision === true, own.lastHold) : undefined;
}

/** Whether a read found a lock by its name and value only, and the user dismissed keys with names of this form. */
export function isDismissed({ ownLocks }: Context, { name, companions }: KeyRead): boolean {
  return isGuessed(companions?.library) && ownLocks.decisionOn(name) === false;
}

/** Notes why a key that a read found by its name and value is probably a lock, so that the user can decide about it. */
export function noteGuess(to: Context, key: LockKey, { companions }: KeyRead, at: RedisTime): void {
  const [token] = companions?.token ?? [];
  if (token === undefined || !isGuessed(companions?.library) || to.isNamed(key.name)) return;
  const own = new OwnLock(key.db, key.name);
  own.try({ token, at, lease: null, by: undefined });
  if (!own.isProbable) return;
  const mirror = tokenMirrorOf(key);
  mirror.isOwn = true;
  mirror.evidence = own.evidence;
  mirror.isSure = to.ownLocks.decisionOn(key.name) === true;
}

function sameClient({ clients }: Context): IsSameClient {
  return (setter, deleter) => setter === deleter || clients.connections.areOfOnePool(setter, deleter);
}

/**
 * Makes the key a lock, and reports the hold before the attempts. The read that follows shows which of the attempts
 * acquired the lock. Returns `undefined` if the key is known as a lock of another kind.
 */
function show(
  to: Context,
  own: OwnLock,
  attempts: readonly Unreported[],
  isSure: boolean,
  lastHold: OwnLock['lastHold'],
): LockKey | undefined {
  const { db, name } = own;
  const key = to.keys.take(db, name, 'token-lock', to.watchEpoch);
  to.ownLocks.forget(db, name);
  if (key.kind !== 'token-lock') return undefined;
  const mirror = tokenMirrorOf(key);
  mirror.isSure = isSure;
  mirror.isOwn = true;
  mirror.evidence = own.evidence;
  mirror.forgottenUntil = own.forgottenUntil;
  if (lastHold && !isWordAmongTokens(own, lastHold.attempt.token)) reportHold(to, key, lastHold);
  mirror.unreported.push(...attempts.filter(({ isFound }) => !isFound));
  if (lastHold) proveFirst(to, key);
  to.onDoubt(key);
  return key;
}

/**
 * Whether clients set tokens in this key, and this value is not a token: a client wrote it instead of a release, such
 * as `done`.
 */
function isWordAmongTokens({ attempts }: OwnLock, value: string): boolean {
  return !isTokenLike(value) && attempts.some(({ token }) => isTokenLike(token));
}

/** Reports a hold that has ended, and that was seen before its key was known to be a lock. */
function reportHold(to: Context, key: LockKey, hold: NonNullable<OwnLock['lastHold']>): void {
  const { attempt, endedAt, end: how } = hold;
  const { token, at, by, lease } = attempt;
  const from = { db: key.db, by, released: undefined };
  acquire(to, { key, token, at, from, certainty: 'inferred' }, lease);
  if (how === 'expired') {
    key.expiresAt = endedAt;
    return expire(to, key, endedAt);
  }
  const end = { key, token, at: endedAt, from: { ...from, by: undefined }, certainty: 'inferred' } as const;
  release(to, end, how === 'released' ? undefined : 'unknown');
}

/** Takes over what was seen of a key before a script showed that it is a lock. */
export function takeOver(to: Context, key: LockKey, own: OwnLock): void {
  if (own.lastHold) reportHold(to, key, own.lastHold);
  const mirror = tokenMirrorOf(key);
  mirror.unreported.push(...own.attempts.filter(({ isFound }) => !isFound));
  mirror.forgottenUntil = own.forgottenUntil;
  to.ownLocks.forget(key.db, key.name);
}

/** The user's decision about own locks: about all keys, or about those with names of one form. Null revokes it. */
export type OwnLocksWish = { readonly shown: boolean } | { readonly name: string; readonly isLock: boolean | null };

export function decideOwnLocks(to: Context, wish: OwnLocksWish): void {
  if ('shown' in wish) showAll(to, wish.shown);
  else decideForm(to, wish.name, wish.isLock ?? undefined);
}

/** Begins to treat all keys that look like an application's own locks as locks, or stops doing so. */
function showAll(to: Context, isShown: boolean): void {
  if (to.ownLocks.isShown === isShown) return;
  to.ownLocks.isShown = isShown;
  if (isShown) for (const own of to.ownLocks.at(to.keys.now)) show(to, own, own.attempts, true, own.lastHold);
  else hide(to, (key) => key.mirrors?.tokens?.isSure === true && to.ownLocks.decisionOn(key.name) !== true);
}

function decideForm(to: Context, name: string, isLock: boolean | undefined): void {
  const shape = nameShape(name);
  const hasThisForm = (key: { readonly name: string }) => nameShape(key.name) === shape;
  to.ownLocks.decide(name, isLock);
  if (isLock !== true) return hide(to, hasThisForm);
  for (const own of to.ownLocks.at(to.keys.now)) if (hasThisForm(own)) show(to, own, own.attempts, true, own.lastHold);
  for (const key of to.keys.all()) {
    const tokens = key.mirrors?.tokens;
    if (!tokens?.isOwn || !hasThisForm(key)) continue;
    tokens.isSure = true;
    to.onDoubt(key);
  }
}

/**
 * Drops these own locks. Those with a known token are offered again, unless the user decided that they are not locks.
 */
function hide(to: Context, isToHide: (key: LockKey) => boolean): void {
  for (const key of [...to.keys.all()]) {
    const tokens = key.mirrors?.tokens;
    if (!tokens?.isOwn || !isToHide(key)) continue;
    const token = [...key.holders.keys(), ...tokens.granted].at(0);
    to.keys.drop(key);
    if (token === undefined || to.ownLocks.decisionOn(key.name) === false) continue;
    to.ownLocks.take(key.db, key.name).try({ token, at: to.keys.now, lease: null, by: undefined });
  }
}
