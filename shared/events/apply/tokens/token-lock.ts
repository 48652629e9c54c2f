import { millisBetween } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { TokenAction, Wrote } from '../../actions/token-action.ts';
import type { Context, Origin } from '../../context.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../../mirror/tokens/token-mirror.ts';
import type { Appliers } from '../appliers.ts';
import { remove } from '../keys.ts';
import { isStateKnown, wasOverForCommand } from '../proof.ts';
import { proveAttempt, proveHold } from '../reads/token-reads.ts';
import { isEndUnsure, setIfFree, tried } from './token-attempt.ts';
import { callOf } from './token-call.ts';
import { acquire, endIfOver, miss, reenter, refuse, release, renew, type TokenCall } from './token-hold.ts';
import { sleepOnSignal } from './token-sleep.ts';

/** Actions of locks that are a string with a token. */
export const TOKENS: Appliers<TokenAction['do']> = {
  'token-take': (to, action, from) => {
    const call = callOf(to, action, from);
    if (!call) return;
    // clients of such a lock do not compare before they acquire, so a comparison that fails is not an attempt
    if (action.library === undefined) tokenMirrorOf(call.key).isTriedBySet = true;
    if (action.script !== undefined) to.ownScripts.noteTried(action.script);
    acquire(to, call, action.lease);
    noteWritten(to, call, action);
  },
  'token-keep': (to, action, from) => {
    const call = callOf(to, action, from);
    if (!call) return;
    const isHeld = call.key.holders.has(call.token) && !endIfOver(to, call);
    if (!isHeld && action.script !== undefined) to.ownScripts.noteTried(action.script);
    if (!isHeld && mayRenewUnseen(to, call, action))
      acquire(to, { ...call, certainty: 'inferred' }, action.lease, { isOlder: true });
    else if (!isHeld && !action.keepsLease) acquire(to, call, action.lease);
    else if (!action.keepsLease) renew(to, call, action.lease);
    noteWritten(to, call, action, isHeld);
  },
  'token-again': (to, action, from) => {
    const call = callOf(to, action, from);
    if (call) reenter(to, proved(to, sameToken(call, action.prefix)), action.lease);
  },
  'token-renew': (to, action, from) => {
    const call = callOf(to, action, from);
    if (!call) return;
    proved(to, call);
    const isHeld = call.key.holders.has(call.token);
    if (!action.keepsLease) renew(to, call, action.lease);
    noteWritten(to, call, action, isHeld);
  },
  'token-drop': (to, action, from) => {
    if (action.script !== undefined) to.ownScripts.noteDeleted(action.script);
    const call = action.isUncompared && !isOfHolder(to, action, from) ? undefined : callOf(to, action, from);
    if (call) release(to, proved(to, call));
    else if (action.isNumber || action.isBeside || action.isUncompared)
      remove(to, { do: 'delete', at: action.at, key: action.lock, command: 'DEL' }, from);
  },
  'token-refuse': (to, action, from) => {
    const isTaken = (name: string) => (to.keys.find(from.db, name)?.holders.size ?? 0) > 0;
    const lock = action.among?.find(isTaken) ?? action.lock;
    if (action.isBeside && !isTaken(lock)) return; // free, but another client is the first in its queue, for example
    const call = callOf(to, { ...action, lock }, from);
    if (call) refuse(to, call);
  },
  'token-miss': missed,
  'token-set-if-free': setIfFree,
  'token-try': tried,
  'token-sleep': sleepOnSignal,
  'token-wake': (to, { lock, channel, message, at }, { db, by, released }) => {
    const key = to.keys.find(db, lock);
    if (key?.kind !== 'token-lock') return;
    to.strangeLocks.noteSignal(db, channel, lock);
    to.ownLocks.onWatched(channel); // waiters sleep on this channel
    to.emit({ db, lock, kind: key.kind, at, by, because: [released] }, { type: 'wakeup.published', channel, message });
  },
};

/** Whether the token of a script is the holder's, or that of an attempt of which no line showed the outcome. */
function isOfHolder(to: Context, { lock, token = '' }: ActionOf<'token-drop'>, { db }: Origin): boolean {
  const key = to.keys.find(db, lock);
  return key?.kind === 'token-lock' && (key.holders.has(token) || isUnreported(tokenMirrorOf(key), token));
}

/**
 * Whether a script that acquires and renews may have renewed a hold from before watching began: nothing shows that the
 * lock was free, and its lease is longer than the time for which commands have been seen. A token that was refused
 * since then had no hold.
 *
 *   holder   set ──────── renews
 *   seen            ├─────────────
 */
function mayRenewUnseen(
  to: Context,
  { key, token }: TokenCall,
  { lease, at, mayRenew }: ActionOf<'token-keep'>,
): boolean {
  const { watchedFrom } = to;
  if (!mayRenew || lease === null || watchedFrom === undefined || isStateKnown(to, key)) return false;
  const wait = to.waits.find(key.db, key.name, token);
  if (wait && wait.lastAttemptAt >= watchedFrom) return false;
  return millisBetween(watchedFrom, at) <= lease.ms;
}

/**
 * Stores the data that a script wrote with the token in it: a read finds this data. If the script kept the end of a
 * hold that was not seen to begin, that read finds the hold.
 */
function noteWritten(to: Context, { key, token }: TokenCall, { value, keepsLease }: Wrote, isHeld = true): void {
  if (value !== undefined) tokenMirrorOf(key).alias = { value, holder: token };
  if (!keepsLease || isHeld) return;
  key.mirrors ??= {};
  key.mirrors.mayHaveCome = true;
  to.onDoubt(key);
}

/**
 * Returns the call with the holder's token, if the library compares only the first `prefix` characters of the value.
 */
