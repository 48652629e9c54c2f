import { plusMillis, type RedisTime } from '../../base/time.ts';
import type { EventOf, LockEvent } from '../../events/event.ts';
import { isTokenKind, KINDS } from '../../events/kinds/kinds.ts';
import { countedUp, lockWith, waiterWith } from '../copies.ts';
import { type LockState, MOST_WAITERS, type WaiterState } from '../lock-state.ts';
import { queueNotes, runOf } from '../notes/fair-notes.ts';
import { reportsNoCause } from '../notes/quorum-error.ts';
import { againAfter } from '../notes/refused-again.ts';
import { isNewCaller, seemsOlder } from '../older-waits.ts';
import type { Rules } from '../rule.ts';
import { oneFewerBeyond, withRoom } from './queue-rules.ts';

/** The waiters of a lock, and the number of connections that listen. */
export const WAITING_RULES: Rules<'lock.refused' | 'waiter.subscribed' | 'waiter.unsubscribed'> = {
  'lock.refused': refused,
  'waiter.subscribed': (lock, event) =>
    lockWith(lock, { subscribers: event.subscribers, waiters: confirmed(lock.waiters, event) }),
  'waiter.unsubscribed': (lock, event) =>
    lockWith(lock, { subscribers: event.subscribers, waiters: withoutGone(lock.waiters, event.client) }),
};

/** Notes since when connections have listened for the release of a lock without a break. */
export function withListening(before: LockState, after: LockState, at: RedisTime): LockState {
  const isListened = (after.subscribers ?? 0) > 0;
  if (isListened === (before.listenedSince !== undefined)) return after;
  return lockWith(after, { listenedSince: isListened ? at : undefined });
}

/** Notes the newest attempt of a caller that will not learn why it failed, and the token that held the lock then. */
export function withTried(before: LockState, after: LockState, event: LockEvent): LockState {
  if (event.type !== 'lock.refused' || !reportsNoCause(event)) return after;
  const tried = { at: event.at, heldBy: before.holders[0]?.id ?? null };
  const waiters = after.waiters.map((each) => (each.id === event.holder ? waiterWith(each, { tried }) : each));
  return lockWith(after, { waiters });
}

function refused(before: LockState, event: EventOf<'lock.refused'>): LockState {
  const totals = countedUp(before.totals, 'refusals');
  const same = before.waiters.find((waiter) => waiter.id === event.holder);
  const isFull =
    before.waiters.length >= MOST_WAITERS || (KINDS[event.kind].hasQueue === true && before.waitersBeyond > 0);
  let lock = before;
  if (!same && isFull && !isTokenKind(event.kind)) {
    // a second attempt confirms the wait; a waiter of a queue was counted when it entered the queue
    const isOneMore = event.attempt === 2 && !KINDS[event.kind].hasQueue;
    if (!isOneMore) return lockWith(before, { totals });
    const waiters = withRoom(before.waiters);
    if (!waiters) return lockWith(before, { waitersBeyond: before.waitersBeyond + 1, totals });
    lock = lockWith(before, { waiters });
  }
  const isQueued = same !== undefined && same.position !== null;
  const others = withoutOldTries(
    same && !isQueued ? lock.waiters.filter((each) => each !== same) : lock.waiters,
    event,
  );
  const hasError = event.reason === 'error' || event.reason === 'own-hold';
  if (hasError || others.length >= MOST_WAITERS) return lockWith(lock, { waiters: others, totals });
  const known = event.attempt > 1 || isQueued ? same : undefined;
  const attempt: WaiterState = {
    id: event.holder,
    mode: event.mode,
    since: known?.since ?? event.at,
    attempts: event.attempt,
    isAsleep: event.asleep,
    isConfirmed: event.asleep || isPolling(event) || (known?.isConfirmed ?? false),
    position: known?.position ?? null,
    deadline: isQueued ? (event.deadline ?? same.deadline) : isPolling(event) ? null : ownTimer(event),
    presumedGoneAt: null,
  };
  const first = known?.firstSeq === undefined ? undefined : { firstSeq: known.firstSeq, firstAt: known.since };
  const notes = known && queueNotes(known, event);
  const waiter = waiterWith(
    attempt,
    first,
    sleepOf(event),
    notes,
    runOf(known, event),
    olderOf(known, event),
    againAfter(same, event),
  );
  // a waiter that was only counted so far is listed now that it has run an attempt and there is room
  const wasCounted = !same && event.attempt > 2;
  return lockWith(wasCounted ? oneFewerBeyond(lock) : lock, {
    waiters: known ? lock.waiters.map((each) => (each === known ? waiter : each)) : [...others, waiter],
    totals,
  });
}

