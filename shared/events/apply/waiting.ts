import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { ActionOf } from '../action.ts';
import type { About, Context, Origin } from '../context.ts';
import type { DetailOf, Draft } from '../event.ts';
import { KINDS } from '../kinds/kinds.ts';
import { isLone, noteBeginning, noteOlder, type Wait } from '../mirror/clients/wait.ts';
import { channelOf, type LockKey } from '../mirror/lock-key.ts';
import { counterOfChannel } from '../names/counter-names.ts';
import { clientOf, isOfLockObject, lockOfChannel } from '../names/names.ts';
import type { RefusalReply } from '../types/lease.ts';
import type { Appliers } from './appliers.ts';
import { causeOfAttempt, isNextPoll, isSameWait, isSecondAttempt, mayBeSecondAttempt } from './cause-of-attempt.ts';
import { listen, stopListening } from './counters/counter-waits.ts';
import { backOffUntil, beginSpin, hasSpunLong, isAssumedPoll, isSpinning, kindOfAttempt } from './kinds/spin-kind.ts';
import { noteOtherType } from './proof.ts';
import { getOrCreateLock, keyOf, noteHomeMade, noteOldChannel } from './reads/known-key.ts';

/**
 * Actions of waiters: refused attempts, and the start and end of subscriptions. Also what commands show of their
 * connection or client: its name, and its versions.
 */
export const WAITING: Appliers<
  'refuse' | 'subscribe' | 'unsubscribe' | 'unsubscribe-all' | 'name-connection' | 'date-client'
> = {
  refuse: (to, action, from) => refuse(to, action, from),
  subscribe(to, { channels, at }, from) {
    for (const channel of channels) subscribe(to, channel, from, at);
  },
  unsubscribe(to, { channels, at }, from) {
    for (const channel of channels) unsubscribe(to, channel, from, at);
  },
  'unsubscribe-all'(to, { at }, from) {
    for (const channel of from.by === undefined ? [] : to.waits.listeners.channelsOf(from.by))
      unsubscribe(to, channel, from, at);
  },
  'name-connection'(to, { name, at }, { by }) {
    if (by !== undefined) to.clients.connections.name(by, name, at, at);
  },
  'date-client'(to, { client, versions, at }, { by }) {
    if (client !== undefined) to.clients.narrowVersion(client, versions);
    else if (by !== undefined) to.clients.narrowVersionOfConnection(by, versions, at);
  },
};

