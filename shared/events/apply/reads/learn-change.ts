import { type Millis, millisBetween, type RedisTime } from '../../../base/time.ts';
import type { About, Context } from '../../context.ts';
import { KINDS } from '../../kinds/kinds.ts';
import { countOf } from '../../mirror/group-values.ts';
import { clearKey, dropField, holderIds, type LockKey, rememberLoss, SAME_END } from '../../mirror/lock-key.ts';
import { fieldOf, holderOfField } from '../../names/names.ts';
import type { HeldValue } from '../../types/hold-event.ts';
import type { FoundHolder, KeyContent } from '../../types/watch-event.ts';
import { expire, mayHaveEndedUnseen } from '../expire.ts';
import { reportLost } from '../failover.ts';
import { expireValues } from '../kinds/group-lock.ts';
import { isOver } from '../proof.ts';
import { wasOverwritten, wasTakenOver } from '../tokens/next-value.ts';
import { aboutKey, doubtTwins, fillIn, hasSameHolds, learnHeard, replace, reportAgain } from './found-holds.ts';
import { isWatchdogs } from './found-renewal.ts';
import { adoptValues, changeOf, hasSameValues } from './group-lock-read.ts';

/**
 * At levels without commands, reports a change between two reads as the event that most likely caused it.
 *
 *   free → h              acquired          h → free          released (or expired, if its lease was over)
 *   h ×n   → h ×n+1       re-entered        h ×n → h ×n-1     partially released
 *   a value more          acquired          a value less      partially released (group locks)
 *   same, later end       renewed (K7)      h → g             released, then acquired
 *   same, no end          renewed by a command (PERSIST)
 *   same, earlier end     shortened         same end          no event
 *
 *   h → g, and the key was never gone:
 *     no known library    released (it is not known how), and g is found: no client acquires like that
 *     a known library     lost by h, and acquired by g: g's client extended the lock late, without a comparison
 *
 * A reader that joins or leaves also moves the end: that is not a renewal. At the first read after a blind spot, no
 * hold was seen to begin: each of them is reported as found.
 */
export function learnChange(to: Context, key: LockKey, found: KeyContent | null, at: RedisTime): void {
  reportLost(to, key, found?.holders ?? [], at);
  if (found) learnHeard(to, key, found, at);
  const about: About = { ...aboutKey(key, at), certainty: 'inferred' };
  const expiresAt = found?.expiresAt ?? null;
  const lease = expiresAt === null ? { expiresAt } : { expiresAt, leaseMs: Math.round(millisBetween(at, expiresAt)) };
  const now = new Map((found?.holders ?? []).map((each) => [fieldOf(each.holder, each.mode), each]));
  expireValues(to, key, at, 0);
  if (found && hasSameHolds(key, found) && hasSameValues(key, found)) return learnEnd(to, key, found, about, lease);
  if (found === null && !isOver(key, at) && to.keys.twinsOf(key).length > 0) return loseToDatabase(to, key, about);
  const isKept = !KINDS[key.kind].hasValues && [...key.holders.keys()].some((name) => now.has(name));
  const isSinceGap = to.blindTo !== undefined && key.watchEpoch !== to.watchEpoch;
  const how = isSinceGap || !isKept ? ({ how: 'unknown' } as const) : undefined;
  const restUntil = now.size > 0 && expiresAt !== null ? { expiresAt } : undefined;
  const isOverwritten = found !== null && wasOverwritten(to, key, at);
  const isTakenOver = found !== null && wasTakenOver(to, key, at);
  for (const [name, field] of [...key.holders]) {
    if (now.has(name)) continue;
    const holder = holderOfField(name);
    if (isTakenOver) {
      key.lastLoss = to.emit(about, { type: 'lock.deleted', holder, holders: [holder] });
      rememberLoss(key, name, 'gone');
    } else if (!isOverwritten && isOver(key, at) && !mayHaveEndedUnseen(to, key)) expire(to, key, at);
    else to.emit(about, { type: 'lock.released', holder, mode: field.mode, holdCount: 0, ...restUntil, ...how });
    dropField(key, name);
    if (key.mirrors?.values) adoptValues(key, holder, []);
  }
  if (isOverwritten) {
    if (key.mirrors?.tokens) key.mirrors.tokens.isReplaced = true;
    return replace(to, key, found, at);
  }
  if (found && isSinceGap) return reportAgain(to, key, found, at);
  if (found && cameFromDatabase(to, key, now)) return replace(to, key, found, at);
  for (const [name, { holder, holdCount, mode, values }] of now) {
    const before = key.holders.get(name);
    if (before && values && key.mirrors?.values) {
      learnValues(to, key, { holder, mode, values }, about, lease);
      to.keys.hold(key, holder, { count: holdCount, mode, acquiredSeq: before.acquiredSeq });
      continue;
    }
    const type =
      before === undefined
        ? 'lock.acquired'
        : holdCount > (before.count ?? holdCount)
          ? 'lock.reentered'
          : holdCount < (before.count ?? holdCount)
            ? 'lock.partially-released'
            : undefined;
    let acquiredSeq = before?.acquiredSeq;
    if (type) {
      const seq = to.emit(about, { type, holder, mode, holdCount, ...lease, ...(values ? { values } : undefined) });
      if (type === 'lock.acquired') acquiredSeq = seq;
    }
    to.keys.hold(key, holder, { count: holdCount, mode, acquiredSeq });
    if (values) adoptValues(key, holder, values);
  }
  if (found) doubtTwins(to, key);
  key.foundLeaseMs = leaseAfter(key, found, lease.leaseMs);
  key.expiresAt = found ? expiresAt : undefined;
  key.watchEpoch = to.watchEpoch;
}

