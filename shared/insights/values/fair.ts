import type { RedisTime } from '../../base/time.ts';

/** The values in the sentences of each insight: the queue of a fair lock. Times are Redis time; null: none, or not known. */
export type FairValues = {
  /** The head of a queue is dead. */
  'fair-head-dead': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    readonly deadline: RedisTime | null;
    readonly dead: number;
    readonly waiting: number;
    readonly isFree: boolean;
  };
  /** A waiter that lives was evicted from the queue. */
  'fair-live-waiter-purged': {
    readonly holder: string;
    readonly at: RedisTime;
    /** Since when it waited then. */
    readonly since: RedisTime;
    readonly backAt: RedisTime | null;
    /** When its own timer ends. */
    readonly until: RedisTime | null;
    /** It set no timer: only a message wakes it. */
    readonly isWithoutLimit: boolean;
    readonly channel: string | null;
  };
  /** A client's clock is ahead of Redis's. */
  'fair-clock-skew': {
    /** A thread of the client; null: not known. */
    readonly holder: string | null;
    /** Its connection. */
    readonly by: string;
    readonly aheadSeconds: number;
    /** How many waiters it evicted before their deadline, and the last of them. */
    readonly evicted: number;
    readonly victim: string | null;
  };
  /** A waiter in the queue without a deadline: it is never evicted. */
  'fair-orphan-entry': {
    readonly holder: string;
    readonly position: number;
    readonly isFree: boolean;
    /** How many waiters are behind it. */
    readonly waiting: number;
    /** The list that contains it; null: its name is not plain text. */
    readonly queue: string | null;
  };
  /** A waiter asks without a pause, because the lock is free and the head of the queue does not take it. */
  'fair-hot-loop': {
    readonly holder: string;
    readonly perSecond: number;
    readonly attempts: number;
    readonly head: string | null;
    readonly deadline: RedisTime | null;
    /** The releases that the client can be, by its scripts; null: not known. */
    readonly version: string | null;
  };
  /** The deadlines of a queue are much later than they should be. */
  'fair-timeout-drift': {
    readonly holder: string;
    readonly deadline: RedisTime;
    /** By how many seconds the deadline is too late. */
    readonly excessSeconds: number;
    readonly version: string | null;
  };
};
