import { assertNever } from '../base/assert-never.ts';
import { millisBetween, type RedisTime } from '../base/time.ts';
import type { Action } from './action.ts';
import { causeOfAttempt, isSameWait, isSecondAttempt } from './cause-of-attempt.ts';
import type { About, Interpreter } from './interpreter.ts';
import type { LockKey } from './lock-keys.ts';
import { clientOf, lockChannel, lockOfChannel } from './names.ts';
import type { Wait } from './waiting-room.ts';

type WaitAction = Extract<
  Action,
  { do: 'refuse' | 'subscribe' | 'unsubscribe' | 'unsubscribe-all' | 'name-connection' }
>;

/** Follows who waits: refused attempts, subscriptions, and those who stop. */
export function applyWaitAction(to: Interpreter, action: WaitAction, db: number, by: string | undefined): void {
  switch (action.do) {
    case 'refuse':
      return refuse(to, action, db, by);
    case 'subscribe':
      for (const channel of action.channels) subscribe(to, channel, db, by, action.at);
      return;
    case 'unsubscribe':
      for (const channel of action.channels) unsubscribe(to, channel, db, by, action.at);
      return;
    case 'unsubscribe-all':
      for (const channel of by === undefined ? [] : to.waits.channelsOf(by))
        unsubscribe(to, channel, db, by, action.at);
      return;
    case 'name-connection':
      if (by !== undefined) to.clients.name(by, action.name, action.at);
      return;
    default:
      return assertNever(action);
  }
}

function refuse(to: Interpreter, action: Extract<Action, { do: 'refuse' }>, db: number, by: string | undefined): void {
  const { lock, holder, at } = action;
  const key = to.keys.take(db, lock, action.kind, to.stretch);
  const { channel } = key;
  const about: About = { db, lock, kind: key.kind, at, by };
  let wait = to.waits.find(db, lock, holder);
  const cause = wait ? causeOfAttempt(to, key, wait, at) : undefined;
  const isListening = to.waits.isListening(channel, clientOf(holder));
  if (wait?.isAsleep && cause?.wokenBy === undefined && !isSameWait(wait, at)) {
    // Neither a message nor its timer: the sleep ended without a trace, and this is a new wait.
    giveUp(to, wait, at);
    wait = undefined;
  }
  if (wait && !wait.isAsleep && !cause?.wokenBy && !isSecondAttempt(wait, at, isListening)) {
    to.waits.end(wait, channel); // a try without waiting, repeated
    wait = undefined;
  }
  const current = wait ?? to.waits.begin(db, lock, holder, at);
  current.attempts++;
  current.lastAttemptAt = at;
  current.isPresumedGone = false;
  current.toldMs = toldMs(key, action.toldAt);
  // Somebody listens since before we watched: who is refused now is taken for the one, since nobody else explains it.
  const isKnownAsleep = current.attempts > 1 || to.waits.hasUnseen(channel);
  current.isAsleep = action.reason === 'held' && isListening && isKnownAsleep;
  const [first] = key.holders.values();
  current.lastAttemptSeq = to.emit(
    { ...about, because: [cause?.seq, first?.acquiredSeq] },
    {
      type: 'lock.refused',
      holder,
      mode: action.mode,
      ttlMs: current.toldMs,
      attempt: current.attempts,
      asleep: current.isAsleep,
      reason: action.reason,
      ...(cause?.wokenBy ? { wokenBy: cause.wokenBy } : {}),
    },
  );
  if (action.reason === 'error') to.waits.end(current, channel); // the caller got an exception: it does not wait
}

/** The TTL Redis read for the caller, from the lease we saw; null when that is not known. */
function toldMs(key: LockKey, toldAt: RedisTime | null): number | null {
  if (toldAt === null || key.expiresAt === undefined) return null;
  return key.expiresAt === null ? -1 : Math.max(0, Math.round(millisBetween(toldAt, key.expiresAt)));
}

function subscribe(to: Interpreter, channel: string, db: number, by: string | undefined, at: RedisTime): void {
  const target = lockOfChannel(channel);
  if (!target || by === undefined) return;
  const lockDb = dbOfWaits(to, target.name, db);
  const { client, wait } = to.waits.subscribe(lockDb, target.name, channel, by, at);
  const holder = wait?.holder ?? target.waiter;
  to.emit(aboutLock(to, target.name, lockDb, at, by), {
    type: 'waiter.subscribed',
    channel,
    subscribers: listenersNow(to, target.name, lockDb, channel),
    ...(holder === undefined ? {} : { holder }),
    ...(client === undefined ? {} : { client }),
  });
}

function unsubscribe(to: Interpreter, channel: string, db: number, by: string | undefined, at: RedisTime): void {
  const target = lockOfChannel(channel);
  if (!target || by === undefined) return;
  const lockDb = dbOfWaits(to, target.name, db);
  const { client, ended, left } = to.waits.unsubscribe(lockDb, target.name, channel, by);
  for (const wait of left) giveUp(to, wait, at);
  const holder = ended ?? target.waiter;
  to.emit(aboutLock(to, target.name, lockDb, at, by), {
    type: 'waiter.unsubscribed',
    channel,
    subscribers: listenersNow(to, target.name, lockDb, channel),
    ...(holder === undefined ? {} : { holder }),
    ...(client === undefined ? {} : { client }),
  });
}

/** How many listen now, noted as told. */
function listenersNow(to: Interpreter, lock: string, db: number, channel: string): number {
  const count = to.waits.listeners(channel);
  const key = to.keys.find(db, lock);
  if (key) key.listeners = count;
  return count;
}

function giveUp(to: Interpreter, wait: Wait, at: RedisTime): void {
  to.emit(
    { ...aboutLock(to, wait.lock, wait.db, at, undefined), certainty: 'inferred', because: [wait.lastAttemptSeq] },
    { type: 'waiter.dequeued', holder: wait.holder, reason: 'gave-up' },
  );
  to.waits.end(wait, lockChannel(wait.lock));
}

/** Channels know no database: the lock's is the one in which it is held or waited for. */
function dbOfWaits(to: Interpreter, lock: string, db: number): number {
  if (to.keys.find(db, lock)) return db;
  for (let other = 0; other < 16; other++) if (to.keys.find(other, lock)) return other;
  return db;
}

function aboutLock(to: Interpreter, lock: string, db: number, at: RedisTime, by: string | undefined): About {
  return { db, lock, kind: to.keys.find(db, lock)?.kind ?? 'lock', at, by };
}