/** Whether the wait began, or may have begun, before its first attempt that was seen. */
function olderOf(known: WaiterState | undefined, event: EventOf<'lock.refused'>): Pick<WaiterState, 'isOlder'> {
  if (event.isOlder || (!known && (event.attempt > 1 || seemsOlder(event)))) return { isOlder: true };
  if (!known) return {};
  if (known.attempts === 0) return { isOlder: true }; // a read found the waiter in the queue
  return known.isOlder && !isNewCaller(event, known.since) ? { isOlder: true } : {};
}

/** Drops tokens with a single attempt that is 3 s old or older: some libraries make a new token for each attempt. */
function withoutOldTries(
  waiters: readonly WaiterState[],
  { kind, at }: EventOf<'lock.refused'>,
): readonly WaiterState[] {
  if (!isTokenKind(kind)) return waiters;
  return waiters.filter(({ isConfirmed, since }) => isConfirmed || plusMillis(since, UNCONFIRMED_FOR) > at);
}

/** An attempt that is not repeated within this time (ms) is not a wait. */
const UNCONFIRMED_FOR = 3000;

/**
 * Whether a second or later attempt confirms a wait, because the waiter polls: at spin locks and token locks, and at
 * any lock without a queue if the thread does not sleep and seems to have polled before its first attempt that was
 * seen.
 */
function isPolling({ kind, attempt, asleep, isOlder }: EventOf<'lock.refused'>): boolean {
  return attempt > 1 && (KINDS[kind].wakeUp === 'polling' || (isOlder === true && !asleep && !KINDS[kind].hasQueue));
}

/** When the waiter's own timer ends; null: it has no timer, or the time is not known. */
function ownTimer({ at, ttlMs }: EventOf<'lock.refused'>): WaiterState['deadline'] {
  return ttlMs === null || ttlMs < 0 ? null : plusMillis(at, ttlMs);
}

/**
 * When its own timer wakes a sleeping waiter. Only a waiter in a queue and one without a timer have this field: the
 * `deadline` of any other waiter shows that time.
 */
function sleepOf({ kind, asleep, at, ttlMs }: EventOf<'lock.refused'>): Pick<WaiterState, 'sleepsUntil'> | undefined {
  if (!asleep || ttlMs === null) return undefined;
  if (ttlMs < 0) return { sleepsUntil: null };
  return KINDS[kind].hasQueue ? { sleepsUntil: plusMillis(at, ttlMs) } : undefined;
}

function confirmed(
  waiters: readonly WaiterState[],
  { kind, holder, isOlder }: EventOf<'waiter.subscribed'>,
): readonly WaiterState[] {
  // a waiter of a token lock that listens blocks in Redis, for example in BLPOP, and does not attempt again before it
  // is woken
  const isToken = isTokenKind(kind);
  const older = isOlder ? { isOlder } : undefined;
  if (waiters.every((waiter) => waiter.id !== holder || (waiter.isConfirmed && !isToken))) return waiters;
  const sleep = isToken ? { isAsleep: true } : undefined;
  return waiters.map((waiter) =>
    waiter.id === holder ? waiterWith(waiter, { isConfirmed: true }, sleep, older) : waiter,
  );
}

/** If a client stops listening, drops those of its waiters that are presumed gone and not in a queue. */
function withoutGone(waiters: readonly WaiterState[], client: string | undefined): readonly WaiterState[] {
  if (client === undefined) return waiters;
  return waiters.filter(
    ({ id, presumedGoneAt, position }) => presumedGoneAt === null || position !== null || !id.startsWith(`${client}:`),
  );
}
