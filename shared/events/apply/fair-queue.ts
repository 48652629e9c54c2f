import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { Action, ActionOf } from '../action.ts';
import type { About, Context, Origin } from '../context.ts';
import { FairQueue } from '../mirror/fair-queue.ts';
import type { LockKey } from '../mirror/lock-keys.ts';
import { clientOf, waiterChannel } from '../names/names.ts';
import type { Appliers } from './appliers.ts';
import { causeOfAttempt } from './cause-of-attempt.ts';
import { acquire } from './holding.ts';
import { dropStaleHolds, isOfOtherType, noteOtherType } from './proof.ts';
import { keyOf } from './reads/known-key.ts';
import { noteRefusal } from './waiting.ts';

/** What fair locks do beside a plain lock: a queue, deadlines, a channel for each waiter. */
export const FAIR: Appliers<'fair-acquire' | 'fair-refuse' | 'fair-evict' | 'fair-give-up'> = {
  'fair-acquire': acquireFair,
  'fair-refuse': refuse,
  'fair-evict': evict,
  'fair-give-up': giveUp,
};

/** Two clocks this close agree: a script is a few milliseconds under way, and may wait for its turn. */
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
    { ...(shift ? { shiftMs: shift.ms } : undefined), ...clockField(action.clientNow, at) },
  );
}

function refuse(to: Context, action: ActionOf<'fair-refuse'>, { db, by }: Origin): void {
  const { lock, holder, at } = action;
  const key = fairKey(to, db, action);
  if (action.isFree) dropStaleHolds(to, key, at);
  // A try of a non-reentrant lock ends the same whoever holds it.
  const isOwn = action.waitMs !== null || key.holders.has(holder);
  const isHeldBy = action.reason === 'own-hold' && !isOwn ? 'held' : action.reason;
  // A wait that an error ends is shorter than one that is refused, a try is not.
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
  if (isWaiting) enterQueue(to, key, action);
  const told = toldMs(key, action);
  const isListening = to.waits.listeners.isListening(channel, clientOf(holder));
  // The channel may still be that of its wait before: a first attempt is asleep only where its SUBSCRIBE was not seen.
  const isKnownAsleep = wait.attempts > 0 || !action.isQueued || to.waits.listeners.hasUnseen(channel);
  // RefusalReply 0 it asks again at once: behind a dead head, without pause (3.32.0 and later).
  noteRefusal(wait, at, told, isWaiting && isListening && isKnownAsleep && told !== 0);
  const [first] = key.holders.values();
  const deadline = queue.deadlineOf(holder);
  const about: About = { db, lock, kind: 'fair-lock', at, by, certainty: isCutOff ? 'inferred' : 'observed' };
  wait.lastAttemptSeq = to.emit(
    { ...about, because: [cause?.wokenBy && cause.seq, first?.acquiredSeq] },
    {
      type: 'lock.refused',
      holder,
      mode: 'exclusive',
      ttlMs: told,
      attempt: wait.attempts,
      asleep: wait.isAsleep,
      reason: reason === 'held' && action.isFree ? 'not-head' : reason,
      ...(cause?.wokenBy ? { wokenBy: cause.wokenBy } : undefined),
      ...(deadline == null || action.isQueued ? undefined : { deadline: timeOf(deadline) }),
      ...clockField(action.clientNow, at),
    },
  );
  if (wait.firstSeq < 0) wait.firstSeq = wait.lastAttemptSeq;
  if (!isWaiting) return to.waits.end(wait); // a try that does not wait, or an exception
  if (action.isQueued) tellQueued(to, key, { holder, position: queue.length, because: wait.lastAttemptSeq, at, by });
}

/** Puts the caller where its script put it. */
function enterQueue(to: Context, key: LockKey, { holder, deadline, isQueued }: ActionOf<'fair-refuse'>): void {
  const queue = queueOf(key);
  if (isQueued) queue.remove(holder);
  if (isQueued || (deadline !== null && queue.has(holder))) queue.push(holder, deadline);
  // It stands there already, as its script found, but nobody saw it come: a read tells where.
  else if (!queue.has(holder)) to.onDoubt(key);
}

/** How long the caller was told to wait. The lock may be free, with a dead head in the way: then it is told 0. */
function toldMs(key: LockKey, { told, holder, waitMs, clientNow }: ActionOf<'fair-refuse'>): Millis | null {
  if (told?.by === 'deadline') return told.ms;
  if (told) {
    if (key.holders.size === 0) return 0;
    return key.expiresAt == null ? null : Math.max(0, Math.round(millisBetween(told.at, key.expiresAt)));
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
      ...(deadline == null ? undefined : { deadline: timeOf(deadline) }),
      ...clockField(clientNow, at),
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
  /** A command put it there: observed. Absent: so did a script, if `because` names its attempt. */
  isSeen?: true;
};

/** Tells where a waiter stands now; inferred, where no script and no command put it there. */
export function tellQueued(to: Context, key: LockKey, queued: Queued): void {
  const { holder, position, queueLength, because, at, by, isSeen } = queued;
  const deadline = queueOf(key).deadlineOf(holder);
  const certainty = because === undefined && !isSeen ? 'inferred' : 'observed';
  to.emit(
    { db: key.db, lock: key.name, kind: 'fair-lock', at, by, certainty, because: [because] },
    {
      type: 'waiter.queued',
      holder,
      position,
      deadline: deadline == null ? null : timeOf(deadline),
      ...(queueLength === undefined ? undefined : { queueLength }),
    },
  );
}

/** The queue or its deadlines are gone by another's hand. */
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
      continue;
    }
    const rest = isLong && n === known.length - 1 ? ({ queueLength: 0 } as const) : undefined;
    to.emit(
      { db: key.db, lock: key.name, kind: key.kind, at, by },
      { type: 'waiter.dequeued', holder, reason: 'deleted', command, ...rest },
    );
  }
}

/** The key of a fair lock that a script used, and which name its queue goes by. */
function fairKey(to: Context, db: number, { lock, at, queueName }: ActionOf<`fair-${string}` & Action['do']>): LockKey {
  const key = keyOf(to, db, lock, 'fair-lock', at);
  if (queueName !== undefined && !queueOf(key).isElsewhere) {
    queueOf(key).isElsewhere = true;
    to.keys.callBeside(key, queueName);
  }
  return key;
}

/** The queue of a fair lock, made empty when nothing is known of it. */
export function queueOf(key: LockKey): FairQueue {
  key.mirrors ??= {};
  key.mirrors.queue ??= new FairQueue();
  return key.mirrors.queue;
}

/** How far the client's clock, by which deadlines are set and judged, is ahead of Redis's; nothing where they agree. */
function clockField(clientNow: Millis | null, at: RedisTime): { clockAheadMs: Millis } | undefined {
  const ahead = clientNow === null ? 0 : Math.round(clientNow - at / 1000);
  return Math.abs(ahead) < CLOCKS_AGREE ? undefined : { clockAheadMs: ahead };
}

function timeOf(epochMs: Millis): RedisTime {
  return plusMillis(redisTime(0), epochMs);
}
