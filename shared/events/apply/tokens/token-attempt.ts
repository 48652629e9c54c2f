import { type Millis, millisBetween, plusMillis } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { isCounterKind } from '../../kinds/kinds.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import {
  forgetConnections,
  isTokenOf,
  keepRenewal,
  keepUnreported,
  mayBeRenewed,
  tokenMirrorOf,
} from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../../mirror/tokens/token-mirror.ts';
import type { Lease } from '../../types/lease.ts';
import { hasKeyEvent, mayChangeCounter, remove } from '../keys.ts';
import { isTakenByOther } from '../proof.ts';
import { proveAttempt, proveHold } from '../reads/token-reads.ts';
import { holderOfNext, noteNext } from './next-value.ts';
import { callOf } from './token-call.ts';
import {
  acquire,
  endIfOver,
  isSameWord,
  miss,
  overwrite,
  refuse,
  release,
  renew,
  type TokenCall,
} from './token-hold.ts';
import { refusedAtPart } from './token-parts.ts';

/**
 * Applies a script that did not find its token, and then set it if there was no key. A key event shows the outcome.
 * Without one, the script was refused if the lock has another holder. If the lock is free, it is acquired (inferred)
 * and read. If the state of the lock is not known, the read decides.
 */
export function setIfFree(to: Context, action: ActionOf<'token-set-if-free'>, from: Origin): void {
  const call = callOf(to, action, from);
  if (!call && action.script !== undefined) to.ownScripts.noteTried(action.script);
  if (!call) return;
  const { key, token, at } = call;
  const mirror = tokenMirrorOf(key);
  const hasHeld = (mirror.granted.has(token) && !mirror.released.has(token)) || key.lost?.has(token) === true;
  if (action.script !== undefined && !hasHeld) to.ownScripts.noteTried(action.script);
  const isAttempt = action.script !== undefined && to.ownScripts.tries(action.script);
  const isRenewal = action.as === 'renew' || (hasHeld && !isAttempt);
  const hasEffect = hasCaused(to, from, key.name, 'set');
  if (hasEffect) return acquire(to, call, action.lease);
  const isUnsure = isEndUnsure(key, at);
  if (hasEffect === undefined && !isUnsure) endIfOver(to, call);
  const isOther = key.holders.size > 0 && !key.holders.has(token);
  const isKnown = mirror.isStateKnown && !isUnsure && key.watchEpoch === to.watchEpoch;
  if (isTakenByOther(key, at) || (isKnown && isOther)) {
    const reported: TokenCall = hasEffect === false ? call : { ...call, certainty: 'inferred' };
    return isRenewal ? miss(to, reported, 'renew', false) : refuse(to, reported);
  }
  to.onDoubt(key);
  if (hasEffect === false) return;
  if (isKnown && key.holders.size === 0) return acquire(to, { ...call, certainty: 'inferred' }, action.lease);
  keepUnreported(mirror, { token, at, lease: action.lease, by: from.by, ...(isRenewal ? { isRenewal } : undefined) });
}

/**
 * Applies a plain command whose outcome MONITOR does not show. A key event shows it. Without one, the expected state
 * decides: the event is inferred, and if the command changed the key, a read is requested. If the state is not known,
 * nothing is reported before a read.
 */
