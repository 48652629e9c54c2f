import { plusMillis, type RedisTime } from '../../../base/time.ts';
import type { BookmarkSignal, KeyRead } from '../../../signals/signal.ts';
import type { Context } from '../../context.ts';
import { isCounterKind, isStringKind, KINDS, kindShownBy } from '../../kinds/kinds.ts';
import { channelOf, contentOf, type LockKey } from '../../mirror/lock-key.ts';
import { lockChannel, lockOfChannel } from '../../names/names.ts';
import type { LockKind } from '../../types/lock-kind.ts';
import type { KeyContent } from '../../types/watch-event.ts';
import { applyCompanions } from '../companion-reads.ts';
import { askForNumber } from '../counters/counters.ts';
import { expire, reportGone } from '../expire.ts';
import { reportKept, reportLost, reportMoved } from '../failover.ts';
import { flushOne, loseIfTaken } from '../keys.ts';
import { expireValues } from '../kinds/group-lock.ts';
import { setEnd } from '../lease-set.ts';
import { loseSight } from '../passing-time.ts';
import { driftCause, isOver, noteFree, noteOtherType } from '../proof.ts';
import { keepsByNextValue } from '../tokens/next-value.ts';
import { findOwnLock, isDismissed, noteGuess } from '../tokens/own-locks.ts';
import { contentFromRead } from './content-from-read.ts';
import {
  aboutKey,
  adoptFound,
  fillIn,
  gapEnd,
  hasSameHolds,
  isKnownFromBefore,
  isSame,
  replace,
  reportAgain,
} from './found-holds.ts';
import { applyFoundJobs } from './found-jobs.ts';
import { hasSameValues, renewValues } from './group-lock-read.ts';
import { learnKind } from './known-key.ts';
import { learnChange } from './learn-change.ts';
import { loseCounter } from './lose-counter.ts';
import { isStillListened } from './still-listened.ts';
import { noteForeignValue, noteLibrary, refuseAttempts, settleAttempts } from './token-reads.ts';

/**
 * Compares what Redis held at exactly this position of the stream with what was expected.
 *
 * With commands (level `monitor`), a difference is drift, unless an expiry, a failover or an earlier command explains
 * it. Drift is reported, and the found state replaces the expected one. Without commands (all other levels), a
 * difference is a change, reported as inferred events of its most likely cause.
 */
export function applyBookmark(to: Context, bookmark: BookmarkSignal): void {
  for (const read of bookmark.reads) {
    if (read.movedTo !== undefined) {
      reportMoved(to, read.db, read.name, read.movedTo, bookmark.at);
      continue;
    }
    if (applyFoundJobs(to, read, bookmark.at)) continue;
    const channel = read.channel ?? lockChannel(read.name);
    const listenedBefore = to.waits.listeners.count(channel);
    if (read.subscribers !== null) to.waits.listeners.counted(channel, read.subscribers);
    const known = to.keys.find(read.db, read.name);
    let found = contentFromRead(read, bookmark.at, known, known && isHeard(to, known));
    const shown = kindFromRead(read);
    const isOther = found === 'not-a-lock' && !(read.type === 'string' && shown !== undefined && isCounterKind(shown));
    const kind = isOther ? undefined : shown;
    let key = to.keys.find(read.db, read.name);
    if (!key && isDismissed(to, read)) continue;
    if (!key && isUnknownString(read)) {
      key = ownLockFrom(to, read, bookmark.at);
      if (!key) continue;
    }
    if (kind && !key) {
      key = to.keys.take(read.db, read.name, kind, to.watchEpoch);
      noteGuess(to, key, read, bookmark.at);
    } else if (kind && key?.kind === 'lock') learnKind(to, key, kind, bookmark.at);
    if (!key && found === null && isListenedWhileFree(read, channel, listenedBefore)) {
      key = to.keys.take(read.db, read.name, 'lock', to.watchEpoch);
    }
    if (isIntroduction(read)) {
      applyCompanions(to, read, bookmark.at);
      continue;
    }
    if (key && read.companions?.library && found !== 'not-a-lock') noteLibrary(to, key, read.companions);
    if (key && keepsByNextValue(to, key, read.companions?.token?.[0], bookmark.at))
      found = contentFromRead(read, bookmark.at, key, isHeard(to, key));
    if (key?.mirrors?.tokens && found !== 'not-a-lock') {
      loseBeforeAttempts(to, key, found);
      settleAttempts(to, key, found, bookmark.at);
    }
    if (key) noteOtherType(key, found === 'not-a-lock' && read.type !== 'hash' && !isStringKind(key.kind));
    if (key && found === 'not-a-lock' && read.type === 'string') {
      refuseAttempts(to, key, read.pttl < 0 ? null : plusMillis(bookmark.at, read.pttl));
    } else if (key) noteForeignValue(key, undefined);
    if (found === 'not-a-lock') {
      if (key && key.holders.size > 0) differ(to, key, null, bookmark.at);
    } else if (found === null) {
      if (key) applyNoKey(to, key, read, bookmark.at);
    } else if (!to.hasCommands && isGrant(to, key, found, read.hasChanged)) {
      const granted = to.keys.take(read.db, read.name, 'lock', to.watchEpoch);
      granted.watchEpoch = to.watchEpoch;
      learnChange(to, granted, found, bookmark.at);
    } else if (!key) {
      replace(to, to.keys.take(read.db, read.name, 'lock', to.watchEpoch), found, bookmark.at);
    } else {
      compare(to, key, found, bookmark.at);
    }
    applyCompanions(to, read, bookmark.at);
    if (key) key.readInEpoch = to.watchEpoch;
    if (key?.mirrors?.tokens?.isSetAgain) key.mirrors.tokens.isSetAgain = false;
    if (key?.mirrors?.mayBeTaken) key.mirrors.mayBeTaken = undefined;
    if (key?.mirrors?.mayHaveCome) key.mirrors.mayHaveCome = undefined;
    if (kind && isCounterKind(kind)) askForNumber(to, to.keys.take(read.db, read.name, kind, to.watchEpoch));
    if (read.subscribers !== null) recount(to, read, channel, read.subscribers, bookmark.at);
  }
}

