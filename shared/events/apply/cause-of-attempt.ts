import { type Millis, plusMillis, type RedisTime, redisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import { KINDS } from '../kinds/kinds.ts';
import { isLone, isTimerDue, SILENCE, type Wait } from '../mirror/clients/wait.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import { clientOf } from '../names/names.ts';

/**
 * If no SUBSCRIBE comes between them, the second attempt of a call follows the first within this time, also on a busy
 * machine. A later attempt is the first one of another call.
 */
const SECOND_ATTEMPT_WITHIN: Millis = 500;
/**
 * Like `SECOND_ATTEMPT_WITHIN`, for a waiter that once attempted without a wake-up while it was assumed asleep. Its
 * thread may call `tryLock()` in a loop.
 */
const AT_ONCE: Millis = 100;
/**
 * A client attempts again within this time of its SUBSCRIBE. Before that, it waits until Redis confirms the
 * subscription, which takes longer on a busy machine.
 */
const AS_SOON_AS_IT_LISTENS: Millis = 2000;
/**
 * Two attempts this close belong to one call: no thread gives up and calls again this fast. An attempt this soon after
 * a message, or after the end of a timer, is its effect.
 */
const BACK_TO_BACK: Millis = 25;

/** The longest pause between the first two attempts of a poll, unless the machine is very busy. */
const LONGEST_PAUSE: Millis = 400;

/** Why a waiter attempts again. Without `wokenBy`, no sleep is known to have ended with this attempt. */
type Cause = {
  /** `seq` of the message that woke the waiter, or of the newest event that freed the lock; absent: not known. */
  readonly seq?: number;
  /** `seq` of the newest eviction from the queue since the waiter's last attempt: it had to happen first as well. */
  readonly freedBy?: number;
  readonly wokenBy?: 'message' | 'own-timer';
  /** How long after its cause the attempt was made, if the client was late. */
  readonly lateMs?: Millis;
};

/**
 * Returns what ended the sleep before an attempt: a message to the client, or the waiter's own timer. Undefined: the
 * waiter was not asleep, and no event is known to have caused the attempt.
 *
 *   refused · asleep ………………… wake-up ─► attempt       message: one message of the client is used up
 *   refused, TTL 300 ms · asleep …… 300 ─► attempt        own timer: the lease end that the script returned
 *
 * One message wakes one sleeper of each client, unless it is the message to all sleepers (`KINDS`). The next sleeper of
 * that client needs another message, or its timer. A loss sends no message, so an attempt after a loss was started by a
 * timer: the TTL, or the limit of the call's wait.
 */
export function causeOfAttempt(to: Context, key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  const cause = findCause(to, key, wait, at);
  if (wait.isAsleep && cause?.wokenBy) to.waits.blocking.woke(wait, cause.wokenBy, at);
  const from = readyAt(key, wait, cause, at);
  const lateMs = from && to.waits.reactions.note(clientOf(wait.holder), from, at);
  return lateMs === undefined ? cause : { ...cause, lateMs };
}

/** The earliest time at which the client could make this attempt. Undefined: not known. */
function readyAt(key: LockKey, wait: Wait, cause: Cause | undefined, at: RedisTime): RedisTime | undefined {
  const { lastAttemptAt, reportedMs, joinedAt } = wait;
  if (wait.isAsleep && cause?.wokenBy === 'message') {
    const messageAt = wait.hasOwnChannel ? wait.ownMessage?.at : key.messageAt;
    return messageAt !== undefined && messageAt > lastAttemptAt ? messageAt : undefined;
  }
  if (wait.isAsleep && cause?.wokenBy === 'own-timer') {
    return isTimerDue(wait, at) ? redisTime(Math.min(at, plusMillis(lastAttemptAt, reportedMs ?? 0))) : undefined;
  }
  const isSecond = joinedAt !== undefined && joinedAt > lastAttemptAt && isSecondAttempt(wait, at, true);
  return isLone(wait) && isSecond ? joinedAt : undefined;
}

function findCause(to: Context, key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  if (KINDS[key.kind].backsOff) return causeOfPoll(key, wait);
  if (wait.hasOwnChannel) return causeOfQueuedAttempt(key, wait, at);
  if (!wait.isAsleep) return causeOfPromptAttempt(to, key, wait, at);
  const since = wait.lastAttemptSeq;
  const loss = Math.max(key.lastExpiry, key.lastLoss);
  const hasMessage = key.lastMessage > since;
  const isTimer = isTimerDue(wait, at) || loss > since;
  const hasMissed = hasMissedMessage(key, wait, at);
  const [channel, client] = [wait.channel, clientOf(wait.holder)];
  const hasUnused = to.waits.listeners.hasMessage(channel, client);
  const isMessage = hasMissed
    ? false
    : isTimer
      ? hasUnused && hasMessage && key.lastMessage > loss
      : hasMessage || hasUnused;
  if (isMessage) {
    // If a timer may have woken the waiter as well, it is a guess that the message did.
    to.waits.listeners.useMessage(channel, client, isTimer);
    if (wait.heard) wait.heard.used++;
    return { seq: key.lastMessage, wokenBy: 'message' };
  }
  // By a guess, the message was counted as the wake-up of another waiter. But that waiter made only its second attempt,
  // or its timer had just woken it. So the message woke this waiter.
  const isAnswer = key.messageAt !== undefined && at <= plusMillis(key.messageAt, LATEST_ANSWER);
  if (!isTimer && isAnswer && !isSameWait(wait, at) && to.waits.listeners.takeGuessBack(channel, client)) {
    return { seq: key.lastMessage, wokenBy: 'message' };
  }
  if (!isTimer && useUncountedMessage(to, wait)) return { seq: key.lastMessage, wokenBy: 'message' };
  if (!isTimer) return {};
  const freed = Math.max(loss, key.lastMessage, key.mirrors?.lastUnannouncedRelease ?? -1);
  return { wokenBy: 'own-timer', ...seqAfter(since, freed) };
}

/** A timer fires at most this late, also on a busy machine. */
const LATEST_TIMER: Millis = 100;
/** A shorter timer may end by chance when a `tryLock()` loop makes its next attempt. */
const LEAST_SLEEP: Millis = 1000;
/** A client attempts within this time of a message. */
const LATEST_ANSWER: Millis = 1000;

/**
 * Whether a sleeper missed the newest message: it attempts when its timer ends, long after the message.
 *
 *   asleep ……… message ……… 8 s ……… timer ends ─► attempt       its connection was lost when the message was sent
 */
function hasMissedMessage({ messageAt }: LockKey, wait: Wait, at: RedisTime): boolean {
  const isOnTime = isTimerDue(wait, at) && !isTimerDue(wait, plusMillis(at, -LATEST_TIMER));
  return isOnTime && messageAt !== undefined && at > plusMillis(messageAt, LATEST_ANSWER);
}

/**
 * Uses one message published since the waiter first fell asleep, if the client's own messages cannot be counted. A
 * client that is slow to wake keeps each message, and attempts once for each.
 */
function useUncountedMessage({ waits }: Context, { channel, holder, heard }: Wait): boolean {
  if (!heard || !waits.listeners.isUncounted(channel, clientOf(holder))) return false;
  const isUnused = waits.listeners.sentOn(channel) - heard.before > heard.used;
  if (isUnused) heard.used++;
  return isUnused;
}

/**
 * What ended the sleep of a waiter that does not seem to be asleep, for example because it was refused only once.
 *
 * - If it attempts as soon as a message arrives or its timer ends, and was not refused just before, it was asleep after
 *   all.
 * - A thread whose client subscribed since its refusal was not asleep: this is its second attempt, however long the
 *   subscription took.
 */
function causeOfPromptAttempt(to: Context, key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  const [channel, client] = [wait.channel, clientOf(wait.holder)];
  if (!to.waits.listeners.isListening(channel, client)) {
    const mayListen = key.listeners === undefined && KINDS[key.kind].wakeUp === 'channel';
    return mayListen ? causeOfTimer(wait, at) : undefined;
  }
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
  return hasSlept ? { wokenBy: 'own-timer', ...seqAfter(since, loss) } : seqAfter(since, loss);
}

/**
 * Like `causeOfPromptAttempt`, if the lock's subscribers were never counted, for example because Lockscope's Redis user
 * may not count them. The client may have subscribed before watching began. If the timer of the last refusal was a
 * second or longer, and the attempt comes when that timer ends, the waiter slept.
 */
function causeOfTimer(wait: Wait, at: RedisTime): Cause | undefined {
  const isLong = (wait.reportedMs ?? 0) >= LEAST_SLEEP;
  const isTimer = isLong && isTimerDue(wait, at) && !isTimerDue(wait, plusMillis(at, -LATEST_TIMER));
  return isTimer ? { wokenBy: 'own-timer' } : undefined;
}

/**
 * What ended the sleep of a waiter in a fair lock's queue. The waiter has its own channel, so only a message on that
 * channel, or the waiter's timer, wakes it. The lock may have been freed long before, while a dead head blocked the
 * queue.
 */
function causeOfQueuedAttempt(key: LockKey, wait: Wait, at: RedisTime): Cause | undefined {
  const { ownMessage, lastAttemptSeq } = wait;
  const isBackToBack = wait.attempts < 2 && at <= plusMillis(wait.lastAttemptAt, BACK_TO_BACK);
  const eviction = key.mirrors?.queue?.lastEviction ?? -1;
  const freedBy = eviction > lastAttemptSeq ? { freedBy: eviction } : undefined;
  if (ownMessage && ownMessage.seq > lastAttemptSeq) {
    return { seq: ownMessage.seq, ...freedBy, ...(isBackToBack ? undefined : { wokenBy: 'message' }) };
  }
  const loss = Math.max(key.lastExpiry, key.lastLoss);
  const freed = Math.max(loss, key.lastMessage);
  // A message on another waiter's channel wakes only that waiter.
  const isTimer = wait.isAsleep && (isTimerDue(wait, at) || loss > lastAttemptSeq);
  const seq = seqAfter(wait.firstSeq, freed);
  return isTimer ? { wokenBy: 'own-timer', ...seq, ...freedBy } : { ...seq, ...freedBy };
}

/** Nothing wakes a polling waiter: the cause of its attempt is the event that freed the lock since its last attempt. */
function causeOfPoll(key: LockKey, wait: Wait): Cause {
  const freed = Math.max(key.lastExpiry, key.lastLoss, key.mirrors?.lastUnannouncedRelease ?? -1);
  return seqAfter(wait.lastAttemptSeq, freed);
}

/** The event `freed` as a cause, if it is newer than `since`. */
function seqAfter(since: number, freed: number): Cause {
  return freed > since ? { seq: freed } : {};
}

/**
 * Whether an attempt is the next one of a poll. A waiter of a spin lock retries after at most 128 ms plus a random
 * part. A busy machine may delay a known poll for longer, so the poll goes on until the waiter is presumed gone.
 */
export function isNextPoll(key: LockKey, wait: Wait, at: RedisTime): boolean {
  return (
    KINDS[key.kind].backsOff === true && at <= plusMillis(wait.lastAttemptAt, wait.isPolling ? SILENCE : LONGEST_PAUSE)
  );
}

/**
 * Whether a sleeper that attempts again without a reason is still in the same wait. Either a message that was not seen
 * woke it, or this is only its second attempt, and what looked like its first was an earlier `tryLock()`. A thread that
 * gives up and calls again is slower.
 */
export function isSameWait(wait: Wait, at: RedisTime): boolean {
  return at <= plusMillis(wait.lastAttemptAt, BACK_TO_BACK);
}

/** Whether an attempt belongs to the same call as the refusal before it, after which the thread did not sleep. */
export function isSecondAttempt(wait: Wait, at: RedisTime, isListening: boolean): boolean {
  const { lastAttemptAt, joinedAt } = wait;
  if (!isListening) return false;
  if (joinedAt !== undefined && joinedAt > lastAttemptAt) return at <= plusMillis(joinedAt, AS_SOON_AS_IT_LISTENS);
  return at <= plusMillis(lastAttemptAt, wait.hasComeBack ? AT_ONCE : SECOND_ATTEMPT_WITHIN);
}

/**
 * Whether an attempt that comes too late for `isSecondAttempt` may still be the second one of a call: the client
 * subscribed for this thread and still listens, and nothing has shown since that the thread went on. The attempt may
 * also be the first one of another call.
 */
export function mayBeSecondAttempt(wait: Wait, at: RedisTime, isListening: boolean): boolean {
  const hasJoined = wait.joinedAt !== undefined && wait.joinedAt > wait.lastAttemptAt;
  const mayWait = isLone(wait) && wait.isListener === true && !wait.hasActed;
  return isListening && hasJoined && mayWait && !isSecondAttempt(wait, at, isListening);
}
