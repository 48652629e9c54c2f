import type { RedisTime } from '../../base/time.ts';

type Sleepers = {
  /** The waiter that wakes first, as far as is known. */
  readonly holder: string;
  /** How many waiters sleep that could take the lock. */
  readonly asleep: number;
  /** When the first of them wakes by its own timer; null: not known. */
  readonly until: RedisTime | null;
  /** A `0` published on this channel wakes it; null: its name is not plain text. */
  readonly channel: string | null;
};

/** The values in the sentences of each insight: a lock is free, but its waiters sleep. Times are Redis time; null: none, or not known. */
export type AsleepValues = {
  /** The message was sent, but the waiter did not wake. */
  'missed-wakeup': Sleepers & {
    readonly messageAt: RedisTime;
    /** When a connection subscribed again without an attempt: the one before was cut. */
    readonly resubscribedAt: RedisTime | null;
    /** In a fair queue: the waiter that was called, and is behind others now; null: it is the `holder`. */
    readonly called: string | null;
    /** How many waiters are in the queue of a fair lock; 0: it has none. */
    readonly queued: number;
  };
  /** The lock can be taken, but no message was sent. */
  'silent-release': Omit<Sleepers, 'holder'> & {
    /** Null: only the number of connections that listen is known, `asleep`. */
    readonly holder: string | null;
    readonly at: RedisTime;
    readonly by: 'expired' | 'deleted' | 'evicted' | 'flushed' | 'lost' | 'downgrade' | 'unseen';
    /** It is a latch: without a key it is open. */
    readonly isLatch: boolean;
  };
  /** A waiter without a timer: only a message wakes it. */
  'waiter-asleep-without-limit': {
    readonly holder: string;
    readonly asleep: number;
    /** Since when it sleeps: its last attempt, or its eviction from the queue. */
    readonly since: RedisTime;
    readonly freeSince: RedisTime;
    /** Fair lock: it is no longer in the queue, so no unlock sends it a message. */
    readonly isEvicted: boolean;
    readonly channel: string | null;
  };
  /** Enough permits are free, but a waiter has not asked for them since. */
  'permits-free-waiter-asleep': {
    readonly holder: string;
    readonly available: number;
    /** How many it asks for. */
    readonly asks: number;
    /** When permits last came back. */
    readonly freeSince: RedisTime;
    readonly waiting: number;
    readonly channel: string | null;
  };
  /** Subscriptions that no waiter uses. Their client never ends them. */
  'subscription-pool-exhausted': {
    /** A thread of the client. Null: the client is not seen at this level. */
    readonly holder: string | null;
    /** How many locks it is subscribed to without waiting for them. */
    readonly leaked: number;
    /** Each of their threads did something else since, so none of them waits. Otherwise they only did not try again. */
    readonly isShown: boolean;
    /** A thread of that client that was refused once and never subscribed; null: none. */
    readonly silent: string | null;
  };
};