/** Reports which values of a group lock a known holder has released or acquired, and stores those that it has now. */
function learnValues(
  to: Context,
  key: LockKey,
  { holder, mode, values }: Pick<FoundHolder, 'holder' | 'mode'> & { readonly values: readonly HeldValue[] },
  about: About,
  lease: EndFound,
): void {
  const before = key.mirrors?.values?.heldBy(holder) ?? [];
  const { gained, lost } = changeOf(before, values);
  const kept = values.flatMap((each) => {
    return gained.includes(each) ? before.filter(({ value }) => value === each.value) : [each];
  });
  const emit = (type: 'lock.acquired' | 'lock.reentered' | 'lock.partially-released', now: readonly HeldValue[]) => {
    to.emit(about, { type, holder, mode, holdCount: countOf(now) ?? 1, ...lease, values: now });
  };
  if (lost.length > 0 && kept.length > 0) emit('lock.partially-released', kept);
  else if (lost.length > 0) to.emit(about, { type: 'lock.released', holder, mode, holdCount: 0, how: 'unknown' });
  const isReentry = gained.every(({ value }) => key.mirrors?.values?.ownerOf(value) === holder);
  if (gained.length > 0) emit(isReentry ? 'lock.reentered' : 'lock.acquired', values);
  adoptValues(key, holder, values);
}

/**
 * Without commands: whether the holders of a lock that was free are those of the same name in another database, so
 * SWAPDB or MOVE brought them.
 */
function cameFromDatabase(to: Context, { db, name, holders }: LockKey, now: ReadonlyMap<string, unknown>): boolean {
  return !to.hasCommands && holders.size === 0 && to.keys.twinsOf({ db, name, holders: now }).length > 0;
}

/**
 * Reports that a hold is gone, but was not released: the same name in another database has it, so SWAPDB or MOVE took
 * it away.
 */
function loseToDatabase(to: Context, key: LockKey, about: About): void {
  const holders = holderIds(key);
  const [holder = ''] = holders;
  key.lastLoss = to.emit(about, { type: 'lock.deleted', holder, holders });
  clearKey(key, 'gone');
  key.watchEpoch = to.watchEpoch;
}

/**
 * The lease after a read found other holds. Undefined: not known, since an earlier end belongs to a hold that stays.
 */
function leaseAfter(key: LockKey, found: KeyContent | null, left: Millis | undefined): Millis | undefined {
  const movedBy = found ? endMovedBy(key.expiresAt, found.expiresAt) : -FOR_EVER;
  if (Math.abs(movedBy) <= SAME_END) return key.foundLeaseMs;
  return movedBy < 0 ? undefined : left;
}

type EndFound = { readonly expiresAt: RedisTime | null; readonly leaseMs?: Millis };

/**
 * The same holds with another end. A renewal needs an end later than the known one by more than the clocks' error. An
 * end within that error leaves the known one as it is, so that errors do not add up.
 */
function learnEnd(to: Context, key: LockKey, found: KeyContent, about: About, lease: EndFound): void {
  key.watchEpoch = to.watchEpoch;
  for (const { holder, values } of found.holders) if (values) adoptValues(key, holder, values);
  const movedBy = endMovedBy(key.expiresAt, found.expiresAt);
  if (Math.abs(movedBy) <= SAME_END) return fillIn(to, key, found, about.at);
  if (Number.isNaN(movedBy)) return replace(to, key, found, about.at);
  const { leaseMs: left } = lease;
  const cause = left !== undefined && isWatchdogs(key, movedBy, left) ? ({ cause: 'watchdog' } as const) : undefined;
  // A read follows the renewal, so the TTL is never longer than the lease.
  if (!cause || key.foundLeaseMs === undefined) key.foundLeaseMs = left;
  const isFirst = key.expiresAt === null ? ({ hadNoEnd: true } as const) : undefined;
  key.expiresAt = found.expiresAt;
  const [{ holder, mode, values } = UNKNOWN, ...others] = found.holders;
  if (movedBy < 0) {
    to.emit(about, { type: 'lease.shortened', ...isFirst, ...lease });
  } else if (found.expiresAt === null) {
    to.emit(about, { type: 'lease.renewed', cause: 'command', ...lease });
  } else if (others.length > 0 || !cause) {
    // The cause may be any of these readers' watchdogs, or a command.
    to.emit(about, { type: 'lease.renewed', ...cause, ...lease });
  } else {
    const shared = mode === 'exclusive' ? undefined : { mode };
    to.emit(about, { type: 'lease.renewed', holder, ...shared, ...cause, ...lease, ...(values && { values }) });
  }
}

const UNKNOWN: FoundHolder = { holder: '', holdCount: 0, mode: 'exclusive' };

/** By how many ms the end moved; `NaN` if the previous end is not known. `null` means no end. */
function endMovedBy(before: RedisTime | null | undefined, after: RedisTime | null): Millis {
  if (before === undefined) return Number.NaN;
  if (before === null || after === null) return before === after ? 0 : after === null ? FOR_EVER : -FOR_EVER;
  return millisBetween(before, after);
}

const FOR_EVER = Number.POSITIVE_INFINITY;