function sameToken(call: TokenCall, prefix: number | undefined): TokenCall {
  const { key, token } = call;
  const [holder] = key.holders.keys();
  if (prefix === undefined || holder === undefined || holder === token) return call;
  if (holder.slice(0, prefix) !== token.slice(0, prefix)) return call;
  tokenMirrorOf(key).alias = { value: token, holder };
  return { ...call, token: holder };
}

/** Returns the same call, after reporting the attempt by which its token acquired the lock, and its renewals since. */
function proved(to: Context, call: TokenCall): TokenCall {
  proveAttempt(to, call.key, call.token, call.at);
  proveHold(to, call.key, call.token, call.at, true);
  return call;
}

/** Libraries that return success to the caller of a refused release. */
const REPORTS_SUCCESS: ReadonlySet<string> = new Set(['aioredlock', 'shedlock', 'redis-semaphore']);

/**
 * Applies a comparison that failed. If the script does not show its purpose, that depends on whether this token ever
 * held the lock.
 */
function missed(to: Context, action: ActionOf<'token-miss'>, from: Origin): void {
  const call = callOf(to, action, from);
  if (!call) return;
  const { key, token } = call;
  const mirror = tokenMirrorOf(key);
  const isGranted = mirror.granted.has(token) || key.lost?.has(token) === true;
  const { script } = action;
  if (action.onlyTries && (script === undefined || !to.ownScripts.tries(script))) return;
  const isRelease = script !== undefined && to.ownScripts.deletes(script);
  const isAttempt = isAttemptOf(to, action);
  switch (action.as ?? (isRelease ? 'release' : undefined)) {
    case 'acquire':
      return refuse(to, call);
    case 'renew':
      return miss(to, call, 'renew', false);
    case 'release': {
      if (action.script !== undefined && isQuestion(to, call, action.script, isGranted)) return;
      // A token that never held the lock and was refused cleans up after its attempt: that is not an unlock.
      const { among = [key.name] } = action;
      const wasRefused = among.some((name) => to.waits.find(key.db, name, token));
      const isTidyingUp = !isGranted && (wasRefused || isUnreported(mirror, token));
      const mayOnlyAsk = action.script !== undefined && !isRelease;
      if (isTidyingUp) return mayOnlyAsk ? undefined : forgetUnreported(mirror, token);
      // Some libraries also clean up once after each refused renewal.
      const { lastMiss } = mirror;
      const isAfterRenewal = lastMiss?.token === token && lastMiss.as === 'renew' && !lastMiss.isTidied;
      if (action.tidiesUp && isAfterRenewal) {
        lastMiss.isTidied = true;
        return;
      }
      const isReported = REPORTS_SUCCESS.has(mirror.library ?? '');
      return miss(to, call, 'release', isReported);
    }
    case 'query':
      return;
    default:
      // An application's own script that finds its token and leaves the key either only reads it, or acquires again,
      // which only its client counts.
      if (action.as === undefined && hasFoundToken(to, call)) return to.onDoubt(key);
      if (!isGranted && !mirror.isStateKnown && isUnreported(mirror, token)) return to.onDoubt(key);
      // The token acquired the lock before watching began, or its client cleans up.
      if (!isGranted && !isAttempt && mirror.isTriedBySet) return to.onDoubt(key);
      if (!isGranted) return refuse(to, isAttempt ? call : { ...call, certainty: 'inferred' });
      // A client with one token for all its holds attempts again. Without another holder, its script would have set the
      // key.
      if (mirror.released.has(token) && !endIfOver(to, call) && key.holders.size > 0) return refuse(to, call);
      if (action.as !== undefined) return miss(to, call, 'renew', false);
      // Without a known script, only its keys, arguments and the earlier events show its purpose.
      return miss(to, { ...call, certainty: 'inferred' }, mayRenew(to, action, from) ? 'renew' : 'release', false);
  }
}

/**
 * Whether a script was seen to acquire a lock, or is known to. Other scripts may only renew, for a token that had the
 * lock before watching began.
 */
function isAttemptOf(to: Context, { as, script }: ActionOf<'token-miss'>): boolean {
  return as !== undefined || (script !== undefined && to.ownScripts.tries(script));
}

/**
 * Whether a script may have been a renewal: it has a lease, and no key beside its locks, such as a list or a channel
 * for waiters.
 */
function mayRenew(to: Context, { isTimed, among = [] }: ActionOf<'token-miss'>, { db }: Origin): boolean {
  return isTimed === true && among.every((name) => to.keys.find(db, name)?.kind === 'token-lock');
}

/**
 * Whether a script only read which token has the lock, or may have done so. Either it found its own token at least once
 * and left the key, or its token was never seen before. A script that was seen to delete a key is not such a script.
 */
function isQuestion(to: Context, call: TokenCall, script: string, isGranted: boolean): boolean {
  if (!to.ownScripts.asks(script) && hasFoundToken(to, call)) {
    to.ownScripts.noteAsked(script);
    to.onDoubt(call.key);
  }
  const isStrange = !isGranted && !isUnreported(tokenMirrorOf(call.key), call.token);
  return to.ownScripts.asks(script) || (isStrange && !to.ownScripts.deletes(script));
}

/** Whether a script that compared this token found it. */
function hasFoundToken(to: Context, { key, token, at }: TokenCall): boolean {
  return key.holders.has(token) && isStateKnown(to, key) && !isEndUnsure(key, at) && !wasOverForCommand(to, key, at);
}

function isUnreported(mirror: TokenMirror, token: string): boolean {
  return mirror.unreported.some((attempt) => attempt.token === token);
}

function forgetUnreported(mirror: TokenMirror, token: string): void {
  const found = mirror.unreported.findIndex((attempt) => attempt.token === token);
  if (found >= 0) mirror.unreported.splice(found, 1);
}
