import { millisBetween } from '../../base/time.ts';
import type { LockEvent } from '../event.ts';
import { isTokenKind, KINDS } from '../kinds/kinds.ts';
import { isOfQuorum } from '../libraries/token-libraries.ts';
import { isOfTransaction } from '../names/names.ts';
import { apartMs, memberOf, type Operation, statesOf } from './operation.ts';

/*
 * What shows that two locks of one holder are one operation. Time alone does not: a thread that acquires one lock and
 * soon after another looks the same. Time finds candidates; something else must show that they belong together.
 */

/** Between acquiring one lock and the next: a round trip, and longer on a busy machine. */
const NEXT_HELD_MS = 25;
/** Like `NEXT_HELD_MS`, for a known operation, which a busy machine may pause. */
const NEXT_OF_GROUP_MS = 100;
/** Like `NEXT_OF_GROUP_MS`, after a client's first lock: the JVM must load code that never ran before. */
const NEXT_HELD_BY_NEWCOMER_MS = 250;
/** If this many locks come late, they are not a multi lock. */
const MOST_OF_NEWCOMER = 8;
/**
 * Between acquiring one lock and being refused the next. Shorter than `NEXT_HELD_MS`, because threads that block each
 * other must not be mistaken for a multi lock. After a longer pause, two locks are a multi lock only if the first one
 * is released at once.
 */
const NEXT_REFUSED_MS = 4;
/** Between attempts on the same lock name at two servers, whose clocks and delays differ. */
export const NEXT_SOURCE_MS = 150;
/** Like `NEXT_SOURCE_MS`, once an operation is on two servers: one of them may be slow. */
export const NEXT_SOURCE_OF_GROUP_MS = 500;
/** A lease that was read, not seen in a command, may have begun earlier, by the time that the read took. */
export const LEASE_READ_MS = 100;
/** Between one fix-up of a lease and the next. */
const NEXT_FIX_UP_MS = 100;
/** A client tries several times to reach a server that is down, before it uses the next one. */
export const DEAD_SERVER_RETRIES_MS = 10_000;
/** Between the end of one round of a multi lock's `lock()` and the beginning of the next. */
const NEXT_ROUND_MS = 15;
/** All members are released at once: if one is kept for longer, the locks do not belong together. */
const ALL_RELEASED_MS = 500;
/** Two unlocks closer than this were sent together: no client gets a reply and sends the next one so fast. */
const UNDER_WAY_TOGETHER_MS = 0.1;
/** Between a lock and the refusal of the next, and between that refusal and the roll-back, over slow connections. */
const ROLL_BACK_MS = 50;
/** An attempt this long after a refusal without a wait is a new call. */
const SAME_TRY_MS = 500;

/** Libraries that generate a new token for each acquisition: the same token on several locks is one operation. */
const TOKEN_LIBRARIES: ReadonlySet<string> = new Set([
  ...['redlock', 'redlock-rb', 'redlock-net', 'redsync', 'aioredlock', 'pottery', 'sesamecare-redlock'],
  ...['redlock-universal', 'redlock4j'],
]);

/** Whether a lock can be a member of a multi lock or RedLock of this holder. */
export function isGroupable({ kind, library, lock }: LockEvent, holder: string): boolean {
  if (isTokenKind(kind)) return library === undefined ? isOfQuorum(lock, holder) : TOKEN_LIBRARIES.has(library);
  return !KINDS[kind].hasValues && !isOfTransaction(holder);
}

/** Whether an attempt of the same holder on another lock can belong to the same operation. */
export function canJoin(operation: Operation, event: LockEvent, holder: string): boolean {
  if (operation.isOver || operation.isRefuted || !isSameLease(operation, event)) return false;
  const from = sourceOfLast(operation);
  const isElsewhere = from !== event.source;
  if (isElsewhere && operation.holders.has(event.source) && operation.holders.get(event.source) !== holder)
    return false;
  const refused = statesOf(operation, 'refused');
  // After a refusal a multi lock attempts no other lock; a RedLock continues with the next server.
  if (refused.length > 0 && !(isElsewhere && refused.every(({ name }) => name === event.lock))) return false;
  return isNextStep(operation, event);
}

