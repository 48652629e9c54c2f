import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import type { LockKey } from '../mirror/lock-keys.ts';
import { isTimerDue, SILENCE, type Wait } from '../mirror/wait.ts';
import { clientOf } from '../names/names.ts';

/** A second attempt follows the first one at once, on a busy machine after a moment; later it is another call's first. */
const SOON: Millis = 500;
/** The same for who asked again without a reason when we thought it asleep: it may be one that tries and tries. */
const AT_ONCE: Millis = 100;
/** Whose client began to listen asks again when it hears that it does, which takes longer on a busy machine. */
const AS_SOON_AS_IT_LISTENS: Millis = 2000;
/** Two attempts this close are one call's: nobody gives up and comes back as fast. */
const BACK_TO_BACK: Millis = 25;

/** Between the first two attempts of a poll lies no more than this, on a machine that is not too busy. */
const LONGEST_PAUSE: Millis = 400;

/** Why a waiter asks again. No `wokenBy`: no sleep ended with it, as far as can be told. */
export type Cause = {
  readonly seq?: number;
  /** What else had to happen before: the eviction of who stood before it in a queue. */
  readonly freedBy?: number;
  readonly wokenBy?: 'message' | 'own-timer';
};

/**
 * What ended a sleep before an attempt: a message to its client, or its own timer. `seq` is what freed the lock.
 *
 *   refused · asleep ………………… wake-up ─► attempt       message: a permit of the client is used up
 *   refused, told 300 ms · asleep …… 300 ─► attempt       own timer: the lease end it was told
 *
 * One message wakes one sleeper of each client, so the next sleeper of that client needs another, or its timer. A
 * loss reaches nobody: who comes after one came by a timer, the limit of its own patience included.
 */
export function causeOfAttempt(to: Context, key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  if (key.kind === 'spin-lock') return causeOfPoll(key, wait);
  if (wait.hasOwnChannel) return causeOfQueuedAttempt(key, wait, at);
  if (!wait.isAsleep) return causeOfPromptAttempt(to, key, wait, at);
  const since = wait.lastAttemptSeq;
  const loss = Math.max(key.lastExpiry, key.lastLoss);
  const hasMessage = key.lastMessage > since;
  const isTimer = isTimerDue(wait, at) || loss > since;
  const hasMissed = hasMissedMessage(key, wait, at);
  const [channel, client] = [wait.channel, clientOf(wait.holder)];
  const hasPermit = to.waits.listeners.hasMessage(channel, client);
  const isMessage = hasMissed
    ? false
    : isTimer
      ? hasPermit && hasMessage && key.lastMessage > loss
      : hasMessage || hasPermit;
  if (isMessage) {
    to.waits.listeners.useMessage(channel, client);
    if (wait.heard) wait.heard.used++;
    return { seq: key.lastMessage, wokenBy: 'message' };
  }
  // Whom we took for woken had only come to its second attempt: this one had the message.
  if (!isTimer && to.waits.listeners.takeBack(channel, client)) return { seq: key.lastMessage, wokenBy: 'message' };
  if (!isTimer && hasUncounted(to, wait)) return { seq: key.lastMessage, wokenBy: 'message' };
  if (!isTimer) return {};
  const freed = Math.max(loss, key.lastMessage, key.mirrors?.lastUnannouncedRelease ?? -1);
  return { ...(freed > since ? { seq: freed } : {}), wokenBy: 'own-timer' };
}

/** A timer fires within this time of its end, on a busy machine as well. */
const PUNCTUAL: Millis = 100;
/** A client that has a message asks at once. */
const LATEST_ANSWER: Millis = 1000;

/**
 * Whether a sleeper did not hear the newest message: it asks when its timer ends, long after the message.
 *
 *   asleep ……… message ……… 8 s ……… timer ends ─► attempt       its connection was lost when the message was sent
 */
function hasMissedMessage({ messageAt }: LockKey, wait: Wait, at: RedisTime): boolean {
  const isOnTime = isTimerDue(wait, at) && !isTimerDue(wait, plusMillis(at, -PUNCTUAL));
  return isOnTime && messageAt !== undefined && at > plusMillis(messageAt, LATEST_ANSWER);
}

/**
 * Uses a message that went out since it fell asleep, where nobody counts its client's: a client that is slow to wake
 * has a permit for each, and asks once for each.
 */
function hasUncounted({ waits }: Context, { channel, holder, heard }: Wait): boolean {
  if (!heard || !waits.listeners.isUncounted(channel, clientOf(holder))) return false;
  return waits.listeners.sentOn(channel) - heard.before > heard.used++;
}

