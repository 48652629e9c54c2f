import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { Did } from '../action.ts';
import type { Context, Origin } from '../context.ts';
import { FairQueue } from '../fair-queue.ts';
import type { LockKey } from '../lock-keys.ts';
import { clientOf, isHolder, waiterChannel } from '../names.ts';
import type { Companions } from '../recognise/family.ts';
import type { Appliers } from './appliers.ts';
import { causeOfAttempt } from './cause-of-attempt.ts';
import { acquire } from './holding.ts';
import { keyOf } from './known-key.ts';
import { proveFree } from './proof.ts';
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
/** Deadlines this close are the same. */
const SAME_DEADLINE: Millis = 100;
/** How many of a queue a read gives at most; `server/redis` asks for no more. */
export const MOST_READ = 1000;

function acquireFair(to: Context, action: Did<'fair-acquire'>, from: Origin): void {
  const { lock, holder, lease, shift, at } = action;
  const queue = queueOf(keyOf(to, from.db, lock, 'fair-lock', at));
  queue.remove(holder);
  if (shift) queue.shift(shift.ms, shift.holders);
  acquire(
    to,
    { do: 'acquire', at, lock, kind: 'fair-lock', holder, mode: 'exclusive', isReentry: false, lease },
    from,
    { ...(shift ? { shiftMs: shift.ms } : undefined), ...clockField(action.clientNow, at) },
  );
}

