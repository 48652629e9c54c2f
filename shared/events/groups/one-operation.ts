import { millisBetween } from '../../base/time.ts';
import type { LockEvent } from '../event.ts';
import { isOfTransaction } from '../names/names.ts';
import { apartMs, memberOf, type Operation, statesOf } from './operation.ts';

/*
 * What can make two locks of one holder one operation. Time alone does not: client code that locks one and, soon after,
 * another does the same. Time finds candidates, and something else has to show that they are one.
 */

/** Between getting one lock and getting the next: a round trip, on a busy machine some more. */
const NEXT_HELD_MS = 25;
/** The same once two are known to be one operation: a busy machine may pause it. */
const NEXT_OF_GROUP_MS = 100;
/** The same where the first one is the first of all for its client: code that never ran before has to be loaded. */
const NEXT_HELD_BY_NEWCOMER_MS = 250;
/** So many locks, each late, are none of a multi lock. */
const MOST_OF_NEWCOMER = 8;
/**
 * Between getting one lock and being refused the next: shorter, since threads that lock each other out are no multi lock.
 * What takes longer is one only when the first lock is given back at once.
 */
const NEXT_REFUSED_MS = 4;
/** The same where another server is asked next: their clocks differ, and so do the times at which we hear of them. */
export const NEXT_SOURCE_MS = 150;
/** The same once two servers are known to be asked together: one of them may be slow. */
export const NEXT_SOURCE_OF_GROUP_MS = 500;
/** A lease that was read, and not heard of, has run for as long as the read took. */
const LEASE_READ_MS = 100;
/** Between one lease set to its real length and the next. */
const NEXT_FIX_UP_MS = 100;
/** A server that is down keeps a client busy for some tries before it asks the next. */
export const PAST_A_DEAD_SOURCE_MS = 10_000;
/** Between the end of one round of `lock()` and the beginning of the next. */
const NEXT_ROUND_MS = 15;
/** All members are let go at once: locks of which one stays for longer have nothing to do with each other. */
const ALL_RELEASED_MS = 500;
/** No client has the answer to one unlock and sends the next within so short a time: both were under way together. */
const UNDER_WAY_TOGETHER_MS = 0.1;
/** Between a lock and the refusal of the next, and between that and the roll-back, over slow connections. */
const ROLL_BACK_MS = 50;
/** A refusal for which nobody waits is a try of its own after this long. */
const SAME_TRY_MS = 500;

/** Libraries whose token is made anew for each acquisition: the same on several locks is one operation. */
const TOKEN_LIBRARIES: ReadonlySet<string> = new Set(['redlock', 'redsync', 'aioredlock', 'pottery']);

/** Whether a lock can be one of several that this holder locks as one. */
export function isGroupable({ kind, library }: LockEvent, holder: string): boolean {
  if (kind === 'token-lock') return library !== undefined && TOKEN_LIBRARIES.has(library);
  return kind !== 'group-lock' && !isOfTransaction(holder);
}

/** Whether an attempt of the same holder on another lock is of the same operation. */
export function canJoin(operation: Operation, event: LockEvent, holder: string): boolean {
  if (operation.isOver || !isSameLease(operation, event)) return false;
  const from = sourceOfLast(operation);
  const isElsewhere = from !== event.source;
  if (isElsewhere && operation.holders.has(event.source) && operation.holders.get(event.source) !== holder)
    return false;
  const refused = statesOf(operation, 'refused');
  // A multi lock that was refused one lock asks for no other; a RedLock goes on with the next server.
  if (refused.length > 0 && !(isElsewhere && refused.every(({ name }) => name === event.lock))) return false;
  return isNextStep(operation, event);
}

/** Whether an attempt comes soon enough after the last one. The same name elsewhere is a RedLock: nothing else does that. */
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

/** Whether anything but time shows that these locks are one: a token made for them, or clients of several servers. */
export function isShownByItself({ holders }: Operation, event: LockEvent): boolean {
  return event.kind === 'token-lock' || new Set(holders.values()).size > 1;
}

/** Whether locks are released because another was refused: what was taken is given up in its order. */
export function isRollBack(operation: Operation, event: LockEvent, hadEnough: boolean): boolean {
  return !hadEnough && operation.members.size > 1 && !isNoOperation(operation, event);
}

/** Whether an attempt comes later than any but a client's that has only begun: more has to show that it is the next step. */
export function isLateStep(operation: Operation, event: LockEvent): boolean {
  return isJustBegun(operation) && apartMs(operation.triedAt, event.at) > NEXT_HELD_MS;
}