/** Reports a refused attempt, and updates the wait of its caller. */
export function refuse(
  to: Context,
  action: ActionOf<'refuse'>,
  from: Origin,
  extra?: Pick<DetailOf<'lock.refused'>, 'wanted' | 'taken'>,
): void {
  const { db, by } = from;
  const { lock, holder, at } = action;
  const key = keyOf(to, db, lock, kindOfAttempt(to, action, from), at);
  const channel = channelOf(key);
  if (action.isHomeMade) noteHomeMade(key);
  const reason = action.isThere && key.mirrors?.isHomeMade ? 'held' : action.reason;
  if (action.isThere && reason === 'error' && key.holders.size === 0) noteOtherType(key, true);
  let wait = to.waits.find(db, lock, holder);
  let hasComeBack = wait?.hasComeBack;
  const cause = wait ? causeOfAttempt(to, key, wait, at) : undefined;
  const wokenBy = cause?.wokenBy;
  const isListening = to.waits.listeners.isListening(channel, clientOf(holder));
  const isWokenUnseen = wait?.isAsleep === true && wokenBy === undefined;
  let mayBeNew = wait !== undefined && mayBeSecondAttempt(wait, at, isListening);
  if (wait && isWokenUnseen && isSameWait(wait, at)) {
    if (wait.mayBeNew) wait = beginAtLast(to, wait);
  } else if (wait && isWokenUnseen && wait.reportedMs === null && isListening) {
    mayBeNew = true;
  } else if (wait && isWokenUnseen) {
    // Neither a message nor the waiter's own timer ended the sleep, so it ended without a trace. This is a new wait.
    giveUp(to, wait, at);
    wait = undefined;
    hasComeBack = true;
  }
  const backOff = wait && !isListening ? backOffUntil(wait, at) : undefined;
  const spun = backOff && isSpinning(key, backOff, from) ? backOff : undefined;
  if (wait && spun) wait = beginSpin(to, key, wait, spun, at);
  const isAssumed = wait !== undefined && !isListening && isAssumedPoll(key, wait, at, from);
  const isPoll = wait !== undefined && (isAssumed || isNextPoll(key, wait, at));
  if (wait && isPoll) wait.firstPauseMs ??= millisBetween(wait.lastAttemptAt, at);
  const isNext = isPoll || mayBeNew || (wait !== undefined && isSecondAttempt(wait, at, isListening));
  if (wait && !wait.isAsleep && !wokenBy && !isNext) {
    to.waits.end(wait); // a `tryLock()` without a wait, called again
    wait = undefined;
  }
  const current = wait ?? to.waits.begin(db, lock, holder, at, channel);
  if (backOff) current.backOff = backOff;
  if (hasComeBack) current.hasComeBack = true;
  current.mayBeNew = mayBeNew;
  if (isPoll) current.isPolling = true;
  // A connection has listened since before watching began. The thread refused now is assumed to be that listener.
  const isKnownAsleep = current.attempts > 0 || to.waits.listeners.hasUnseen(channel);
  // The client listens, although its subscription could not be counted.
  const isWoken = wokenBy === 'own-timer' && key.listeners === undefined;
  const isOlder = isWoken && !isListening && current.attempts === 1;
  const isAsleep = reason === 'held' && (isListening || isWoken) && isKnownAsleep;
  noteRefusal(current, at, reportedMs(key, action.reported), isAsleep);
  if (current.isAsleep) current.heard ??= { before: to.waits.listeners.sentOn(channel), used: 0 };
  const [first] = key.holders.values();
  const detail: Draft<DetailOf<'lock.refused'>> = {
    type: 'lock.refused',
    holder,
    mode: action.mode,
    ttlMs: current.reportedMs,
    attempt: current.attempts,
    asleep: current.isAsleep,
    reason,
  };
  if (wokenBy) detail.wokenBy = wokenBy;
  if (cause?.lateMs !== undefined) detail.lateMs = cause.lateMs;
  const isOldPoll = noteOlder(current, current.firstPauseMs ?? 0, to.watchedFrom) || (spun && hasSpunLong(spun));
  if (isOlder || isOldPoll || current.isUnseen) detail.isOlder = true;
  noteBeginning(current, at, detail.isOlder === true);
  if (current.isUnseen) current.seenAgainAt = at;
  current.isUnseen = false;
  if (KINDS[key.kind].hasQueue) detail.clockUnseen = true; // a plain lock's script: fair locks have another applier
  if (action.heldFor) detail.heldFor = action.heldFor;
  if (extra) Object.assign(detail, extra);
  const because = [cause?.seq, first?.acquiredSeq];
  current.lastAttemptSeq = to.emit({ db, lock, kind: key.kind, at, by, because }, detail);
  if (reason !== 'held') to.waits.end(current); // the caller got an exception and does not wait
}

/**
 * Ends a sleeper's wait at its newest attempt, which was the first one of another call: the second attempt of that call
 * followed at once. Returns the wait of that call.
 */
function beginAtLast(to: Context, wait: Wait): Wait {
  const { db, lock, holder, lastAttemptAt, lastAttemptSeq, channel } = wait;
  giveUp(to, wait, lastAttemptAt);
  const next = to.waits.begin(db, lock, holder, lastAttemptAt, channel);
  return Object.assign(next, { attempts: 1, lastAttemptSeq });
}

/** Records another refused attempt of a wait. */
export function noteRefusal(wait: Wait, at: RedisTime, reported: number | null, isAsleep: boolean): void {
  wait.attempts++;
  wait.lastAttemptAt = at;
  wait.isPresumedGone = false;
  wait.reportedMs = reported;
  wait.isAsleep = isAsleep;
  wait.hasActed = false;
}

/**
 * The wait time that Redis returned to the caller, in ms: the one that the script shows, otherwise the TTL, computed
 * from the lease. -1 for no end, `null` if the time is not known.
 */
function reportedMs(key: LockKey, reported: RefusalReply): number | null {
  if (reported?.by === 'deadline') return reported.ms;
  if (!reported || key.expiresAt === undefined) return null;
  return key.expiresAt === null ? -1 : Math.max(0, Math.round(millisBetween(reported.at, key.expiresAt)));
}

