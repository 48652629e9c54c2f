import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { About, Context, Origin } from '../../context.ts';
import type { Certainty, DetailOf, Draft } from '../../event.ts';
import { endInValue } from '../../libraries/end-in-value.ts';
import { isTokenLike, type TokenOperation } from '../../libraries/token-libraries.ts';
import { noteBeginning, noteOlder, type Wait } from '../../mirror/clients/wait.ts';
import { channelOf, clearKey, type LockKey } from '../../mirror/lock-key.ts';
import {
  forgetConnections,
  mayBeRenewed,
  noteGrant,
  noteRefused,
  noteRelease,
  tokenMirrorOf,
} from '../../mirror/tokens/token-memory.ts';
import type { TokenMirror } from '../../mirror/tokens/token-mirror.ts';
import { nameShape } from '../../names/name-shape.ts';
import { clientOf } from '../../names/names.ts';
import type { Lease } from '../../types/lease.ts';
import { expire } from '../expire.ts';
import { leaseFields, setLease } from '../holding.ts';
import { setByHolder } from '../lease-set.ts';
import { dropStaleHolds, isOver, reasonOf } from '../proof.ts';
import { giveUp, noteRefusal } from '../waiting.ts';

/*
 * Events of a lock that is a string with a token, once it is clear what happened.
 */

/** One operation of one token on one lock. */
export type TokenCall = {
  readonly key: LockKey;
  readonly token: string;
  readonly at: RedisTime;
  readonly from: Origin;
  readonly certainty?: Certainty;
};

/** Libraries whose tokens name a client, not one hold. */
const CLIENT_TOKENS: ReadonlySet<string> = new Set(['spring-integration', 'bullmq']);
/**
 * Every known library that polls retries within a third of a second: a token that polls and is silent for this long has
 * given up.
 */
const POLLS_WITHIN: Millis = 3000;
/** A waiter of Spring Integration that waits for a message retries after its registry's lease time, 60 s by default. */
const SLEEPS_AT_MOST: Millis = 65_000;
/** A waiter of Spring Integration that does not wait for a message retries after 100 ms by default. */
const LONGEST_POLL: Millis = 1000;
/**
 * A waiter of an unknown library may wait for a message too, for example in BLPOP. With this many attempts it polls.
 */
const ATTEMPTS_OF_POLLING = 4;
/** A waiter whose usual pause is long, for example redis-py's `sleep`, has given up after this many such pauses. */
const PAUSES = 3;
/** A client asks for all slots of a limiter within this time. */
const SAME_CALL_MS = 50;
/** Refusals this close together belong to one call. */
const REPEATED_WITHIN: Millis = 1000;

/**
 * Reports that the token acquired the free lock. `isOlder`: the script may instead have renewed a hold that began
 * unseen.
 */
export function acquire(to: Context, call: TokenCall, lease: Lease | null, older?: { readonly isOlder: true }): void {
  const { key, token, at, from } = call;
  dropStaleHolds(to, key, at);
  to.unlocks.noteAttempt(key.db, key.name, token, undefined);
  tokenMirrorOf(key).alias = undefined;
  const wait = to.waits.find(key.db, key.name, token);
  leaveOtherSlots(to, call, wait?.lastAttemptAt);
  setLease(key, lease);
  if (!lease) key.expiresAt = null;
  const detail: Draft<DetailOf<'lock.acquired'>> = {
    type: 'lock.acquired',
    holder: token,
    mode: 'exclusive',
    holdCount: 1,
    ...(leaseFields(lease) ?? { expiresAt: null }),
    ...older,
  };
  if (wait && wait.since <= at) {
    detail.waitedMs = millisBetween(wait.since, at);
    if (wait.beganUnseen) detail.waitedAtLeast = true;
  }
  const seq = to.emit(aboutCall(call), detail);
  to.keys.hold(key, token, { count: 1, mode: 'exclusive', acquiredSeq: seq });
  settle(to, call);
  noteGrant(tokenMirrorOf(key), token, from.by);
  if (from.by !== undefined) {
    const { by } = from;
    const hold = { db: key.db, lock: key.name, token, by, name: to.clients.connections.nameAt(by), at };
    to.longTokens.note(hold, lease?.ms ?? null);
  }
  if (wait) to.waits.end(wait);
}

/**
 * Ends the waits of a token for the other slots of a limiter. A client attempts the slots one after another with the
 * same token, until it acquires one. The others are keys with names of the same form, attempted in this round or the
 * one before.
 *
 *   A slot:1 refused · slot:2 refused   250 ms later   slot:1 refused · slot:2 acquired: A does not wait for slot:1
 */
