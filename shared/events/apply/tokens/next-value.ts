import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { isTokenKind } from '../../kinds/kinds.ts';
import { endInValue } from '../../libraries/end-in-value.ts';
import { isTokenLike } from '../../libraries/token-libraries.ts';
import { formOf, isNextValue } from '../../libraries/value-form.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { acquiredBy, noteGrant, tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../../mirror/tokens/token-mirror.ts';
import { expire } from '../expire.ts';
import { setEnd } from '../lease-set.ts';
import { isOver, wasOverForCommand } from '../proof.ts';
import { noteForeignValue, proveAttempt } from '../reads/token-reads.ts';
import { acquire, release } from './token-hold.ts';

/** Clients judge the end by their own clocks, some in whole seconds. */
const CLOCKS_DIFFER: Millis = 1000;

/**
 * Applies a command that replaced a lock's value, if the two values show what the change means. Returns `false` if they
 * do not: then the lock was taken from its holder.
 */
export function applyNextValue(to: Context, key: LockKey, action: ActionOf<'delete'>, from: Origin): boolean {
  return (
    applyNextEnd(to, key, action, from) ||
    applyCount(to, key, action) ||
    applyHeartbeat(to, key, action, from) ||
    applyResult(to, key, action, from)
  );
}

/**
 * The holder replaced its token with another word, such as `COMPLETED` or a result, directly or by a script that
 * compared the token. The hold is over. From then on, the key is data that guards a request against duplicates, so its
 * mirror is dropped, unless the user asked to show it as a lock. Only for locks of no known library.
 */
function applyResult(to: Context, key: LockKey, action: ActionOf<'delete'>, from: Origin): boolean {
  const { at, value, command, keepsEnd, valueEnds } = action;
  const mirror = key.mirrors?.tokens;
  if (!mirror || mirror.library !== undefined) return false;
  if (value === undefined || !WRITES.has(command) || isTokenLike(value) || wasOverForCommand(to, key, at)) return false;
  const attempt = mirror.unreported.findLast((each) => each.by !== undefined && each.by === from.by);
  if (attempt) proveAttempt(to, key, attempt.token, at);
  const [holder, ...others] = key.holders.keys();
  if (holder === undefined || others.length > 0) return false;
  const isOwn = from.compared?.includes(holder) || (from.by !== undefined && acquiredBy(mirror, from.by) === holder);
  if (!isOwn) return false;
  const until = (keepsEnd ? key.expiresAt : valueEnds) ?? null;
  release(to, { key, token: holder, at, from, certainty: 'inferred' });
  noteForeignValue(key, { until });
  if (to.isNamed(key.name)) return true; // the user decided that the key is a lock
  to.keys.dropNext(key);
  return true;
}

/** The holder wrote a newer value of the same form, for example with the time of its last heartbeat. */
function applyHeartbeat(to: Context, key: LockKey, action: ActionOf<'delete'>, { by }: Origin): boolean {
  const { at, value, valueEnds = null, keepsEnd, command } = action;
  const attempt = key.mirrors?.tokens?.unreported.findLast((each) => each.by !== undefined && each.by === by);
  if (attempt && formOf(attempt.token) === formOf(value ?? '')) proveAttempt(to, key, attempt.token, at);
  if (value === undefined || !WRITES.has(command) || holderOfNext(to, key, value, at, by) === undefined) return false;
  noteNext(key, value, by);
  if (!keepsEnd) setEnd(to, key, { at, by, expiresAt: valueEnds });
  return true;
}

/**
 * The holder, if this value is its next one: the lock belongs to no known library, a connection that may be the
 * holder's wrote the value, and only numbers in it differ. `web-1:4711:7` becomes `web-1:4711:8`,
 * `{"owner":"web-1","at":17951}` becomes `{"owner":"web-1","at":17952}`.
 */