/** Members are locked for the same time. A refusal does not tell for how long it would have been. */
export function isSameLease({ leaseMs }: Operation, event: LockEvent): boolean {
  if (!('leaseMs' in event)) return true;
  if (leaseMs === undefined || event.leaseMs === undefined) return true;
  return Math.abs(leaseMs - event.leaseMs) <= (event.certainty === 'inferred' ? LEASE_READ_MS : 0);
}

/** Whether an attempt is one more on a lock that the operation is still about. */
export function isGoingOn(operation: Operation, event: LockEvent): boolean {
  const member = operation.members.get(memberOf(event));
  if (operation.isOver || member === undefined) return false;
  const isMereTry = operation.members.size === 1 && member.state === 'refused' && !member.hasWaited;
  if (isMereTry && apartMs(operation.triedAt, event.at) > SAME_TRY_MS) return false;
  return !isAnew(operation, event) || apartMs(operation.triedAt, event.at) <= NEXT_ROUND_MS;
}

/** Whether an attempt begins the next round of a `lock()` that had to give back what it had. */
export function isNextRound(operation: Operation, event: LockEvent): boolean {
  const { id, end, members } = operation;
  if (id === undefined || end !== 'rolled-back' || !members.has(memberOf(event)) || !hasAnyWaited(operation))
    return false;
  return apartMs(operation.releasedAt ?? operation.triedAt, event.at) <= NEXT_ROUND_MS;
}

/** `lock()` asks again after it has waited for a member in vain; `tryLock()` does not wait, so the next one is another call. */
function hasAnyWaited({ members }: Operation): boolean {
  return [...members.values()].some(({ hasWaited }) => hasWaited);
}

/** Whether an attempt is the first of a round: the locks are tried in their order, and this one was passed or given up. */
export function isAnew({ members, lastTried, isOver }: Operation, event: LockEvent): boolean {
  if (isOver || members.get(memberOf(event))?.hasGivenUp) return true;
  if (members.size === 1) return false;
  const ids = [...members.keys()];
  return ids.indexOf(memberOf(event)) < ids.indexOf(lastTried);
}

/** Whether a lock is given back because another was refused just before. Whoever waited for that one had other plans. */
export function isRollBackAfter(operation: Operation, tried: Operation, event: LockEvent): boolean {
  if (tried === operation || operation.id !== undefined || tried.id !== undefined || tried.isOver) return false;
  const members = [...tried.members.values()];
  return (
    members.every(({ state, hasWaited, source }) => state === 'refused' && !hasWaited && source === event.source) &&
    apartMs(operation.triedAt, tried.beganAt) <= ROLL_BACK_MS &&
    apartMs(tried.triedAt, event.at) <= ROLL_BACK_MS
  );
}

/** Whether a lock is asked for again that was given back just now, after its holder had waited in vain for the next one. */
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

/** Whether an unlock comes right after what the operation did last. */
export function isJustAfter(operation: Operation, event: LockEvent): boolean {
  return apartMs(operation.releasedAt ?? operation.triedAt, event.at) <= NEXT_SOURCE_MS;
}

/** Whether a plain command that sets a lease is the last step of getting all members: they were locked for a guess. */
export function isFixUp(operation: Operation, event: LockEvent, hasDeadSource: boolean): boolean {
  return (
    operation.members.get(memberOf(event))?.state === 'held' &&
    apartMs(operation.triedAt, event.at) <= (hasDeadSource ? PAST_A_DEAD_SOURCE_MS : NEXT_FIX_UP_MS)
  );
}

/** Whether the last lock is released, and all were in their order, at once. */
export function isEndInOrder(operation: Operation, event: LockEvent): boolean {
  const { id, isUnsure, releasedAt } = operation;
  const isLast = statesOf(operation, 'held').length === 1;
  return isUnsure && id === undefined && isLast && releasedAt !== undefined && !isNoOperation(operation, event);
}

/** Whether the release comes before its client can have had the answer to the one before. */
export function isUnderWayTogether({ releasedAt }: Operation, { at }: LockEvent): boolean {
  return releasedAt === undefined || millisBetween(releasedAt, at) <= UNDER_WAY_TOGETHER_MS;
}

/** Whether the way a lock is released shows that the locks have nothing to do with each other. */
export function isNoOperation(operation: Operation, event: LockEvent): boolean {
  if (operation.holders.size > 1) return false; // a server that is down takes its time
  // A multi lock lets its members go in their order, code within code the other way round.
  const next = [...operation.members].find(([, { state }]) => state === 'held');
  if (operation.isUnsure && next && memberOf(event) !== next[0]) return true;
  if (operation.releasedAt !== undefined) return millisBetween(operation.releasedAt, event.at) > ALL_RELEASED_MS;
  // refused a lock without waiting for it, and kept the others all the same
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