/**
 * Reports the loss of the previous hold, if the read found another token and an earlier command may have removed the
 * hold. The attempts since then stay undecided.
 */
function loseBeforeAttempts(to: Context, key: LockKey, found: KeyContent | null): void {
  const { mayBeTaken, tokens } = key.mirrors ?? {};
  const holder = found?.holders[0]?.holder;
  if (!mayBeTaken || !tokens || holder === undefined || key.holders.has(holder)) return;
  const attempts = [...tokens.unreported];
  loseIfTaken(to, key);
  tokens.unreported.splice(0, tokens.unreported.length, ...attempts);
}

function applyNoKey(to: Context, key: LockKey, { isFlushed }: KeyRead, at: RedisTime): void {
  if (isFlushed === true && loseCounter(to, key, { type: 'db.flushed', at, certainty: 'inferred' })) return;
  if (key.holders.size > 0) {
    if (isFlushed === true) return flushOne(to, key, at);
    // the lease is over by now, but the flush may have removed the key before its end
    if (isFlushed === 'perhaps') key.expiresAt = undefined;
    differ(to, key, null, at);
  }
  if (key.holders.size === 0) noteFree(to, key);
}

/**
 * Whether a hold that a read found unexpectedly began while the key was watched: either the lock was seen free since
 * the last blind spot, or key events show an acquisition and the lock has one holder with count 1.
 */
function isGrant(to: Context, key: LockKey | undefined, { holders }: KeyContent, isCreated: boolean): boolean {
  if (key && key.holders.size > 0) return false;
  const wasFree = key?.isSeen === true && key.watchEpoch === to.watchEpoch;
  return wasFree || (isCreated && holders.length === 1 && holders[0]?.holdCount === 1);
}

/** The kind of lock that its companion keys, fields or channel show; `undefined` if they show none but a plain lock. */
function kindFromRead(read: KeyRead): LockKind | undefined {
  const { channel } = read;
  const shown = kindShownBy(read) ?? (channel === undefined ? undefined : lockOfChannel(channel)?.kind);
  return shown === 'lock' ? undefined : shown;
}

/**
 * Whether connections listen for a plain lock that no database has, and already listened before this read. A waiter
 * acquires a free lock, or stops waiting, within milliseconds.
 */
function isListenedWhileFree({ isNowhere, subscribers }: KeyRead, channel: string, before: number): boolean {
  return isNowhere === true && before > 0 && (subscribers ?? 0) > 0 && lockOfChannel(channel)?.kind === 'lock';
}

/** Whether the key is a string that neither its name nor its value shows to be a library's lock. */
function isUnknownString({ type, companions }: KeyRead): boolean {
  return type === 'string' && companions?.token !== undefined && companions.library === undefined;
}

function ownLockFrom(to: Context, { db, name, companions, pttl }: KeyRead, at: RedisTime): LockKey | undefined {
  const [token = ''] = companions?.token ?? [];
  return findOwnLock(to, db, name, { token, at, lease: pttl < 0 ? null : { setAt: at, ms: pttl }, by: undefined });
}

/** Whether a recording shows nothing of this key except that its name belongs to a lock. */
function isIntroduction({ companions }: KeyRead): boolean {
  return companions?.library !== undefined && companions.token === undefined;
}

