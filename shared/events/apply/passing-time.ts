import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import { isLone, type Wait } from '../mirror/clients/wait.ts';
import { mayBeRenewed } from '../mirror/tokens/token-memory.ts';
import { clientOf } from '../names/names.ts';
import { expire, mayHaveEndedUnseen } from './expire.ts';
import { readEndedFields } from './field-ends.ts';
import { expireValues } from './kinds/group-lock.ts';
import { endCounterIfOver } from './reads/lose-counter.ts';
import { reportUnanswered } from './unlocks.ts';

/** If a lease ended this long ago in stream time, its hold has ended even without a report from Redis. */
const EXPIRY_GRACE: Millis = 1000;
/**
 * If a hold may have ended in a blind spot, or its lease may have been renewed, the key is read. Without such a read,
 * the hold ends this long after its lease.
 */
const UNSEEN_GRACE: Millis = 10_000;

/**
 * Reports what stream time alone shows: leases that ended 1 s or longer ago, unlocks without an answer, and waiters
 * that gave up, are presumed gone or can no longer be seen.
 */
export function applyPassingTime(to: Context, at: RedisTime): void {
  for (const key of to.keys.held()) {
    if (key.mirrors?.values) expireValues(to, key, plusMillis(at, -EXPIRY_GRACE));
    const grace = mayHaveEndedUnseen(to, key) || mayBeRenewed(key) ? UNSEEN_GRACE : EXPIRY_GRACE;
    if (key.expiresAt != null && plusMillis(key.expiresAt, grace) < at) expire(to, key, at);
  }
  readEndedFields(to, at);
  for (const key of to.keys.counters) endCounterIfOver(to, key, plusMillis(at, -EXPIRY_GRACE));
  reportUnanswered(to, at);
  for (const wait of to.waits.stopped(at)) leaveQueue(to, wait, at, isSeen(to, wait) ? 'gave-up' : 'unseen');
  const silent = to.waits.silent(
    at,
    (each) => lastMessageAt(to, each),
    (each) => isSeen(to, each),
  );
  for (const wait of silent) {
    if (isSeen(to, wait) && !wait.isUnseen) presumeGone(to, wait, at);
    else loseSight(to, wait, at);
  }
}

/** Whether the waiter's next attempt would have been seen. */
function isSeen(to: Context, { lastAttemptAt }: Wait): boolean {
  return to.hasCommands && (to.blindTo === undefined || to.blindTo <= lastAttemptAt);
}

/**
 * Notes that it is not known whether a waiter still waits, and reports that. A waiter in the queue of a fair lock is
 * not reported: reads show whether it is still there.
 */
export function loseSight(to: Context, wait: Wait, at: RedisTime): void {
  wait.isPresumedGone = true;
  wait.isUnseen = true;
  if (!to.keys.find(wait.db, wait.lock)?.mirrors?.queue?.has(wait.holder)) leaveQueue(to, wait, at, 'unseen');
}

/** Reports that a waiter is presumed gone. */
export function presumeGone(to: Context, wait: Wait, at: RedisTime): void {
  leaveQueue(to, wait, at, 'presumed-gone', hasGoneOn(to, wait) ? { hasGoneOn: true } : undefined);
}

/**
 * Whether the thread did something else after its client had subscribed for it, and the client is not known to use the
 * asynchronous API.
 */
function hasGoneOn({ waits }: Context, wait: Wait): boolean {
  return isLone(wait) && wait.hasActed === true && !waits.blocking.isAsynchronous(clientOf(wait.holder));
}

function leaveQueue(
  to: Context,
  { db, lock, holder, lastAttemptSeq }: Wait,
  at: RedisTime,
  reason: 'gave-up' | 'presumed-gone' | 'unseen',
  more?: { readonly hasGoneOn: true },
): void {
  const kind = to.keys.find(db, lock)?.kind ?? 'lock';
  to.emit(
    { db, lock, kind, at, certainty: 'inferred', because: [lastAttemptSeq, to.clients.goneSeq(clientOf(holder))] },
    { type: 'waiter.dequeued', holder, reason, ...more },
  );
}

function lastMessageAt(to: Context, wait: Wait): RedisTime | undefined {
  return wait.hasOwnChannel ? wait.ownMessage?.at : to.keys.find(wait.db, wait.lock)?.messageAt;
}
