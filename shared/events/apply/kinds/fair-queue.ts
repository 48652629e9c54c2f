import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../../base/time.ts';
import type { Action, ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { isTimerDue, noteBeginning, type Wait } from '../../mirror/clients/wait.ts';
import { FairQueue } from '../../mirror/fair-queue.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import { clientOf, waiterChannel } from '../../names/names.ts';
import type { Appliers } from '../appliers.ts';
import { causeOfAttempt } from '../cause-of-attempt.ts';
import { acquire } from '../holding.ts';
import { dropStaleHolds, isOfOtherType, noteOtherType } from '../proof.ts';
import { keyOf } from '../reads/known-key.ts';
import { noteRefusal } from '../waiting.ts';

/** What a fair lock has in addition to a plain lock: a queue, deadlines, and a channel for each waiter. */
export const FAIR: Appliers<'fair-acquire' | 'fair-refuse' | 'fair-evict' | 'fair-give-up'> = {
  'fair-acquire': acquireFair,
  'fair-refuse': refuse,
  'fair-evict': evict,
  'fair-give-up': giveUp,
};

/**
 * Clocks that differ by less than this agree: a script is sent some milliseconds earlier, and may wait for its turn.
 */
const CLOCKS_AGREE: Millis = 1000;

function acquireFair(to: Context, action: ActionOf<'fair-acquire'>, from: Origin): void {
  const { lock, holder, lease, shift, at } = action;
  const queue = queueOf(fairKey(to, from.db, action));
  queue.leave(holder);
  if (shift) queue.shift(shift.ms, shift.holders);
  acquire(
    to,
    { do: 'acquire', at, lock, kind: 'fair-lock', holder, mode: 'exclusive', isReentry: false, lease },
    from,
    { ...(shift ? { shiftMs: shift.ms } : undefined), ...clockField(to, action.clientNow, at) },
  );
}

function refuse(to: Context, action: ActionOf<'fair-refuse'>, { db, by }: Origin): void {
  const { lock, holder, at } = action;
  const key = fairKey(to, db, action);
  if (action.isFree) dropStaleHolds(to, key, at);
  // If an attempt on a non-reentrant lock does not wait, its refusal looks the same, whichever thread holds the lock.
  const isOwn = action.waitMs !== null || key.holders.has(holder);
  const isHeldBy = action.reason === 'own-hold' && !isOwn ? 'held' : action.reason;
  // With a wait, a script cut off by an error runs fewer commands than a refused one. Without a wait, both look the
  // same.
  const isUnheld = isHeldBy === 'held' && action.waitMs === null && !action.isFree && key.holders.size === 0;
  if (isUnheld) to.onDoubt(key);
  if (action.reason === 'error' && action.isThere && key.holders.size === 0) noteOtherType(key, true);
  const isCutOff = isUnheld && isOfOtherType(key);
  const reason = isCutOff ? 'error' : isHeldBy;
  const queue = queueOf(key);
  const isWaiting = action.waitMs !== null && reason === 'held';
  const known = to.waits.find(db, lock, holder);
  const cause = known ? causeOfAttempt(to, key, known, at) : undefined;
  const channel = waiterChannel(lock, holder);
  const wait = known ?? to.waits.begin(db, lock, holder, at, channel, true);
  const isOlder = isWaiting && !action.isQueued && !known && !queue.has(holder); // the waiter entered the queue unseen
  if (isWaiting) enterQueue(to, key, action);
  const reported = reportedMs(key, action);
  const isListening = isRetryOfSleeper(known, at) || to.waits.listeners.isListening(channel, clientOf(holder));
  // The thread may still be subscribed because of its previous wait. So its first attempt shows that it sleeps only if
  // it was in the queue before, or if its SUBSCRIBE was not seen.
  const isKnownAsleep = wait.attempts > 0 || !action.isQueued || to.waits.listeners.hasUnseen(channel);
  // If the script returned 0, the caller retries without a pause: a dead head is before it (3.32.0 and later).
  noteRefusal(wait, at, reported, isWaiting && isListening && isKnownAsleep && reported !== 0);
  noteBeginning(wait, at, isWaiting && !action.isQueued && !known);
  const [first] = key.holders.values();
  const deadline = queue.deadlineOf(holder);
  const certainty = isCutOff ? 'inferred' : 'observed';
  const because = [cause?.wokenBy && cause.seq, first?.acquiredSeq];
  wait.lastAttemptSeq = to.emit(
    { db, lock, kind: 'fair-lock', at, by, certainty, because },
    {
      type: 'lock.refused',
      holder,
      mode: 'exclusive',
      ttlMs: reported,
      attempt: wait.attempts,
      asleep: wait.isAsleep,
      reason: reason === 'held' && action.isFree ? 'not-head' : reason,
      ...(cause?.wokenBy ? { wokenBy: cause.wokenBy } : undefined),
      ...(isOlder ? { isOlder } : undefined),
      ...(cause?.lateMs === undefined ? undefined : { lateMs: cause.lateMs }),
      ...(deadline == null || action.isQueued ? undefined : { deadline: timeOf(to, deadline) }),
      ...clockField(to, action.clientNow, at),
    },
  );
  if (wait.firstSeq < 0) wait.firstSeq = wait.lastAttemptSeq;
  if (!isWaiting) return to.waits.end(wait); // a `tryLock()` that does not wait, or an exception
  if (action.isQueued) reportQueued(to, key, { holder, position: queue.length, because: wait.lastAttemptSeq, at, by });
}

/** A timer is at most this late. */
const PUNCTUAL: Millis = 100;
/** A shorter timer may end by chance at the time of the next attempt. */
const SHORTEST_SLEEP: Millis = 1000;

/**
 * Whether the waiter attempts exactly when its timer ends: it slept, so it listens, although its SUBSCRIBE was not
 * seen.
 */
function isRetryOfSleeper(wait: Wait | undefined, at: RedisTime): boolean {
  if (!wait || (wait.reportedMs ?? 0) < SHORTEST_SLEEP) return false;
  return isTimerDue(wait, at) && !isTimerDue(wait, plusMillis(at, -PUNCTUAL));
}

/** Puts the caller at the place in the queue where its script put it. */
function enterQueue(to: Context, key: LockKey, { holder, deadline, isQueued }: ActionOf<'fair-refuse'>): void {
  const queue = queueOf(key);
  if (isQueued) queue.remove(holder);
  if (isQueued || (deadline !== null && queue.has(holder))) queue.push(holder, deadline);
  // The script found the caller in the queue, but its arrival was not seen: a read shows its position.
  else if (!queue.has(holder)) to.onDoubt(key);
}

/**
 * The ms to wait that the script returned to its caller. 0 if the lock is free, but another waiter is the head. Null:
 * not known.
 */
function reportedMs(key: LockKey, { reported, holder, waitMs, clientNow }: ActionOf<'fair-refuse'>): Millis | null {
  if (reported?.by === 'deadline') return reported.ms;
  if (reported) {
    if (key.holders.size === 0) return 0;
    return key.expiresAt == null ? null : Math.max(0, Math.round(millisBetween(reported.at, key.expiresAt)));
  }
  const deadline = key.mirrors?.queue?.deadlineOf(holder);
  return deadline == null || waitMs === null || clientNow === null ? null : deadline - waitMs - clientNow;
}

function evict(to: Context, action: ActionOf<'fair-evict'>, { db, by }: Origin): void {
  const { lock, holder, clientNow, at } = action;
  const key = fairKey(to, db, action);
  const queue = queueOf(key);
  const deadline = queue.deadlineOf(holder);
  queue.leave(holder);
  const wait = to.waits.find(db, lock, holder);
  queue.lastEviction = to.emit(
    { db, lock, kind: 'fair-lock', at, by, because: [wait?.lastAttemptSeq] },
    {
      type: 'waiter.dequeued',
      holder,
      reason: 'evicted',
      ...(deadline == null ? undefined : { deadline: timeOf(to, deadline) }),
      ...clockField(to, clientNow, at),
    },
  );
}

function giveUp(to: Context, action: ActionOf<'fair-give-up'>, { db, by }: Origin): void {
  const { holder, shift, at } = action;
  const lock = to.keys.nameFrom(db, action.lock);
  const key = keyOf(to, db, lock, 'fair-lock', at);
  const queue = queueOf(key);
  const wait = to.waits.find(db, lock, holder);
  queue.leave(holder);
  if (shift) queue.shift(shift.ms, shift.holders);
  to.emit(
    { db, lock, kind: 'fair-lock', at, by, because: [wait?.lastAttemptSeq] },
    { type: 'waiter.dequeued', holder, reason: 'gave-up', ...(shift ? { shiftMs: shift.ms } : undefined) },
  );
  if (wait) to.waits.end(wait);
}

type Queued = {
  holder: string;
  position: number;
  queueLength?: number | undefined;
  because?: number;
  at: RedisTime;
  by?: string | undefined;
  /**
   * A plain command set the waiter's place, so the place is observed. Absent: observed only if `because` names the
   * attempt that queued the waiter.
   */
  isSeen?: true;
};

/** Reports the position of a waiter. The position is inferred, unless a script or a command set it. */
export function reportQueued(to: Context, key: LockKey, queued: Queued): void {
  const { holder, position, queueLength, because, at, by, isSeen } = queued;
  const deadline = queueOf(key).deadlineOf(holder);
  const certainty = because === undefined && !isSeen ? 'inferred' : 'observed';
  to.emit(
    { db: key.db, lock: key.name, kind: 'fair-lock', at, by, certainty, because: [because] },
    {
      type: 'waiter.queued',
      holder,
      position,
      deadline: deadline == null ? null : timeOf(to, deadline),
      ...(queueLength === undefined ? undefined : { queueLength }),
    },
  );
}

/** Applies the loss of a queue, or of its deadlines, that was not caused by the lock's own scripts. */
export function applyLostQueue(
  to: Context,
  key: LockKey,
  role: string,
  at: RedisTime,
  command: string,
  by: string | undefined,
): void {
  const queue = key.mirrors?.queue;
  if (!queue) return;
  const isLong = queue.unknown > 0;
  const known = [...queue.entries()];
  if (role !== 'timeouts') queue.clear();
  for (const [n, [holder]] of known.entries()) {
    if (role === 'timeouts') {
      queue.push(holder, null);
      reportQueued(to, key, { holder, position: n + 1, at, by, isSeen: true });
      continue;
    }
    const rest = isLong && n === known.length - 1 ? ({ queueLength: 0 } as const) : undefined;
    to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at, by },
      { type: 'waiter.dequeued', holder, reason: 'deleted', command, ...rest },
    );
  }
}

