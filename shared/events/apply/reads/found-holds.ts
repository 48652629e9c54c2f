import { millisBetween, type RedisTime } from '../../../base/time.ts';
import type { About, Context } from '../../context.ts';
import { clearKey, type LockKey, SAME_END } from '../../mirror/lock-key.ts';
import { fieldOf } from '../../names/names.ts';
import type { KeyContent } from '../../types/watch-event.ts';
import { adoptValues } from './group-lock-read.ts';
import { noteHomeMade } from './known-key.ts';

/*
 * Compares the holders of one lock that a read found with the expected ones.
 */

/**
 * If a count or the end of the lease is not known, because the stream began too late to show it, reports the holds
 * again as the read found them.
 */
export function fillIn(to: Context, key: LockKey, found: KeyContent, at: RedisTime): void {
  learnHeard(to, key, found, at);
  const isIncomplete = key.expiresAt === undefined || [...key.holders.values()].some((field) => field.count === null);
  if (isIncomplete) replace(to, key, found, at);
}

/** Reports the counts and the lease of holds whose beginning only field notifications showed. */
export function learnHeard(to: Context, key: LockKey, { holders, expiresAt }: KeyContent, at: RedisTime): void {
  const setAt = key.mirrors?.heardLease;
  if (setAt === undefined || !key.mirrors) return;
  key.mirrors.heardLease = undefined;
  const leaseMs = expiresAt === null ? undefined : Math.round(millisBetween(setAt, expiresAt));
  const lease = leaseMs === undefined ? { expiresAt } : { leaseMs, expiresAt };
  for (const { holder, holdCount, mode } of holders) {
    const field = key.holders.get(fieldOf(holder, mode));
    if (field?.count !== null) continue;
    const shared = mode === 'exclusive' ? undefined : { mode };
    to.emit(aboutKey(key, at), { type: 'lock.learned', holder, ...shared, holdCount, ...lease });
    to.keys.hold(key, holder, { count: holdCount, mode, acquiredSeq: field.acquiredSeq });
    key.expiresAt = expiresAt;
    key.foundLeaseMs = leaseMs;
  }
}

/**
 * Reports the holders that a read found, which replace the expected ones. If a command replaced the holder's token, the
 * event is inferred: the owner of the new value may not know that it has the lock.
 */
export function replace(to: Context, key: LockKey, found: KeyContent, at: RedisTime): void {
  if (to.plainHashes.has(key.db, key.name)) noteHomeMade(key);
  const isReplaced = key.mirrors?.tokens?.isReplaced === true;
  const about: About = { ...aboutKey(key, at), certainty: isReplaced ? 'inferred' : 'observed' };
  const seq = to.emit(key.mirrors?.isHomeMade ? { ...about, library: 'unknown' } : about, {
    type: 'lock.found',
    holders: found.holders,
    expiresAt: found.expiresAt,
  });
  adoptFound(to, key, found, seq);
  if (!to.hasCommands) doubtTwins(to, key);
}

/**
 * Asks for reads of locks in other databases that have this name and one of these holders. No event reports SWAPDB, so
 * only a read shows whether the other database still has the hold.
 */
export function doubtTwins(to: Context, key: LockKey): void {
  for (const twin of to.keys.twinsOf(key)) to.onDoubt(twin);
}

/**
 * Whether holders are known only from before a blind spot: since then, no read has shown them, and neither has a
 * command of an exclusive lock's holder. A command of one reader shows nothing about the others.
 */
export function isKnownFromBefore(to: Context, { holders, readInEpoch, watchEpoch }: LockKey): boolean {
  const { blindTo } = to;
  if (blindTo === undefined || readInEpoch === to.watchEpoch || holders.size === 0) return false;
  if (watchEpoch !== to.watchEpoch) return true;
  return holders.size > 1 && [...holders.values()].some(({ since }) => since < blindTo);
}

/**
 * Reports holders that were known before a blind spot, and that a read finds again. A holder may have released the lock
 * and acquired it again meanwhile. This is excluded only if the lease was set before the blind spot, and still ends at
 * the same instant.
 *
 *   lease set   blind spot            read
 *       |───────|- - - - - -|──────────|─────x      the same end as before: kept
 */
export function reportAgain(to: Context, key: LockKey, found: KeyContent, at: RedisTime): void {
  const isKept = isSameLease(to, key, found) ? ({ isKept: true } as const) : undefined;
  const { holders, expiresAt } = found;
  const seq = to.emit(aboutKey(key, at), { type: 'lock.found', holders, expiresAt, ...isKept, ...gapEnd(to) });
  adoptFound(to, key, found, seq);
}

/** The field of an event that replaces what was known before the newest blind spot: when that blind spot ended. */
export function gapEnd({ blindTo }: Context): { readonly gapEndedAt?: RedisTime } {
  return blindTo === undefined ? {} : { gapEndedAt: blindTo };
}

function isSameLease(to: Context, key: LockKey, found: KeyContent): boolean {
  const { expiresAt, leaseMs, watchEpoch } = key;
  if (to.blindFrom === undefined || watchEpoch !== to.watchEpoch - 1 || !hasSameHolds(key, found)) return false;
  if (expiresAt == null || found.expiresAt === null || leaseMs === undefined) return false;
  const setMsBefore = millisBetween(expiresAt, to.blindFrom) + leaseMs;
  return setMsBefore > SAME_END && Math.abs(millisBetween(expiresAt, found.expiresAt)) <= SAME_END;
}

/** Replaces the expected state with what a read found. */
export function adoptFound(to: Context, key: LockKey, found: KeyContent, seq: number): void {
  const before = new Map(key.holders);
  clearKey(key, 'released');
  for (const { holder, holdCount, mode, values } of found.holders) {
    to.keys.hold(key, holder, {
      count: holdCount,
      mode,
      acquiredSeq: before.get(fieldOf(holder, mode))?.acquiredSeq ?? seq,
    });
    if (values) adoptValues(key, holder, values);
  }
  key.expiresAt = found.expiresAt;
  key.watchEpoch = to.watchEpoch;
}

/** Whether a read found the expected holders and counts, whatever the end of the lease. An unknown count fits any. */
export function hasSameHolds(key: LockKey, found: KeyContent): boolean {
  if (key.holders.size !== found.holders.length) return false;
  return found.holders.every(({ holder, holdCount, mode }) => {
    const field = key.holders.get(fieldOf(holder, mode));
    return field !== undefined && (field.count === null || field.count === holdCount);
  });
}

/** Whether a read found the expected holds, with the expected end of the lease or one up to 100 ms away. */
export function isSame(key: LockKey, found: KeyContent, at: RedisTime): boolean {
  if (!hasSameHolds(key, found)) return false;
  if (key.expiresAt === undefined) return true;
  if (key.expiresAt === null || found.expiresAt === null) return key.expiresAt === found.expiresAt;
  if (key.expiresAt <= at && found.expiresAt <= at) return true; // both leases have ended, which no read has shown yet
  const { unsureEnd } = key.mirrors ?? {};
  const earlierBy = unsureEnd?.expiresAt === key.expiresAt ? unsureEnd.earlierBy : 0;
  const laterMs = millisBetween(key.expiresAt, found.expiresAt);
  return laterMs >= -SAME_END - earlierBy && laterMs <= SAME_END;
}

/** The common fields of an event about this lock at the time of a read. */
export function aboutKey(key: LockKey, at: RedisTime): About {
  return { db: key.db, lock: key.name, kind: key.kind, at };
}
