import { plusMillis, type RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import type { Certainty, DetailOf } from '../event.ts';
import { isTokenKind, KINDS } from '../kinds/kinds.ts';
import type { Field, LockKey } from '../mirror/lock-key.ts';
import { isHolder } from '../names/names.ts';
import type { RefusalReason } from '../types/hold-event.ts';
import { expire, reportGone } from './expire.ts';
import { reportLost } from './failover.ts';

/*
 * What the branch that a script took shows about its key, if that differs from what was expected.
 */

/**
 * How many ms later than Redis's own end of a lease the computed end may be: Redis counts from the start of the script,
 * in whole ms.
 */
const SLACK = 20;

/** Updates the mirror after a script found no key. If a hold was expected, its lease ran out, or it vanished unseen. */
export function dropStaleHolds(to: Context, key: LockKey, at: RedisTime): void {
  noteOtherType(key, false);
  if (key.holders.size === 0) return;
  if (isOver(key, at)) return expire(to, key, at);
  reportDrift(to, key, at);
}

/**
 * Updates the mirror after a script found no `mode` in the hash, so there is no read or write hold. A plain hold sets
 * no `mode`: if only plain holds are expected, they stay, and a read of the key checks them.
 */
export function proveWithoutMode(to: Context, key: LockKey, at: RedisTime): void {
  if (key.holders.size === 0) return;
  const isPlain = ([field, { mode }]: [string, Field]) => mode === 'exclusive' && isHolder(field);
  const isExpectationValid = key.watchEpoch === to.watchEpoch && !isOver(key, at);
  if (!isExpectationValid || ![...key.holders].every(isPlain)) return dropStaleHolds(to, key, at);
  to.onDoubt(key);
}

/**
 * Updates the mirror after a script found this holder's field in the hash of an exclusive lock: any other expected
 * holder no longer holds it.
 */
export function dropOtherStaleHolds(to: Context, key: LockKey, holder: string, at: RedisTime): void {
  if (key.holders.size === 0 || key.holders.has(holder) || !key.isKindKnown || !KINDS[key.kind].isExclusive) return;
  dropStaleHolds(to, key, at);
}

/**
 * Returns why a script refused the holder of this field, and updates the mirror.
 *
 * - The holder is expected to hold the lock, its lease is not over, and there was no blind spot since: either an error
 *   cut the script off, or the key vanished unseen. The reason is `error` for now, and a read of the key is requested.
 * - It is not known which thread holds the lock: the script shows only that the caller has no hold. The reason is a
 *   guess (inferred), and a read is requested.
 */
export function reasonOf(
  to: Context,
  key: LockKey,
  field: string,
  at: RedisTime,
): { reason: RefusalReason; certainty: Certainty } {
  const { watchEpoch } = key;
  if (key.holders.has(field)) {
    if (isOver(key, at)) expire(to, key, at);
    else if (watchEpoch !== to.watchEpoch) {
      reportDrift(to, key, at);
      key.watchEpoch = watchEpoch; // only the caller's hold is known to be gone
    } else {
      to.onDoubt(key);
      return { reason: 'error', certainty: 'inferred' };
    }
  }
  if (isOfOtherType(key)) return { reason: 'error', certainty: 'inferred' };
  if (key.lost?.get(field) === 'expired') return { reason: 'expired', certainty: 'observed' };
  const isTaken = key.holders.size > 0 || isTakenByOther(key, at);
  if (isStateKnown(to, key)) return { reason: isTaken ? 'not-owner' : 'no-lock', certainty: 'observed' };
  to.onDoubt(key);
  const isHeld = key.holders.size > 0 || to.waits.of(key.db, key.name).length > 0;
  return { reason: isHeld ? 'not-owner' : 'no-lock', certainty: 'inferred' };
}

/** Whether the holders of a lock are known, or that it is free: its content was seen since the last blind spot. */
export function isStateKnown(to: Context, { isSeen, watchEpoch }: LockKey): boolean {
  return isSeen && watchEpoch === to.watchEpoch;
}

/**
 * Whether a thread was refused the lock, since the last blind spot began, although no holder was seen: as far as known,
 * the lock is held. False for a fair lock, whose queue also refuses threads while the lock is free.
 */
export function isHeldUnseen(to: Context, key: LockKey): boolean {
  const { ownKey, hasQueue } = KINDS[key.kind];
  if (key.holders.size > 0 || ownKey !== 'hash' || hasQueue || isStateKnown(to, key)) return false;
  return to.waits
    .of(key.db, key.name)
    .some(({ lastAttemptAt, lastAttemptSeq }) => lastAttemptSeq > key.lastLoss && lastAttemptAt > (to.blindFrom ?? 0));
}

/** Whether a token lock's key has a value that is not the token of any attempt. */
export function isTakenByOther({ holders, mirrors }: LockKey, at: RedisTime): boolean {
  const foreign = mirrors?.tokens?.foreign;
  return holders.size === 0 && foreign !== undefined && (foreign.until === null || at < foreign.until);
}

/** Stores that the key is known to be missing. */
export function noteFree(to: Context, key: LockKey): void {
  key.isSeen = true;
  key.watchEpoch = to.watchEpoch;
}

/** Whether lock scripts end with an error at this key, because it has a value of another type. */
export function isOfOtherType({ holders, mirrors }: LockKey): boolean {
  return holders.size === 0 && mirrors?.isOtherType === true;
}

/** Stores whether the key has a value of another type than its lock. */
export function noteOtherType(key: LockKey, isOtherType: boolean): void {
  if (isOtherType === (key.mirrors?.isOtherType ?? false)) return;
  key.mirrors ??= {};
  key.mirrors.isOtherType = isOtherType;
}

function reportDrift(to: Context, key: LockKey, at: RedisTime): void {
  if (!reportLost(to, key, [], at)) reportGone(to, key, at, driftCause(to, key));
}

/**
 * Why a lock is not as expected: because of a blind spot, until the lock was read after it. A command confirms only
 * what it sets: until that read, the other readers, or the number of permits, are known only from before the blind
 * spot.
 */
export function driftCause(to: Context, { watchEpoch, readInEpoch }: LockKey): DetailOf<'drift.healed'>['cause'] {
  return watchEpoch === to.watchEpoch && readInEpoch === to.watchEpoch ? 'unexplained' : 'blind-spot';
}

/** Whether the lock has a holder with this token. */
export function isTokenOf(key: LockKey, token: string): boolean {
  return isTokenKind(key.kind) && key.holders.has(token);
}

/**
 * Whether a command that uses the key at `at` found no key, because the lease was over. Near the computed end of a
 * lease, only Redis knows whether it is over. If Redis publishes the end of each lease, the key's expiry event arrives
 * before such a command: without one since the last blind spot, the command found the key.
 */
export function wasOverForCommand(to: Context, key: LockKey, at: RedisTime): boolean {
  const isHeard = to.hearsEnds && key.watchEpoch === to.watchEpoch;
  return !isHeard && isOver(key, at);
}

/** Whether the lease is over at `at`, or may be: this is so from 20 ms before its computed end on. */
export function isOver(key: LockKey, at: RedisTime): boolean {
  return key.expiresAt != null && key.expiresAt <= plusMillis(at, SLACK);
}
