import type { Millis, RedisTime } from '../../base/time.ts';

/** What happens to waiters: their subscriptions, their place in a queue, and the messages that wake them. */
export type WaitDetail =
  | {
      readonly type: 'waiter.subscribed' | 'waiter.unsubscribed';
      readonly channel: string;
      /**
       * `uuid:thread`, if the thread whose wait caused this is known. For a lock with a token: the waiter's token. For
       * a semaphore or a latch: the name of the client's connection, or its address if it has no name.
       */
      readonly holder?: string;
      /** The client's uuid if it is known. */
      readonly client?: string;
      /** The client subscribed only this long after the refusal: it was late. */
      readonly lateMs?: Millis;
      /**
       * Connections subscribed to the channel after this event. For a fair lock: the waiters that listen on channels of
       * their own. For a list that wakes waiters: the sleepers of its lock.
       */
      readonly subscribers: number;
      /** The waiter polls in BLPOP with a time limit, and may have begun before its first attempt that was seen. */
      readonly isOlder?: true;
    }
  | {
      readonly type: 'waiter.queued';
      readonly holder: string;
      /** The waiter's place in the queue: 1 for the head. */
      readonly position: number;
      /** The time until which the waiter may be in the queue, by the clients' clocks; null: no deadline. */
      readonly deadline: RedisTime | null;
      /** The length of a queue that is too long to read completely, or that was too long before this read. */
      readonly queueLength?: number;
    }
  | {
      readonly type: 'waiter.dequeued';
      readonly holder: string;
      /**
       * - `evicted`: removed from a fair lock's queue because its deadline passed, alive or not.
       * - `deleted`: a command other than the lock's own scripts removed the waiter, or the whole queue.
       * - `left`: the waiter is no longer in the queue, and the cause was not seen.
       * - `unseen`: its attempts are no longer seen, or were unseen for a while, so it is not known whether it still
       *   waits.
       */
      readonly reason: 'gave-up' | 'presumed-gone' | 'evicted' | 'deleted' | 'left' | 'unseen';
      /** For `evicted`: until when the waiter was allowed to stay. */
      readonly deadline?: RedisTime;
      /** By how much the deadlines of the waiters behind this one moved. */
      readonly shiftMs?: Millis;
      /**
       * How far the clock of the evicting client is ahead of Redis's (negative: behind), if they differ by 1 s or more.
       */
      readonly clockAheadMs?: Millis;
      /** The script of the evicting client did not carry its time. */
      readonly clockUnseen?: true;
      /** For `deleted`: the command. */
      readonly command?: string;
      /**
       * For `presumed-gone`: the thread did something else, although its client had subscribed for it, so its call has
       * ended.
       */
      readonly hasGoneOn?: true;
      /** 0: the queue is empty, including waiters that were only counted. */
      readonly queueLength?: 0;
    }
  | { readonly type: 'wakeup.published'; readonly channel: string; readonly message: string; readonly holder?: string };
