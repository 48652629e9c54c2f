import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';

/** One holder-to-be, from its first refusal to its acquisition or until it stops asking. */
export type Wait = {
  readonly db: number;
  readonly lock: string;
  readonly holder: string;
  /** Where the message comes that ends its sleep. */
  channel: string;
  /** Nobody else listens there: it is a waiter of a fair lock. */
  readonly hasOwnChannel: boolean;
  readonly since: RedisTime;
  attempts: number;
  /** `seq` of its first refusal. */
  firstSeq: number;
  /** The newest message on its own channel. */
  ownMessage: { readonly seq: number; readonly at: RedisTime } | undefined;
  lastAttemptAt: RedisTime;
  lastAttemptSeq: number;
  /** The TTL it was told at its last attempt; null: not known. Below 0 its client sets no timer: a message alone wakes it. */
  toldMs: Millis | null;
  /** It asked twice and its client listens: now it sleeps until a message or its own timer. */
  isAsleep: boolean;
  isPresumedGone: boolean;
  /** How many messages had gone out on its channel when it fell asleep first, and how many of those since have woken it. */
  heard?: { readonly before: number; used: number };
  /** It has asked again and again so far, and its client does not listen. */
  backOff?: BackOff;
  /** It asks again and again, and never sleeps. */
  isPolling?: boolean;
  /** It polls: silent for longer than this, it has given up. Absent: nobody can say how often it asks. */
  asksAgainWithin?: Millis;
  /** When its client began to listen for it; undefined: it listened before, or does not. */
  joinedAt: RedisTime | undefined;
  /** Its holder was thought to be asleep, and asked again without a reason. */
  hasComeBack?: boolean;
  /** It was taken for the one that its client began to listen for. */
  isListener?: boolean;
};

/** The pauses of a poll so far: attempts of one thread, one soon after the other, that nobody listens for. */
export type BackOff = {
  readonly since: RedisTime;
  readonly attempts: number;
  readonly pauseMs: number;
  /** How many pauses in a row were about twice as long as the one before. */
  readonly doublings: number;
};

/** A sleeper that stays silent this long after its own timer is presumed gone, and so is who polled. */
export const SILENCE: Millis = 2000;
/** The same after a message: longer, since a message can be missed and the sleeper still be there. */
const SILENCE_AFTER_MESSAGE: Millis = 5000;
/** A timer may fire this much before the TTL we computed, since Redis counts whole milliseconds. */
const EARLY: Millis = 5;

/** Whether it was refused once and has not asked again. */
export function isLone({ attempts, isAsleep }: Wait): boolean {
  return attempts === 1 && !isAsleep;
}

/** Whether it was refused once, and nothing shows that anybody waits. */
export function isMereTry(wait: Wait): boolean {
  return isLone(wait) && !wait.isListener && !wait.hasOwnChannel;
}

/** Whether an attempt at `at` can be this sleeper's own timer. */
export function isTimerDue({ toldMs, lastAttemptAt }: Wait, at: RedisTime): boolean {
  return toldMs !== null && toldMs >= 0 && at >= plusMillis(lastAttemptAt, toldMs - EARLY);
}

/** When a sleeper or poller should have asked again at the latest; undefined: nobody can say. */
export function dueAt(
  wait: Wait,
  messageAt: RedisTime | undefined,
  mustHear: (hasTimer: boolean) => boolean,
): RedisTime | undefined {
  const { toldMs } = wait;
  if (wait.isPolling) return plusMillis(wait.lastAttemptAt, SILENCE);
  const hasTimer = toldMs !== null && toldMs >= 0;
  const timer = hasTimer ? plusMillis(wait.lastAttemptAt, toldMs + SILENCE) : undefined;
  if (messageAt !== undefined && messageAt > wait.lastAttemptAt && mustHear(hasTimer)) {
    const afterMessage = plusMillis(messageAt, SILENCE_AFTER_MESSAGE);
    return timer === undefined || afterMessage < timer ? afterMessage : timer;
  }
  return timer;
}
