import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../../base/time.ts';

/** One waiter, from its first refusal until it acquires or gives up. */
export type Wait = {
  readonly db: number;
  readonly lock: string;
  readonly holder: string;
  /** The channel of the message that ends the waiter's sleep. */
  channel: string;
  /** No other waiter listens on the channel: this is a waiter of a fair lock. */
  readonly hasOwnChannel: boolean;
  /** When the first refusal was seen. */
  readonly since: RedisTime;
  /** The number of refusals that were seen. */
  attempts: number;
  /** Fair lock: `seq` of the first refusal; -1: none, or the lock has another kind. */
  firstSeq: number;
  /** The newest message on the waiter's own channel. */
  ownMessage: { readonly seq: number; readonly at: RedisTime } | undefined;
  lastAttemptAt: RedisTime;
  lastAttemptSeq: number;
  /**
   * The TTL in the reply to the last attempt; null: not known. Below 0 no timer is set: only a message wakes the
   * waiter.
   */
  reportedMs: Millis | null;
  /**
   * The thread sleeps until a message or its own timer, as far as is known. Usually it was refused twice, and its
   * client listens.
   */
  isAsleep: boolean;
  isPresumedGone: boolean;
  /** The waiter is presumed gone only because its attempts were not seen. */
  isUnseen?: boolean;
  /** The first attempt after attempts were not seen for a while: it may be the first one of another call. */
  seenAgainAt?: RedisTime;
  /** The wait began, or may have begun, before the first attempt that was seen. */
  beganUnseen?: boolean;
  /** The waiter polls, and was reported as older than the first attempt that was seen. */
  isOlder?: boolean;
  /**
   * The time since which attempts were seen without a blind spot when the wait began. A later blind spot does
   * not change it, because the attempts in it came after the first one.
   */
  seenFrom?: RedisTime;
  /** The thread attempted another lock, or unlocked any, since it fell asleep or its client subscribed for it. */
  hasActed?: boolean;
  /** Messages published on the channel before the waiter first fell asleep, and how many later ones have woken it. */
  heard?: { readonly before: number; used: number };
  /** The repeated attempts so far, while the waiter's client does not listen. */
  backOff?: BackOff;
  /** The waiter polls: it repeats its attempts and never sleeps. */
  isPolling?: boolean;
  /** A waiter of a lock with a token has given up if it is silent for longer than this. Absent: other kinds of lock. */
  asksAgainWithin?: Millis;
  /** The time between the first two attempts, if the waiter polls with pauses that do not get shorter. */
  firstPauseMs?: Millis;
  /** The longest time between two attempts, of a waiter of a lock with a token. */
  longestPauseMs?: Millis;
  /** When the waiter's client subscribed for it; undefined: the client was already subscribed, or is not. */
  joinedAt: RedisTime | undefined;
  /** The waiter was assumed asleep, but attempted again without a wake-up. */
  hasComeBack?: boolean;
  /**
   * The waiter was asleep before its newest attempt, and it is not known until when: that attempt may be the first one
   * of another call.
   */
  mayBeNew?: boolean;
  /** This is assumed to be the wait for which its client subscribed. */
  isListener?: boolean;
};

/** The pauses of a poll so far: frequent attempts of one thread whose client does not listen. */
export type BackOff = {
  readonly since: RedisTime;
  readonly attempts: number;
  readonly firstPauseMs: number;
  readonly pauseMs: number;
  /** How many pauses in a row were about twice as long as the previous pause. */
  readonly doublings: number;
  /** How many pauses in a row were the longest of a spin lock. */
  readonly longest: number;
};

/** One pause of a poll may be longer than another by this factor: pauses are random, and machines are busy. */
const PAUSES_DIFFER = 1.5;

/**
 * Notes whether a poll may have begun before its first attempt that was seen: attempts were seen for less than one of
 * its pauses before that. Returns true once.
 *
 *   seen           ├─────────────
 *   attempts   ×     ×     ×     ×
 */
export function noteOlder(wait: Wait, pauseMs: Millis, seenFrom: RedisTime | undefined): boolean {
  if (wait.isOlder || seenFrom === undefined) return false;
  wait.seenFrom ??= seenFrom;
  wait.isOlder = pauseMs > 0 && millisBetween(wait.seenFrom, wait.since) <= PAUSES_DIFFER * pauseMs;
  return wait.isOlder;
}

/** A new caller attempts, subscribes, and attempts again within this time. */
export const SECOND_ATTEMPT: Millis = 1000;

/**
 * Notes whether the wait may have begun before its first attempt that was seen. A thread that already sleeps after that
 * attempt seems to have waited before, until its second attempt shows a new caller.
 */
export function noteBeginning(wait: Wait, at: RedisTime, isOlder: boolean): void {
  if (isOlder || (wait.attempts === 1 && wait.isAsleep)) wait.beganUnseen = true;
  else if (wait.attempts === 2 && millisBetween(wait.since, at) < SECOND_ATTEMPT) wait.beganUnseen = false;
}

/**
 * The time since which a waiter certainly waits: its first attempt that was seen or, after a time without sight,
 * the first attempt after that time.
 */
export function surelySince({ since, seenAgainAt }: Wait): RedisTime {
  return seenAgainAt ?? since;
}

/**
 * A sleeper that is silent for this long after its own timer is presumed gone, and so is a poller after its last
 * attempt.
 */
export const SILENCE: Millis = 2000;
/** Like `SILENCE`, after a message. The time is longer, because a sleeper may miss a message and still be there. */
const SILENCE_AFTER_MESSAGE: Millis = 5000;
/** A timer may fire this many milliseconds before the TTL we computed, since Redis counts whole milliseconds. */
const EARLY: Millis = 5;

/** Whether the thread was refused once, has not attempted again, and is not known to sleep. */
export function isLone({ attempts, isAsleep }: Wait): boolean {
  return attempts === 1 && !isAsleep;
}

/** Whether the thread was refused once, and nothing shows that it waits. */
export function isSingleAttempt(wait: Wait): boolean {
  return isLone(wait) && !wait.isListener && !wait.hasOwnChannel;
}

/** Whether the sleeper's own timer can have caused an attempt at `at`. */
export function isTimerDue({ reportedMs, lastAttemptAt }: Wait, at: RedisTime): boolean {
  return reportedMs !== null && reportedMs >= 0 && at >= plusMillis(lastAttemptAt, reportedMs - EARLY);
}

/** The latest time at which a sleeper or poller should attempt again; undefined: not known. */
export function dueAt(
  wait: Wait,
  messageAt: RedisTime | undefined,
  mustHear: (hasTimer: boolean) => boolean,
): RedisTime | undefined {
  const { reportedMs } = wait;
  if (wait.isPolling) return plusMillis(wait.lastAttemptAt, SILENCE);
  const hasTimer = reportedMs !== null && reportedMs >= 0;
  const timer = hasTimer ? plusMillis(wait.lastAttemptAt, reportedMs + SILENCE) : undefined;
  if (messageAt !== undefined && messageAt > wait.lastAttemptAt && mustHear(hasTimer)) {
    const afterMessage = plusMillis(messageAt, SILENCE_AFTER_MESSAGE);
    return timer === undefined || afterMessage < timer ? afterMessage : timer;
  }
  return timer;
}