function refuse(to: Context, action: Did<'fair-refuse'>, { db, by }: Origin): void {
  const { lock, holder, at } = action;
  const key = keyOf(to, db, lock, 'fair-lock', at);
  if (action.isFree) proveFree(to, key, at);
  // A try of a non-reentrant lock ends the same whoever holds it.
  const isOwn = action.waitMs !== null || key.holders.has(holder);
  const reason = action.reason === 'own-hold' && !isOwn ? 'held' : action.reason;
  const queue = queueOf(key);
  const isWaiting = action.waitMs !== null && reason === 'held';
  const known = to.waits.find(db, lock, holder);
  const cause = known ? causeOfAttempt(to, key, known, at) : undefined;
  const channel = waiterChannel(lock, holder);
  const wait = known ?? to.waits.begin(db, lock, holder, at, channel, true);
  if (isWaiting) enterQueue(to, key, action);
  const told = toldMs(key, action);
  const isListening = to.waits.listeners.isListening(channel, clientOf(holder));
  // Told 0 it asks again at once: behind a dead head, without pause (3.32.0 and later).
  noteRefusal(wait, at, told, isWaiting && isListening && told !== 0);
  const [first] = key.holders.values();
  const deadline = queue.deadlineOf(holder);
  wait.lastAttemptSeq = to.emit(
    { db, lock, kind: 'fair-lock', at, by, because: [cause?.wokenBy && cause.seq, first?.acquiredSeq] },
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
  if (action.isQueued) tellQueued(to, key, { holder, position: queue.size, because: wait.lastAttemptSeq, at, by });
}

/** Puts the caller where its script put it. */
function enterQueue(to: Context, key: LockKey, { holder, deadline, isQueued }: Did<'fair-refuse'>): void {
  const queue = queueOf(key);
  if (isQueued) queue.remove(holder);
  if (isQueued || (deadline !== null && queue.has(holder))) queue.push(holder, deadline);
  // It stands there already, as its script found, but nobody saw it come: a read tells where.
  else if (!queue.has(holder)) to.onDoubt(key);
}

/** How long the caller was told to wait. The lock may be free, with a dead head in the way: then it is told 0. */
function toldMs(key: LockKey, { told, holder, waitMs, clientNow }: Did<'fair-refuse'>): Millis | null {
  if (told?.by === 'deadline') return told.ms;
  if (told) {
    if (key.holders.size === 0) return 0;
    return key.expiresAt == null ? null : Math.max(0, Math.round(millisBetween(told.at, key.expiresAt)));
  }
  const deadline = key.mirrors?.queue?.deadlineOf(holder);
  return deadline == null || waitMs === null || clientNow === null ? null : deadline - waitMs - clientNow;
}

function evict(to: Context, { lock, holder, clientNow, at }: Did<'fair-evict'>, { db, by }: Origin): void {
  const key = keyOf(to, db, lock, 'fair-lock', at);
  const queue = queueOf(key);
  const deadline = queue.deadlineOf(holder);
  queue.remove(holder);
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

function giveUp(to: Context, { lock, holder, shift, at }: Did<'fair-give-up'>, { db, by }: Origin): void {
  const key = keyOf(to, db, lock, 'fair-lock', at);
  const queue = queueOf(key);
  const wait = to.waits.find(db, lock, holder);
  queue.remove(holder);
  if (shift) queue.shift(shift.ms, shift.holders);
  to.emit(
    { db, lock, kind: 'fair-lock', at, by, because: [wait?.lastAttemptSeq] },
    { type: 'waiter.dequeued', holder, reason: 'gave-up', ...(shift ? { shiftMs: shift.ms } : undefined) },
  );
  if (wait) to.waits.end(wait);
}

type Queued = { holder: string; position: number; because?: number; at: RedisTime; by?: string | undefined };

function tellQueued(to: Context, key: LockKey, { holder, position, because, at, by }: Queued): void {
  const deadline = queueOf(key).deadlineOf(holder);
  const certainty = because === undefined ? 'inferred' : 'observed';
  to.emit(
    { db: key.db, lock: key.name, kind: 'fair-lock', at, by, certainty, because: [because] },
    { type: 'waiter.queued', holder, position, deadline: deadline == null ? null : timeOf(deadline) },
  );
}

/** What a read found in the queue: who is there and was not, who was and is not, and whose deadline is another. */
export function applyFoundQueue(to: Context, key: LockKey, found: Companions, at: RedisTime): void {
  const now = queueFrom(found);
  const isWhole = now.size < MOST_READ;
  if (now.size === 0 && !key.mirrors?.queue) return;
  const queue = queueOf(key);
  const about = { db: key.db, lock: key.name, kind: 'fair-lock', at, certainty: 'inferred' } as const;
  for (const [holder] of isWhole ? [...queue.entries()] : []) {
    if (now.has(holder)) continue;
    queue.remove(holder);
    // Whoever holds the lock now left by acquiring it.
    if (!key.holders.has(holder)) to.emit(about, { type: 'waiter.dequeued', holder, reason: 'left' });
  }
  const old = [...queue.entries()];
  if (isWhole) queue.clear();
  let position = 0;
  for (const [holder, deadline] of now) {
    const [oldHolder, oldDeadline] = old[position] ?? [];
    queue.push(holder, deadline);
    position++;
    const isNews = oldHolder !== holder || !isSameDeadline(oldDeadline, deadline);
    if (isNews) tellQueued(to, key, { holder, position, at });
  }
}

function isSameDeadline(before: Millis | null | undefined, now: Millis | null): boolean {
  if (before == null || now === null) return before === now;
  return Math.abs(before - now) <= SAME_DEADLINE;
}

/** Who stands in the queue as Redis holds it: the order is the list's, the deadlines are the set's. */
function queueFrom({ queue = [], timeouts = [] }: Companions): Map<string, Millis | null> {
  const deadlines = new Map<string, Millis>();
  for (let n = 0; n + 1 < timeouts.length; n += 2) deadlines.set(timeouts[n] ?? '', Number(timeouts[n + 1]));
  const waiters = queue.filter(isHolder);
  return new Map(waiters.map((holder) => [holder, deadlines.get(holder) ?? null]));
}

/** The queue as it is believed to be, in the form of a read. */
export function believedQueue({ mirrors }: LockKey): Companions | undefined {
  const entries = [...(mirrors?.queue?.entries() ?? [])];
  if (entries.length === 0) return undefined;
  const timeouts = entries.flatMap(([holder, deadline]) => (deadline === null ? [] : [holder, String(deadline)]));
  return { queue: entries.map(([holder]) => holder), timeouts };
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
  for (const [holder] of [...queue.entries()]) {
    if (role === 'timeouts') queue.push(holder, null);
    else {
      queue.remove(holder);
      to.emit(
        { db: key.db, lock: key.name, kind: key.kind, at, by },
        { type: 'waiter.dequeued', holder, reason: 'deleted', command },
      );
    }
  }
}

function queueOf(key: LockKey): FairQueue {
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