/**
 * The same for one who was refused, as we think, only once, and so does not sleep: whoever is there as soon as the
 * lock is free, and has not just been refused, slept all the same. But not who made its client listen: that one is at
 * its second attempt, however long the subscription took.
 */
function causeOfPromptAttempt(to: Context, key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  const [channel, client] = [wait.channel, clientOf(wait.holder)];
  if (!to.waits.listeners.isListening(channel, client)) return undefined;
  const since = wait.lastAttemptSeq;
  const hasJoined = wait.joinedAt !== undefined && wait.joinedAt > wait.lastAttemptAt;
  const hasSlept = !hasJoined && at > plusMillis(wait.lastAttemptAt, BACK_TO_BACK);
  const messageAt = key.messageAt ?? 0;
  if (key.lastMessage > since && at <= messageAt + BACK_TO_BACK * 1000) {
    if (!hasSlept) return { seq: key.lastMessage };
    to.waits.listeners.useMessage(channel, client, true);
    return { seq: key.lastMessage, wokenBy: 'message' };
  }
  const loss = Math.max(key.lastExpiry, key.lastLoss);
  const isTimer = isTimerDue(wait, at) && !isTimerDue(wait, plusMillis(at, -BACK_TO_BACK));
  if (!isTimer) return undefined;
  return { ...(loss > since ? { seq: loss } : {}), ...(hasSlept ? { wokenBy: 'own-timer' as const } : {}) };
}

/**
 * The same for who stands in a fair lock's queue and is told on a channel of its own: no other's message can wake it.
 * What freed the lock may lie long back, while a dead head stood in the way.
 */
function causeOfQueuedAttempt(key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  const { ownMessage, lastAttemptSeq } = wait;
  const isFirstSleep = wait.attempts < 2 && at <= plusMillis(wait.lastAttemptAt, BACK_TO_BACK);
  const eviction = key.mirrors?.queue?.lastEviction ?? -1;
  const freedBy = eviction > lastAttemptSeq ? { freedBy: eviction } : undefined;
  if (ownMessage && ownMessage.seq > lastAttemptSeq) {
    return { seq: ownMessage.seq, ...freedBy, ...(isFirstSleep ? undefined : { wokenBy: 'message' }) };
  }
  const freed = Math.max(key.lastExpiry, key.lastLoss, key.lastMessage);
  const seq = freed > wait.firstSeq ? { seq: freed } : undefined;
  const isTimer = wait.isAsleep && (isTimerDue(wait, at) || freed > lastAttemptSeq);
  return { ...seq, ...freedBy, ...(isTimer ? { wokenBy: 'own-timer' } : undefined) };
}

/** Who polls is woken by nothing: it names what freed the lock since it asked last. */
function causeOfPoll(key: LockKey, wait: Wait): Cause {
  const freed = Math.max(key.lastExpiry, key.lastLoss, key.mirrors?.lastUnannouncedRelease ?? -1);
  return freed > wait.lastAttemptSeq ? { seq: freed } : {};
}

/**
 * Whether an attempt is the next of a poll: a spin lock asks again after 128 ms at most, and a little by chance. Who is known
 * to poll may be kept from it for longer by a busy machine, and is there until it is presumed gone.
 */
export function isNextPoll(key: LockKey, wait: Wait, at: RedisTime): boolean {
  return key.kind === 'spin-lock' && at <= plusMillis(wait.lastAttemptAt, wait.isPolling ? SILENCE : LONGEST_PAUSE);
}

/**
 * Whether a sleeper that asks again without any reason is still in the same wait: a message we know nothing of woke it,
 * or it is only now at its second attempt, and what looked like its first was a `tryLock()` before. Who gives up and
 * calls again is not as fast.
 */
export function isSameWait(wait: Wait, at: RedisTime): boolean {
  return at <= plusMillis(wait.lastAttemptAt, BACK_TO_BACK);
}

/** Whether an attempt belongs to the same call as the refusal before it, which put nobody to sleep. */
export function isSecondAttempt(wait: Wait, at: RedisTime, isListening: boolean): boolean {
  const { lastAttemptAt, joinedAt } = wait;
  if (!isListening) return false;
  if (joinedAt !== undefined && joinedAt > lastAttemptAt) return at <= plusMillis(joinedAt, AS_SOON_AS_IT_LISTENS);
  return at <= plusMillis(lastAttemptAt, wait.hasComeBack ? AT_ONCE : SOON);
}