export function holderOfNext(
  to: Context,
  key: LockKey,
  value: string,
  at: RedisTime,
  by: string | undefined,
): string | undefined {
  const mirror = key.mirrors?.tokens;
  const [holder, ...others] = key.holders.keys();
  if (!mirror || mirror.library !== undefined || by === undefined || holder === undefined || others.length > 0)
    return undefined;
  if (!isFromHolder(to, mirror, holder, by) || mirror.granted.has(value) || wasOverForCommand(to, key, at))
    return undefined;
  const before = mirror.alias?.value ?? holder;
  return formOf(before) === formOf(value) ? holder : undefined;
}

/**
 * Whether the connection acquired the lock, or has the host and the name of the one that did, as in a pool. If a read
 * found the lock, the connection that acquired it is not known: then any connection counts that has no refused or
 * undecided attempt.
 */
function isFromHolder({ clients }: Context, mirror: TokenMirror, holder: string, by: string): boolean {
  if (acquiredBy(mirror, by) === holder) return true;
  const [own] = [...mirror.tokenAt].findLast(([, token]) => token === holder) ?? [];
  if (own === undefined)
    return !mirror.refusedTokens.has(by) && mirror.unreported.every((attempt) => attempt.by !== by);
  return own !== by && clients.connections.nameAt(by) !== undefined && clients.connections.areOfOnePool(own, by);
}

/** Stores the value that the holder wrote. */
export function noteNext(key: LockKey, value: string, by: string | undefined): void {
  const [holder] = key.holders.keys();
  if (holder === undefined) return;
  const mirror = tokenMirrorOf(key);
  mirror.alias = { value, holder };
  noteGrant(mirror, holder, by);
}

/**
 * A command put another end into a lock whose value is the end of its lease. After the old end, or up to 1 s before it,
 * the command takes the lock over: the previous hold has expired. Earlier, only GETSET is not a loss: a client that
 * lost the race for an expired lock moved the end. Returns `false` for any other command.
 *
 *   SETNX k 8.0     ── 8.0 ──     GETSET k 12.0   another client took the lock over
 *                                 GETSET k 12.1   a third client was too late, and its caller sees 12.0
 */
function applyNextEnd(to: Context, key: LockKey, action: ActionOf<'delete'>, from: Origin): boolean {
  const { at, command, value } = action;
  const [holder = ''] = key.holders.keys();
  const end = endBefore(key, value, at);
  if (end === undefined || value === undefined) return false;
  if (end > plusMillis(at, CLOCKS_DIFFER)) {
    if (command !== 'GETSET') return false;
    tokenMirrorOf(key).alias = { value, holder };
    return true;
  }
  expireAt(to, key, end, at);
  acquire(to, { key, token: value, at, from, certainty: 'inferred' }, null);
  return true;
}

/** The end of the only holder's lease, if both its value and the next value are ends of leases. */
function endBefore(key: LockKey, value: string | undefined, at: RedisTime): RedisTime | undefined {
  const [[holder, { since }] = ['', { since: at }], ...others] = key.holders;
  if (key.kind !== 'token-lock' || value === undefined || others.length > 0) return undefined;
  const end = endInValue(tokenMirrorOf(key).alias?.value ?? holder, since);
  return end !== undefined && endInValue(value, at) !== undefined && isEndOfLease(key, end) ? end : undefined;
}

/**
 * Without commands, a read found another value in a lock whose key was never gone since the previous read. So no client
 * acquired the lock, unless the old value was the end of its lease. Returns whether the holder keeps the lock, with its
 * next value of the same form, or with other text after its token (redislock).
 *
 *   set k web-1:7 · read · set k web-1:8 · read     one hold
 *   set k web-1:7 · read · del k · set k web-1:8    two holds
 */