export function tried(to: Context, action: ActionOf<'token-try'>, from: Origin): void {
  const { at, lock, ifKeyIs, isDelete, keepsLease, compared } = action;
  const known = to.keys.find(from.db, lock);
  const isOther = known !== undefined && known.kind !== 'token-lock';
  if (isOther && isCounterKind(known.kind) && ifKeyIs !== 'any') {
    if (ifKeyIs === 'free' && known.mirrors?.counter?.value != null) return; // SET NX found a key
    return mayChangeCounter(to, known, { at, by: from.by, command: isDelete ? 'DELEX' : undefined });
  }
  if (isOther && ifKeyIs === 'any') return remove(to, { do: 'delete', at, key: lock, command: 'SET' }, from);
  const call = callOf(to, action, from);
  if (!call) return refuseAtPart(to, action, from);
  const { key, token } = call;
  const mirror = tokenMirrorOf(key);
  if (ifKeyIs === 'free') mirror.isTriedBySet = true;
  const hasEffect = hasCaused(to, from, key.name, isDelete ? 'del' : 'set');
  const lease = keepsLease ? keptLease(key, at) : action.lease;
  if (compared !== undefined && compared !== action.token) return replaceToken(to, action, from, hasEffect);
  // MONITOR does not show commands that the server does not have. A server with DELEX or DELIFEQ has SET IFEQ, too.
  if (ifKeyIs === 'own' && (isDelete || hasEffect)) to.hasIfEqual = true;
  if (isDelete) proveHold(to, key, token, at, false);
  if (ifKeyIs !== 'free') proveAttempt(to, key, token, at);
  if (ifKeyIs === 'free' && hasEffect === undefined && isTakenByOther(key, at)) {
    return refuse(to, { ...call, certainty: 'inferred' });
  }
  const isUnknown = !mirror.isStateKnown || isEndUnsure(key, at);
  if (ifKeyIs === 'free' && hasEffect === undefined && isUnknown) {
    keepUnreported(mirror, { token, at, lease, by: from.by });
    return to.onDoubt(key);
  }
  const isCertain = to.hasIfEqual && mirror.isStateKnown && !isEndUnsure(key, at);
  const mayBeHolder = key.holders.has(token) || (!mirror.isStateKnown && key.holders.size === 0);
  if (ifKeyIs === 'own' && hasEffect === undefined && !isDelete && !isCertain && mayBeHolder) {
    // With KEEPTTL the renewal changes nothing.
    if (!keepsLease) keepRenewal(key, { token, at, lease, by: from.by });
    return to.onDoubt(key);
  }
  if (!mirror.isStateKnown && (ifKeyIs === 'own' ? hasEffect !== true : hasEffect === undefined))
    return to.onDoubt(key);
  if (ifKeyIs !== 'free' || hasEffect !== false) endIfOver(to, call); // a refusal shows that there was a holder
  const [holder] = key.holders.keys();
  const taken = ifKeyIs === 'free' && hasEffect === undefined ? otherTaken(to, action, from) : undefined;
  if (taken && holder === undefined) return; // the attempt on that key is refused, which is reported separately
  const isDone =
    hasEffect ??
    (ifKeyIs === 'free' ? holder === undefined : ifKeyIs === 'own' ? holder === token : holder !== undefined);
  const reported: TokenCall = hasEffect === undefined ? { ...call, certainty: 'inferred' } : call;
  if (hasEffect === undefined && isDone) to.onDoubt(key);
  switch (ifKeyIs) {
    case 'free':
      if (!isDone && isSameWord(key, token)) return noteAskedAgain(mirror, token, from.by);
      return isDone ? acquire(to, reported, lease) : refuse(to, reported);
    case 'own':
      // MONITOR shows IFEQ even if the server does not support it. Then the client sends a script, which decides.
      if (!isDone && holder === token) return;
      if (!isDone) return miss(to, reported, isDelete ? 'release' : 'renew', false);
      return isDelete ? void release(to, reported) : renewTo(to, reported, action, lease);
    case 'any':
      if (!isDone) return miss(to, reported, 'renew', false);
      if (holder === token) return renewTo(to, reported, action, lease);
      if (holderOfNext(to, key, token, at, from.by) !== undefined && holder !== undefined) {
        noteNext(key, token, from.by);
        return renewTo(to, { ...reported, token: holder, certainty: 'inferred' }, action, lease);
      }
      if (holder !== undefined && isTokenLike(holder) && !hadLock(key, token, action))
        return writeOver(to, action, from);
      return holder === undefined ? acquire(to, reported, lease) : overwrite(to, reported, lease);
  }
}

/**
 * Whether a token had the lock before. If the value shows its library, that library sets a key with XX only in this
 * case.
 */
function hadLock(key: LockKey, token: string, { evidence }: ActionOf<'token-try'>): boolean {
  return evidence === 'sure' || tokenMirrorOf(key).granted.has(token) || key.lost?.has(token) === true;
}

/**
 * A SET with XX by a client that never had the lock acquires nothing: it writes over the holder's token, either a word
 * such as `done` or a value that a read finds.
 */
function writeOver(to: Context, { at, lock, token, lease, keepsLease }: ActionOf<'token-try'>, from: Origin): void {
  const ends = lease ? { valueEnds: plusMillis(at, lease.ms) } : undefined;
  const kept = keepsLease ? ({ keepsEnd: true } as const) : undefined;
  remove(to, { do: 'delete', at, key: lock, command: 'SET', value: token, ...ends, ...kept }, from);
}