/** The key of a fair lock that a script used. Notes the name in its queue's keys, if that is not the lock's own. */
function fairKey(to: Context, db: number, { lock, at, queueName }: ActionOf<`fair-${string}` & Action['do']>): LockKey {
  const key = keyOf(to, db, lock, 'fair-lock', at);
  if (queueName !== undefined && !queueOf(key).isElsewhere) {
    queueOf(key).isElsewhere = true;
    to.keys.callBeside(key, queueName);
  }
  return key;
}

/** Returns the queue of a fair lock, and creates an empty one if none is known. */
export function queueOf(key: LockKey): FairQueue {
  key.mirrors ??= {};
  key.mirrors.queue ??= new FairQueue();
  return key.mirrors.queue;
}

/**
 * How far the client's clock, which sets and checks deadlines, is ahead of Redis's (negative: behind), or that the
 * script did not carry the client's time. `undefined` if both clocks agree.
 */
function clockField(
  { clockBehindMs }: Context,
  clientNow: Millis | null,
  at: RedisTime,
): { clockAheadMs: Millis } | { clockUnseen: true } | undefined {
  if (clientNow === null) return { clockUnseen: true };
  const ahead = Math.round(clientNow - (at / 1000 - clockBehindMs));
  return Math.abs(ahead) < CLOCKS_AGREE ? undefined : { clockAheadMs: ahead };
}

/**
 * A deadline, which clients compute by their own clocks, as stream time. These clocks are assumed to agree with
 * Redis's.
 */
function timeOf({ clockBehindMs }: Context, epochMs: Millis): RedisTime {
  return plusMillis(redisTime(0), epochMs + clockBehindMs);
}