/**
 * Reports the number of listeners of a lock in two cases: it changed although no SUBSCRIBE or UNSUBSCRIBE was seen, or
 * the lock is free and still has listeners.
 */
function recount(to: Context, { db, name }: KeyRead, channel: string, count: number, at: RedisTime): void {
  const key = to.keys.find(db, name);
  // with `own-channel`, each waiter of the lock listens on its own channel
  if (!key || KINDS[key.kind].wakeUp === 'own-channel') return;
  if (channelOf(key) !== channel) {
    // while the lock's kind was unknown, the listeners of a plain lock's channel were counted: the next read counts
    // those of the right channel
    if (key.listeners === undefined && key.holders.size > 0 && channel === lockChannel(name)) to.onDoubt(key);
    return;
  }
  const isToReportAgain = isStillListened(to, key, count, at);
  if ((key.listeners ?? 0) === count && !isToReportAgain) {
    key.listeners = count;
    return;
  }
  const type = count > 0 && count >= (key.listeners ?? 0) ? 'waiter.subscribed' : 'waiter.unsubscribed';
  key.listeners = count;
  to.emit({ ...aboutKey(key, at), certainty: 'inferred' }, { type, channel, subscribers: count });
  if (to.hasCommands || count > 0) return;
  for (const wait of to.waits.of(db, name)) if (wait.isAsleep && !wait.isPresumedGone) loseSight(to, wait, at);
}

/** Whether commands have shown all changes of a key since it was last confirmed. */
function isHeard(to: Context, key: LockKey): boolean {
  return to.hasCommands && key.watchEpoch === to.watchEpoch;
}

function compare(to: Context, key: LockKey, found: KeyContent, at: RedisTime): void {
  if (!isHeard(to, key)) renewValues(key, found);
  expireValues(to, key, at);
  const isNew = key.expiresAt === undefined && !key.lost?.size && !wasSeen(key);
  if (key.holders.size === 0 && (isNew || key.mirrors?.mayHaveCome)) {
    // Known only by name (from a channel, a refused attempt), or restored by a command: no holders were expected.
    return replace(to, key, found, at);
  }
  if (isKnownFromBefore(to, key)) return compareAgain(to, key, found, at);
  if (key.isEndOutdated && hasSameHolds(key, found)) return replace(to, key, found, at);
  // During a failover the end may have moved unseen, and the servers' clocks differ: only the holds are compared.
  const isKept = hasSameHolds(key, found) && reportKept(to, key, found, at);
  if (isKept || (isSame(key, found, at) && (to.hasCommands || hasSameValues(key, found)))) {
    if (!isKept) fillIn(to, key, found, at);
    key.watchEpoch = to.watchEpoch;
    return;
  }
  differ(to, key, found, at);
}

/** Applies the first read of a lock since a blind spot, before which its holders were known. */
function compareAgain(to: Context, key: LockKey, found: KeyContent, at: RedisTime): void {
  if (hasSameHolds(key, found)) {
    if (!reportKept(to, key, found, at)) return reportAgain(to, key, found, at);
    key.watchEpoch = to.watchEpoch;
    return;
  }
  differ(to, key, found, at);
}

function differ(to: Context, key: LockKey, found: KeyContent | null, at: RedisTime): void {
  if (found === null && isOver(key, at)) return expire(to, key, at);
  if (reportLost(to, key, found?.holders ?? [], at)) {
    if (found) replace(to, key, found, at);
    return;
  }
  if (!to.hasCommands) return learnChange(to, key, found, at);
  if ((found === null || !hasSameHolds(key, found)) && loseIfTaken(to, key, found === null)) {
    if (found) replace(to, key, found, at);
    return;
  }
  if (found && hasSameHolds(key, found) && hasNewEnd(to, key, found)) return;
  const cause = driftCause(to, key);
  if (found === null) return reportGone(to, key, at, cause);
  const gap = cause === 'blind-spot' ? gapEnd(to) : undefined;
  const seq = to.emit(aboutKey(key, at), { type: 'drift.healed', expected: contentOf(key), found, cause, ...gap });
  adoptFound(to, key, found, seq);
}

/**
 * Reports the new end of the lease if a script deleted the key and restored it: the holder is the same. Returns whether
 * this was so.
 */
function hasNewEnd(to: Context, key: LockKey, { expiresAt }: KeyContent): boolean {
  const taken = key.mirrors?.mayBeTaken;
  if (!taken?.comesBack) return false;
  setEnd(to, key, { ...taken, expiresAt });
  key.watchEpoch = to.watchEpoch;
  return true;
}

/** Whether a lease, an expiry or another loss of this lock was ever seen, and not only its name. */
function wasSeen(key: LockKey): boolean {
  return key.lastExpiry >= 0 || key.lastLoss >= 0 || key.leaseMs !== undefined;
}