function subscribe(to: Context, channel: string, { db, by }: Origin, at: RedisTime): void {
  const target = lockOfChannel(channel);
  if (!target || by === undefined) return;
  const counter = counterOfChannel(channel);
  if (counter) return listen(to, { channel, ...counter }, { db, by }, at);
  const { waiter } = target;
  const about = aboutListener(to, channel, db, at, by);
  const { client, wait } = to.waits.subscriptions.begin(about.db, about.lock, channel, by, at, waiter);
  const holder = wait?.holder ?? waiter;
  const lateMs =
    wait && isLone(wait) ? to.waits.reactions.note(clientOf(wait.holder), wait.lastAttemptAt, at) : undefined;
  to.emit(about, {
    type: 'waiter.subscribed',
    channel,
    subscribers: listenersNow(to, about, channel),
    ...(holder === undefined ? undefined : { holder }),
    ...(client === undefined ? undefined : { client }),
    ...(lateMs === undefined ? undefined : { lateMs }),
  });
}

function unsubscribe(to: Context, channel: string, { db, by }: Origin, at: RedisTime): void {
  const target = lockOfChannel(channel);
  if (!target || by === undefined) return;
  const counter = counterOfChannel(channel);
  if (counter) return stopListening(to, { channel, ...counter }, { db, by }, at);
  const { waiter } = target;
  const about = aboutListener(to, channel, db, at, by);
  const { client, ended, left } = to.waits.subscriptions.end(about.db, about.lock, channel, by, waiter);
  for (const wait of left) if (!attemptsNext(to, wait, at)) giveUp(to, wait, at);
  const holder = waiter ?? ended; // the channel of a fair lock's waiter contains the waiter's id
  to.emit(about, {
    type: 'waiter.unsubscribed',
    channel,
    subscribers: listenersNow(to, about, channel),
    ...(holder === undefined ? undefined : { holder }),
    ...(client === undefined ? undefined : { client }),
  });
}

/** node-redisson unsubscribes at a message and then attempts; Redisson attempts first. */
function attemptsNext(to: Context, { db, lock, holder }: Wait, at: RedisTime): boolean {
  const messageAt = to.keys.find(db, lock)?.messageAt;
  return isOfLockObject(holder) && messageAt !== undefined && millisBetween(messageAt, at) < ATTEMPTS_WITHIN;
}

/** A client attempts within this time of a message: usually within a few milliseconds, later on a busy machine. */
const ATTEMPTS_WITHIN: Millis = 1000;

/**
 * Returns the number of listeners of a lock, and stores it as reported. Each waiter of a fair lock has its own channel.
 */
function listenersNow(to: Context, { lock, db }: About, channel: string): number {
  const key = to.keys.find(db, lock);
  const { listeners } = to.waits;
  const isOwn = key !== undefined && KINDS[key.kind].wakeUp === 'own-channel';
  const count = isOwn ? listeners.countOwn(lock) : listeners.count(channel);
  if (key) key.listeners = count;
  return count;
}

/**
 * Ends a wait whose sleep ended without a trace, and reports that. A waiter that is still in a fair lock's queue is
 * presumed gone, and its entry in the queue stays.
 */
export function giveUp(to: Context, wait: Wait, at: RedisTime): void {
  const key = to.keys.find(wait.db, wait.lock);
  const reason = key?.mirrors?.queue?.has(wait.holder) ? 'presumed-gone' : 'gave-up';
  to.emit(
    {
      db: wait.db,
      lock: wait.lock,
      kind: key?.kind ?? 'lock',
      at,
      certainty: 'inferred',
      because: [wait.lastAttemptSeq],
    },
    { type: 'waiter.dequeued', holder: wait.holder, reason },
  );
  to.waits.end(wait);
}

/** The lock of a subscription. A channel has no database, so the database is the one in which the lock was seen. */
function aboutListener(to: Context, channel: string, db: number, at: RedisTime, by: string): About {
  const { name, kind } = lockOfChannel(channel) ?? { name: channel, kind: 'lock' };
  const known = to.keys.about(db, name);
  const lock = known?.name ?? name;
  // If the channel shows a kind, the lock is created. Only waiters of fair locks and read-write locks have such
  // channels.
  const key = kind === 'lock' ? known : getOrCreateLock(to, known?.db ?? db, lock, kind, at);
  noteOldChannel(to, key, channel);
  return { db: key?.db ?? db, lock, kind: key?.kind ?? 'lock', at, by };
}