function leaveOtherSlots(to: Context, { key, token, at }: TokenCall, askedBefore: RedisTime | undefined): void {
  const { library } = tokenMirrorOf(key);
  if (!isTokenLike(token) || (library !== undefined && CLIENT_TOKENS.has(library))) return;
  for (const wait of to.waits.elsewhere(key.db, key.name, token)) {
    const isOfRound = [at, askedBefore ?? at].some(
      (asked) => Math.abs(millisBetween(wait.lastAttemptAt, asked)) <= SAME_CALL_MS,
    );
    if (!isOfRound || wait.isAsleep || nameShape(wait.lock) !== nameShape(key.name)) continue;
    if (wait.attempts > 1) giveUp(to, wait, at);
    else to.waits.end(wait);
  }
}

/**
 * Reports that the token acquired again the lock that it already holds: its script found the token. If no hold of the
 * token is known, the hold began unseen. The client counts re-entries; Redis does not.
 */
export function reenter(to: Context, call: TokenCall, lease: Lease | null): void {
  const { key, token, at, from } = call;
  if (!key.holders.has(token)) {
    dropStaleHolds(to, key, at);
    to.keys.hold(key, token, { count: 1, mode: 'exclusive', acquiredSeq: undefined });
    const wait = to.waits.find(key.db, key.name, token);
    if (wait) to.waits.end(wait);
    to.unlocks.noteAttempt(key.db, key.name, token, undefined);
  }
  setLease(key, lease);
  settle(to, call);
  noteGrant(tokenMirrorOf(key), token, from.by);
  to.emit(aboutCall(call), { type: 'lock.reentered', holder: token, mode: 'exclusive', ...leaseFields(lease) });
}

/** Reports that the token still holds the lock, and that its lease was set again. An unchanged end is not reported. */
export function renew(to: Context, call: TokenCall, lease: Lease | null): void {
  const { key, token, at, from } = call;
  if (!key.holders.has(token)) {
    dropStaleHolds(to, key, at);
    to.keys.hold(key, token, { count: 1, mode: 'exclusive', acquiredSeq: undefined });
  }
  if (isSameEnd(key, lease)) {
    noteGrant(tokenMirrorOf(key), token, from.by);
    return;
  }
  const set = setByHolder(key, lease);
  setLease(key, lease);
  settle(to, call);
  noteGrant(tokenMirrorOf(key), token, from.by);
  to.emit(aboutCall(call), Object.assign({}, set, { holder: token, ...leaseFields(lease) }));
}

/**
 * Whether a renewal leaves the end as it is, to the microsecond: the command named the same instant again. A client of
 * rueidislock sends such renewals thousands of times a second, because Redis reports the client's own renewals to it.
 */
function isSameEnd({ expiresAt }: LockKey, lease: Lease | null): boolean {
  return lease !== null && expiresAt != null && plusMillis(lease.setAt, lease.ms) === expiresAt;
}

/**
 * Reports that the token released the lock. `unknown`: the lock may have been deleted. Returns the `seq` of the event.
 */
export function release(to: Context, call: TokenCall, how?: 'unknown'): number {
  const { key, token, at } = call;
  const own = key.holders.get(token);
  if (!own) dropStaleHolds(to, key, at);
  clearKey(key, 'released');
  tokenMirrorOf(key).alias = undefined;
  settle(to, call);
  forgetConnections(tokenMirrorOf(key), token);
  if (how === undefined) noteRelease(tokenMirrorOf(key), token);
  return to.emit(aboutCall(call, [own?.acquiredSeq]), {
    type: 'lock.released',
    holder: token,
    mode: 'exclusive',
    holdCount: 0,
    ...(how && { how }),
  });
}

/**
 * Whether the lock has this word already, and it is not a token: clients that all set the same word cannot be
 * distinguished.
 */
export function isSameWord({ holders }: LockKey, token: string): boolean {
  return holders.has(token) && !isTokenLike(token);
}

/** Reports that the token's attempt was refused, since another token holds the lock, and updates the token's wait. */
export function refuse(to: Context, call: TokenCall): void {
  const { key, token, at } = call;
  const { db, name: lock } = key;
  const mirror = tokenMirrorOf(key);
  if (call.from.by !== undefined) to.clients.connections.noteAttempt(call.from.by, at);
  to.unlocks.noteAttempt(db, lock, token, { mode: 'exclusive', lastAt: at });
  let wait = to.waits.find(db, lock, token);
  if (wait && at > plusMillis(wait.lastAttemptAt, wait.asksAgainWithin ?? POLLS_WITHIN)) {
    to.waits.end(wait);
    wait = undefined;
  }
  const pause = wait ? millisBetween(wait.lastAttemptAt, at) : 0;
  const current = wait ?? to.waits.begin(db, lock, token, at, channelOf(key));
  noteRefusal(current, at, null, false);
  noteRefused(mirror, token, call.from.by);
  // One attempt alone is not a wait yet. A value that is a time is new at each attempt, and two clients may set the
  // same one.
  const mayRepeat = current.attempts > 1 && endInValue(token, at) === undefined;
  const maySleep = mirror.library === undefined && mayRepeat && current.attempts < ATTEMPTS_OF_POLLING;
  // A waiter of Spring Integration attempts twice before it sleeps, and its token is the one of its whole process.
  const isOfSpring = mirror.library === 'spring-integration' && current.attempts > 1;
  const patience = maySleep || isOfSpring ? SLEEPS_AT_MOST : POLLS_WITHIN;
  current.longestPauseMs = Math.max(current.longestPauseMs ?? 0, pause);
  current.asksAgainWithin = Math.max(patience, PAUSES * current.longestPauseMs);
  const isOlder = noteOlder(current, pauseBefore(mirror, current), seenSince(to, mirror));
  noteBeginning(current, at, isOlder);
  const [first] = key.holders.values();
  current.lastAttemptSeq = to.emit(aboutCall(call, [first?.acquiredSeq]), {
    type: 'lock.refused',
    holder: token,
    mode: 'exclusive',
    ttlMs: null,
    attempt: current.attempts,
    asleep: false,
    reason: 'held',
    ...(isOlder ? { isOlder } : undefined),
  });
  if (key.holders.size === 0) to.onDoubt(key);
}