export function keepsByNextValue(to: Context, key: LockKey, value: string | undefined, at: RedisTime): boolean {
  const [holder, ...others] = key.holders.keys();
  const { alias } = key.mirrors?.tokens ?? {};
  if (value === undefined || holder === undefined || others.length > 0) return false;
  if (hasSameToken(key, holder, value) && wasTakenOver(to, key, at)) {
    tokenMirrorOf(key).alias = { value, holder };
    return true;
  }
  if (!wasOverwritten(to, key, at)) return false;
  const end = endBefore(key, value, at);
  if (end !== undefined && end <= plusMillis(at, CLOCKS_DIFFER)) {
    expireAt(to, key, end, at);
    tokenMirrorOf(key).isSetAgain = false;
    return false;
  }
  if (!isNextValue(alias?.value ?? holder, value)) return false;
  noteNext(key, value, undefined);
  return true;
}

/**
 * For a lock of no known library: whether the key was never gone since the previous read. If this read finds another
 * value, the value was overwritten: no client acquires a lock in that way.
 */
export function wasOverwritten(to: Context, key: LockKey, at: RedisTime): boolean {
  return key.mirrors?.tokens?.library === undefined && isSameKey(to, key, at);
}

/**
 * Like `wasOverwritten`, for a lock of a known library. Such a library writes no heartbeat into the value. So if the
 * read finds another value, another client took the lock without a comparison, and the previous holder has lost it. For
 * example, a ShedLock client that had lost the lock extends it late.
 */
export function wasTakenOver(to: Context, key: LockKey, at: RedisTime): boolean {
  return key.mirrors?.tokens?.library !== undefined && isSameKey(to, key, at);
}

/**
 * Whether the key was never gone since the previous read: its value was set while the key existed, or its lease has not
 * ended and no event shows that the key was gone, as after APPEND.
 */
function isSameKey(to: Context, key: LockKey, at: RedisTime): boolean {
  if (!to.hearsDeletions) return false;
  const { isSetAgain } = key.mirrors?.tokens ?? {};
  const isThere = key.holders.size > 0 && key.watchEpoch === to.watchEpoch && !isOver(key, at);
  return isSetAgain === true || (isTokenKind(key.kind) && isThere);
}

/** Whether a client of redislock acquired again: with the token of its hold, and other text after that. */
function hasSameToken({ mirrors }: LockKey, holder: string, value: string): boolean {
  return mirrors?.tokens?.library === 'redislock' && holder.slice(0, REDISLOCK) === value.slice(0, REDISLOCK);
}

/** The length of a token of redislock. */
const REDISLOCK = 22;

/**
 * Whether a time in the value may be the end of the lease: the key has no end, or about this one. A lock with a lease
 * may have another time as its value, for example that of the last heartbeat.
 */
function isEndOfLease({ expiresAt }: LockKey, end: RedisTime): boolean {
  return expiresAt == null || Math.abs(millisBetween(end, expiresAt)) <= 2 * CLOCKS_DIFFER;
}

/** Ends the hold at the end that its value names. */
function expireAt(to: Context, key: LockKey, end: RedisTime, now: RedisTime): void {
  key.expiresAt = end;
  expire(to, key, now);
}

/**
 * A command replaced a small number with another: `SET k 0` over the 1 that was set with NX. Clients count in this key,
 * as the rate limiters of Dramatiq do, so no value is a token of a holder.
 */
function applyCount(to: Context, key: LockKey, { at, value = '', command }: ActionOf<'delete'>): boolean {
  const [holder = '', ...others] = key.holders.keys();
  const isCount = others.length === 0 && SMALL_NUMBER.test(holder) && SMALL_NUMBER.test(value);
  if (!isCount || !WRITES.has(command) || key.mirrors?.tokens?.isSure) return false;
  to.keys.drop(key);
  to.strangeLocks.note(key.db, { name: key.name, form: 'counter', at });
  return true;
}

const SMALL_NUMBER = /^\d{1,6}$/;

/** Commands that write a whole value. */
const WRITES: ReadonlySet<string> = new Set(['SET', 'SETEX', 'PSETEX', 'GETSET']);