/**
 * If all clients set the same word, only a client's first attempt suggests that this client holds the lock. A client
 * that attempts again does not hold the lock.
 */
function noteAskedAgain(mirror: TokenMirror, token: string, by: string | undefined): void {
  if (mirror.mayBeOfOther && by !== undefined && mirror.tokenAt.get(by) === token) forgetConnections(mirror, token);
}

/**
 * Applies an attempt on one of several keys of a lock, before the key that decides: the attempt is refused there, or
 * goes on at the next key.
 */
function refuseAtPart(to: Context, action: ActionOf<'token-try'>, from: Origin): void {
  const key = refusedAtPart(to, action, from, (name) => hasCaused(to, from, name, 'set'));
  if (!key || action.token === undefined) return;
  const call: TokenCall = { key, token: action.token, at: action.at, from };
  if (!endIfOver(to, call)) refuse(to, call);
}

/** Another key of the same command that was already held: it refuses the attempt on all of them. */
function otherTaken(to: Context, action: ActionOf<'token-try'>, { db }: Origin): LockKey | undefined {
  const { lock, token = '', at, among = [] } = action;
  for (const name of among) {
    const key = name === lock ? undefined : to.keys.find(db, name);
    if (key && key.holders.size > 0 && key.holders.get(token)?.since !== at) return key;
  }
  return undefined;
}

/** Renews the lease of a holder that set its token again. With KEEPTTL nothing changes. */
function renewTo(to: Context, call: TokenCall, { keepsLease }: ActionOf<'token-try'>, lease: Lease | null): void {
  const { key, token } = call;
  if (keepsLease && key.holders.has(token)) return;
  if (lease === null) key.expiresAt = undefined;
  renew(to, call, lease);
  if (lease === null) to.onDoubt(key);
}

/** What is left of the lease, which the command keeps; null: it has no end, or the end is not known. */
function keptLease({ expiresAt }: LockKey, at: TokenCall['at']): Lease | null {
  return expiresAt == null ? null : { setAt: at, ms: millisBetween(at, expiresAt) };
}

/**
 * A SET with IFEQ that writes another value than it compares with. If a key event shows that the value was written, the
 * previous value is gone, and a read shows whether the new one is a token. Without an event, the read alone decides,
 * unless the new token renews or releases the lock before the read.
 */
function replaceToken(to: Context, action: ActionOf<'token-try'>, from: Origin, hasEffect: boolean | undefined): void {
  const { at, lock, compared, token, keepsLease } = action;
  const key = to.keys.find(from.db, lock);
  if (!key || hasEffect === false) return;
  const lease = keepsLease ? keptLease(key, at) : action.lease;
  if (hasEffect === undefined && compared !== undefined && token !== undefined) {
    const { by } = from;
    proveAttempt(to, key, compared, at);
    const isReplacement = key.holders.has(compared) && isTokenOf(key, token);
    if (isReplacement) tokenMirrorOf(key).replacement = { token, compared, at, lease, by };
    else if (key.holders.has(compared))
      key.mirrors = { ...key.mirrors, mayBeTaken: { at, command: 'SET', by, compared } };
  }
  const ends = lease ? { valueEnds: plusMillis(at, lease.ms) } : undefined;
  if (hasEffect) remove(to, { do: 'delete', at, key: lock, command: 'SET', ...ends }, from);
  to.onDoubt(key);
}

/**
 * Whether only Redis knows if the lease ended before the attempt: it ends about now, or it should have ended, but a
 * renewal whose outcome is not known may have moved its end.
 */
export function isEndUnsure(key: LockKey, at: TokenCall['at']): boolean {
  const { holders, expiresAt } = key;
  if (holders.size === 0 || expiresAt == null) return false;
  return Math.abs(millisBetween(expiresAt, at)) <= NEAR_END || (expiresAt < at && mayBeRenewed(key));
}

/** This close to the computed end of a lease, only Redis knows whether it is over. */
const NEAR_END: Millis = 20;

/** Whether a key event shows that the command changed the key; `undefined` if no key events arrive. */
function hasCaused(to: Context, from: Origin, name: string, event: 'set' | 'del'): boolean | undefined {
  const isReported = hasKeyEvent(from, name, (reported) => reported === event);
  if (isReported) to.hearsChanges = true;
  return isReported || to.hearsChanges ? isReported : undefined;
}