/** The time since which every attempt at this lock was seen. */
export function seenSince({ watchedFrom = redisTime(0) }: Context, { forgottenUntil }: TokenMirror): RedisTime {
  return forgottenUntil !== undefined && forgottenUntil > watchedFrom ? forgottenUntil : watchedFrom;
}

/** How long a waiter may have been silent before its first attempt that was seen. */
function pauseBefore({ library }: TokenMirror, { attempts, longestPauseMs = 0 }: Wait): Millis {
  if (attempts < 2) return 0; // one attempt alone is not a wait
  // a waiter of Spring Integration that does not poll sleeps until a message, or for its registry's lease time
  const sleeps = library === 'spring-integration' && longestPauseMs > LONGEST_POLL;
  return sleeps ? SLEEPS_AT_MOST : longestPauseMs;
}

/**
 * Reports that a renewal or a release found another token, or no token. A repetition within 1 s belongs to the same
 * call and is not reported.
 */
export function miss(to: Context, call: TokenCall, as: TokenOperation, callerSawSuccess: boolean): void {
  const { key, token, at } = call;
  const mirror = tokenMirrorOf(key);
  const { lastMiss } = mirror;
  mirror.lastMiss = { token, as, at };
  const isRepeat = lastMiss?.token === token && lastMiss.as === as;
  if (isRepeat && at <= plusMillis(lastMiss.at, REPEATED_WITHIN)) return;
  const { reason, certainty } = reasonOf(to, key, token, at);
  const about = { ...aboutCall(call), ...(call.certainty === 'inferred' ? {} : { certainty }) };
  if (as === 'renew') to.emit(about, { type: 'renewal.refused', holder: token, reason });
  else {
    const success = callerSawSuccess ? ({ callerSawSuccess } as const) : undefined;
    const backAt = to.unlocks.backAt(key.db, key.name, token, 'exclusive');
    to.emit(about, { type: 'unlock.refused', holder: token, reason, ...success, ...(backAt && { backAt }) });
  }
}

/** Reports that the token overwrote the holder's value, and so acquired the lock. */
export function overwrite(to: Context, call: TokenCall, lease: Lease | null): void {
  const { key, token } = call;
  const holders = [...key.holders.keys()];
  const [holder] = holders;
  key.lastLoss = to.emit(aboutCall(call), {
    type: 'lock.deleted',
    command: 'SET',
    late: token,
    ...(holder === undefined ? undefined : { holder, holders }),
  });
  clearKey(key, 'gone');
  acquire(to, call, lease);
}

/** Ends a hold whose lease has ended, unless it may have been renewed. Returns whether there was such a hold. */
export function endIfOver(to: Context, { key, at }: TokenCall): boolean {
  if (key.holders.size === 0 || !isOver(key, at) || mayBeRenewed(key)) return false;
  expire(to, key, at);
  return true;
}

/** Notes that the state of the lock is known now, and drops everything that was still undecided about it. */
function settle(to: Context, { key, token, at, from }: TokenCall): void {
  const mirror = tokenMirrorOf(key);
  mirror.isStateKnown = true;
  mirror.foreign = undefined;
  mirror.isReplaced = undefined;
  mirror.mayBeOfOther = false;
  mirror.unreported.length = 0;
  mirror.unreportedRenewals.length = 0;
  mirror.replacement = undefined;
  mirror.lastMiss = undefined;
  key.watchEpoch = to.watchEpoch;
  if (from.by === undefined || mirror.library === undefined || !CLIENT_TOKENS.has(mirror.library)) return;
  to.clients.learn(from.by, clientOf(token), at, mirror.library);
}

/** The common fields of an event about this call. */
function aboutCall(
  { key, at, from, certainty = 'observed' }: TokenCall,
  because: readonly (number | undefined)[] = [],
): About {
  return { db: key.db, lock: key.name, kind: key.kind, at, by: from.by, certainty, because };
}