/** Whether an attempt follows soon enough after the last one. Only a RedLock uses the same name on another source. */
export function isNextStep(operation: Operation, event: LockEvent): boolean {
  const apart = apartMs(operation.triedAt, event.at);
  const isElsewhere = sourceOfLast(operation) !== event.source;
  if (isElsewhere && [...operation.members.values()].some(({ name }) => name === event.lock))
    return apart <= (operation.holders.size > 1 ? NEXT_SOURCE_OF_GROUP_MS : NEXT_SOURCE_MS);
  if (event.type === 'lock.refused') return apart <= NEXT_REFUSED_MS;
  if (isKnownByTime(operation) && !operation.isOver && !isElsewhere) return apart <= NEXT_OF_GROUP_MS;
  return apart <= NEXT_HELD_MS || (!isElsewhere && isJustBegun(operation) && apart <= NEXT_HELD_BY_NEWCOMER_MS);
}

function isJustBegun({ isFirstOfClient, isPrompt, id, members }: Operation): boolean {
  return isFirstOfClient && !isPrompt && id === undefined && members.size < MOST_OF_NEWCOMER;
}

function isKnownByTime({ id, isPrompt }: Operation): boolean {
  return id !== undefined || isPrompt;
}

/**
 * Whether something other than the timing shows that these locks are one operation: a token generated for them, or
 * clients of several servers.
 */
export function isShownByItself({ holders }: Operation, event: LockEvent): boolean {
  return isTokenKind(event.kind) || new Set(holders.values()).size > 1;
}

/** Whether a release shows that locks are released, in their order, because another lock was refused. */
export function isRollBack(operation: Operation, event: LockEvent, hadEnough: boolean): boolean {
  return !hadEnough && operation.members.size > 1 && !isNoOperation(operation, event);
}

/**
 * Whether an attempt is so late that only a client's first operation explains the pause. Then more evidence is needed
 * that the attempt is the next step.
 */
export function isLateStep(operation: Operation, event: LockEvent): boolean {
  return isJustBegun(operation) && apartMs(operation.triedAt, event.at) > NEXT_HELD_MS;
}

/** Whether an attempt has the operation's lease: all members have the same. A refusal does not show its lease. */
export function isSameLease({ leaseMs }: Operation, event: LockEvent): boolean {
  if (!('leaseMs' in event)) return true;
  if (leaseMs === undefined || event.leaseMs === undefined) return true;
  return Math.abs(leaseMs - event.leaseMs) <= (event.certainty === 'inferred' ? LEASE_READ_MS : 0);
}

/** Whether an attempt is on one of the operation's locks again, soon enough, and the operation has not ended. */
export function isGoingOn(operation: Operation, event: LockEvent): boolean {
  const member = operation.members.get(memberOf(event));
  if (operation.isOver || member === undefined) return false;
  if (operation.isRefuted && member.state !== 'held') return false;
  const isSingleRefusal = operation.members.size === 1 && member.state === 'refused' && !member.hasWaited;
  if (isSingleRefusal && apartMs(operation.triedAt, event.at) > SAME_TRY_MS) return false;
  return !isFirstOfRound(operation, event) || apartMs(operation.triedAt, event.at) <= NEXT_ROUND_MS;
}

/** Whether an attempt begins the next round of a `lock()` after a roll-back. */
export function isNextRound(operation: Operation, event: LockEvent): boolean {
  const { id, end, members } = operation;
  if (id === undefined || end !== 'rolled-back' || !members.has(memberOf(event)) || !hasAnyWaited(operation))
    return false;
  return apartMs(operation.releasedAt ?? operation.triedAt, event.at) <= NEXT_ROUND_MS;
}

/** Whether the holder waited for a member: `lock()` attempts again after a failed wait. `tryLock()` does not wait. */
function hasAnyWaited({ members }: Operation): boolean {
  return [...members.values()].some(({ hasWaited }) => hasWaited);
}

/**
 * Whether an attempt begins a round: the operation has ended, or its holder gave up this lock or already attempted a
 * later one. Locks are attempted in order.
 */
