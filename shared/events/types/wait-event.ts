import type { Millis, RedisTime } from '../../base/time.ts';

/** What happens to those who wait: who listens, who stands in a queue, and the messages that wake them. */
export type WaitDetail =
  | {
      readonly type: 'waiter.subscribed' | 'waiter.unsubscribed';
      readonly channel: string;
      /** `uuid:thread` when it is known whose wait caused it. */
      readonly holder?: string;
      /** The client's uuid when it is known. */
      readonly client?: string;
      /** Connections that listen on the channel after this. */
      readonly subscribers: number;
    }
  | {
      readonly type: 'waiter.queued';
      readonly holder: string;
      /** 1 for the head. */
      readonly position: number;
      /** Until when it may stand in the queue, by the clocks of the clients; null: it stands there without one. */
      readonly deadline: RedisTime | null;
      /** How many stand in the queue, where a read found one too long to be read whole, or one that no longer is. */
      readonly queueLength?: number;
    }
  | {
      readonly type: 'waiter.dequeued';
      readonly holder: string;
      /**
       * `evicted`: struck from a fair lock's queue as too old, alive or not. `deleted`: the queue itself went.
       * `left`: it is in the queue no more, and nobody saw why.
       */
      readonly reason: 'gave-up' | 'presumed-gone' | 'evicted' | 'deleted' | 'left';
      /** Until when it might have stood there, for `evicted`. */
      readonly deadline?: RedisTime;
      /** By how much the deadlines of those behind it moved. */
      readonly shiftMs?: Millis;
      /** How far the clock of the client that struck it out is ahead of Redis's, where the two do not agree. */
      readonly clockAheadMs?: Millis;
      /** The command that did it, for `deleted`. */
      readonly command?: string;
      /** 0: nobody stands there any more, none of those that were only counted either. */
      readonly queueLength?: 0;
    }
  | { readonly type: 'wakeup.published'; readonly channel: string; readonly message: string; readonly holder?: string };