export function isFirstOfRound({ members, lastTried, isOver }: Operation, event: LockEvent): boolean {
  if (isOver || members.get(memberOf(event))?.hasGivenUp) return true;
  if (members.size === 1) return false;
  const ids = [...members.keys()];
  return ids.indexOf(memberOf(event)) < ids.indexOf(lastTried);
}

/** Whether a lock is released because another was refused just before, without a wait for that one. */
export function isRollBackAfter(operation: Operation, tried: Operation, event: LockEvent): boolean {
  if (tried === operation || operation.id !== undefined || tried.id !== undefined || tried.isOver) return false;
  if (operation.isRefuted) return false;
  const members = [...tried.members.values()];
  return (
    members.every(({ state, hasWaited, source }) => state === 'refused' && !hasWaited && source === event.source) &&
    apartMs(operation.triedAt, tried.beganAt) <= ROLL_BACK_MS &&
    apartMs(tried.triedAt, event.at) <= ROLL_BACK_MS
  );
}

/**
 * Whether a lock is attempted again just after its release, if its holder released it after a failed wait for the next
 * lock.
 */
export function isRoundAfter(operation: Operation, tried: Operation, event: LockEvent): boolean {
  if (tried === operation || tried.id !== undefined || operation.releasedAt === undefined) return false;
  return (
    operation.isOver &&
    operation.lastTried === memberOf(event) &&
    hasAnyWaited(tried) &&
    statesOf(tried, 'refused').length === tried.members.size &&
    apartMs(operation.triedAt, tried.beganAt) <= NEXT_HELD_MS &&
    apartMs(operation.releasedAt, event.at) <= NEXT_ROUND_MS
  );
}

/** Whether an unlock follows right after the last step of the operation. */
export function isJustAfter(operation: Operation, event: LockEvent): boolean {
  return apartMs(operation.releasedAt ?? operation.triedAt, event.at) <= NEXT_SOURCE_MS;
}

/**
 * Whether a plain command may be a fix-up: it sets the lease of a held member soon after the last attempt of the
 * operation.
 */
export function isFixUp(operation: Operation, event: LockEvent, hasDeadSource: boolean): boolean {
  return (
    operation.members.get(memberOf(event))?.state === 'held' &&
    apartMs(operation.triedAt, event.at) <= (hasDeadSource ? DEAD_SERVER_RETRIES_MS : NEXT_FIX_UP_MS)
  );
}

/**
 * Whether an event releases the last lock of an operation that is not reported as a group yet, after all others were
 * released just before and in their order.
 */
export function isEndInOrder(operation: Operation, event: LockEvent): boolean {
  const { id, isUnsure, releasedAt } = operation;
  const isLast = statesOf(operation, 'held').length === 1;
  return isUnsure && id === undefined && isLast && releasedAt !== undefined && !isNoOperation(operation, event);
}

/** Whether the release was sent before its client can have received the reply to the previous release. */
export function isUnderWayTogether({ releasedAt }: Operation, { at }: LockEvent): boolean {
  return releasedAt === undefined || millisBetween(releasedAt, at) <= UNDER_WAY_TOGETHER_MS;
}

/** Whether this release shows that the locks do not belong together. */
export function isNoOperation(operation: Operation, event: LockEvent): boolean {
  if (operation.holders.size > 1) return false; // a server that is down causes pauses
  // A multi lock releases its members in their order; nested code releases them in the reverse order.
  const next = [...operation.members].find(([, { state }]) => state === 'held');
  if (operation.isUnsure && next && memberOf(event) !== next[0]) return true;
  if (operation.releasedAt !== undefined) return millisBetween(operation.releasedAt, event.at) > ALL_RELEASED_MS;
  // The thread was refused a lock, did not wait for it, and still kept the others.
  const refused = statesOf(operation, 'refused');
  return (
    refused.length > 0 &&
    refused.every(({ hasWaited }) => !hasWaited) &&
    millisBetween(operation.triedAt, event.at) > ALL_RELEASED_MS
  );
}

function sourceOfLast({ members, lastTried }: Operation): string | undefined {
  return members.get(lastTried)?.source;
}
