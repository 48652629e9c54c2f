import { count } from '../../base/count.ts';
import type { RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { sentences } from './sentences.ts';

type Sleepers = {
  /** The waiter that wakes first, as far as is known. */
  readonly holder: string;
  /** How many waiters sleep that could acquire the lock. */
  readonly asleep: number;
  /** When the first of them wakes by its own timer; null: not every timer is known. */
  readonly until: RedisTime | null;
  /** A `0` published on this channel wakes the first waiter; null: the channel's name is not plain text. */
  readonly channel: string | null;
};

/**
 * The values in the sentences of insights about free locks whose waiters sleep on. Times are Redis time; null: none, or
 * not known.
 */
export type AsleepValues = {
  /** The message was sent, but the waiter did not wake. */
  'missed-wakeup': Sleepers & {
    readonly messageAt: RedisTime;
    /** When a connection subscribed again without an attempt, because the previous connection was cut. */
    readonly resubscribedAt: RedisTime | null;
    /** In a fair queue: the waiter that was called, and is behind others now; null: no waiter was passed over. */
    readonly called: string | null;
    /** How many waiters are in the queue of a fair lock; 0: the lock has no queue. */
    readonly queued: number;
  };
  /** The lock can be acquired, but no message was sent. */
  'silent-release': Omit<Sleepers, 'holder'> & {
    /** Null: the waiters are not known, and `asleep` is the number of connections that listen. */
    readonly holder: string | null;
    readonly at: RedisTime;
    readonly by: 'expired' | 'deleted' | 'evicted' | 'flushed' | 'lost' | 'downgrade' | 'unseen';
    /** The lock is a latch: without a key it is open. */
    readonly isLatch: boolean;
  };
  /** A waiter without a timer: only a message wakes it. */
  'waiter-asleep-without-limit': {
    readonly holder: string;
    readonly asleep: number;
    /** When its wait began, or when the waiter was evicted from the queue. */
    readonly since: RedisTime;
    readonly freeSince: RedisTime;
    /** For a fair lock: whether the waiter is no longer in the queue, so that no unlock sends it a message. */
    readonly isEvicted: boolean;
    readonly channel: string | null;
  };
  /** Enough permits are free, but a waiter has not attempted since then. */
  'permits-free-waiter-asleep': {
    readonly holder: string;
    readonly available: number;
    /** The most permits that the waiter asks for. */
    readonly asks: number;
    /** When permits last became free. */
    readonly freeSince: RedisTime;
    readonly waiting: number;
    readonly channel: string | null;
  };
  /** Subscriptions that no waiter uses. Their client never ends them. */
  'subscription-pool-exhausted': {
    /** A thread of the client. Null: the client is not seen at this level. */
    readonly holder: string | null;
    /** How many locks the client, or any client, is subscribed to although no thread waits for them. */
    readonly leaked: number;
    /**
     * True: the threads did something else since, so none of them waits. False: they were only not seen to attempt
     * again.
     */
    readonly isShown: boolean;
    /** A thread of that client that was refused once and never subscribed; null: there is none. */
    readonly silent: string | null;
  };
};

const ENDS: Record<AsleepValues['silent-release']['by'], string> = {
  expired: 'The lease of this lock expired',
  deleted: 'The key of this lock was deleted',
  evicted: 'Redis evicted the key of this lock',
  flushed: 'The database of this lock was emptied',
  lost: 'This lock was lost when another server took over or the server was restarted',
  downgrade: 'The writer of this lock went on as a reader',
  unseen: 'This lock became free while it was not watched, and was found free',
};

export const asleep: WordsOf<AsleepValues> = {
  'missed-wakeup': {
    title: 'A waiter missed the message that wakes it',
    explanation: ({ holder, asleep, until, messageAt, resubscribedAt, called, queued }, { who, clock }) =>
      sentences(
        called === null
          ? `The lock was released and the message sent at ${clock(messageAt)}, but ${who(holder)} sleeps on${until === null ? '' : `, until its own timer ends at ${clock(until)}`}.`
          : `The lock was released at ${clock(messageAt)}, and the message sent to ${who(called)}, which did not take it and is behind others in the queue now. The lock is free, but no message was sent since, and ${who(holder)}, which is first in the queue, sleeps${until === null ? '' : ` until its own timer ends at ${clock(until)}`}.`,
        queued > 1 && `${queued} waiters are in the queue.`,
        called !== null
          ? false
          : resubscribedAt === null
            ? 'The message did not reach it, or its process is paused or gets no processor time.'
            : `A connection subscribed again at ${clock(resubscribedAt)} without an attempt after it: the subscription before had been cut, and what was sent in between is lost.`,
        asleep > 1 && `${count(asleep, 'waiter sleeps', 'waiters sleep')}.`,
      ),
    advice: ({ channel }) =>
      channel === null
        ? 'Look whether its process is paused or its connection was cut.'
        : `To wake it, publish 0 on ${channel} (in a cluster with sharded channels: SPUBLISH).`,
    later: () =>
      'Find out what cut the subscription: an output buffer limit, the idle timeout of a proxy, a failover. A shorter lockWatchdogTimeout makes the loss shorter. Redisson before 3.28.0 also lost messages itself.',
  },
  'permits-free-waiter-asleep': {
    title: 'Permits are free, but a waiter sleeps on',
    explanation: ({ holder, available, asks, freeSince, waiting }, { who, clock }) =>
      sentences(
        `${count(available, 'permit is', 'permits are')} free since ${clock(freeSince)}, and ${who(holder)}, which waits for ${asks}, has not asked again.`,
        waiting > 1 && `${waiting} clients wait.`,
      ),
    advice: ({ channel }) =>
      sentences(
        channel !== null && `Each message on ${channel} wakes one waiter.`,
        'Limit the wait with tryAcquire() and ask again. If waiters ask for several permits at once, look in the changes of Redisson for corrected wake-ups, and upgrade.',
      ),
  },
  'silent-release': {
    title: 'Freed without a wake-up, so its waiters sleep',
    explanation: ({ holder, asleep, until, at, by, isLatch }, { who, clock }) =>
      sentences(
        isLatch && 'A latch without its key is open.',
        `${ENDS[by]} at ${clock(at)}. ${by === 'unseen' ? 'The message that wakes its waiters may be lost' : isLatch ? 'Only the last count-down sends the message that wakes waiters' : 'Only an unlock that frees the lock sends a message'}, so ${holder === null ? 'its waiters sleep' : `${who(holder)} sleeps`} on${until === null ? '' : ` until ${clock(until)}`}${holder === null && until !== null ? ' at the latest' : ''}.`,
        holder === null
          ? `${count(asleep, 'connection listens', 'connections listen')} on its channel.`
          : asleep > 1 && `${count(asleep, 'waiter sleeps', 'waiters sleep')}.`,
      ),
    advice: ({ channel, until }, { clock }) =>
      channel === null
        ? `Wait${until === null ? '' : ` until ${clock(until)}`}: waiters ask again when their timers end.`
        : `To wake waiters, publish 0 on ${channel} (in a cluster with sharded channels: SPUBLISH).`,
    later: ({ by, isLatch }) =>
      isLatch
        ? 'Let a latch end by its count-downs. The message of its delete() does not wake waiters.'
        : by === 'downgrade'
          ? 'Release the read lock soon after the write lock, or lock for reading again instead of keeping both.'
          : 'Remove a lock by forceUnlock(), which sends the message. A shorter lease makes the loss shorter.',
  },
  'waiter-asleep-without-limit': {
    title: 'A waiter sleeps for ever at a free lock',
    explanation: ({ holder, asleep, freeSince, isEvicted }, { who, clock }) =>
      sentences(
        `The lock has been free since ${clock(freeSince)}, and ${who(holder)} still sleeps. It set no timer, so only a message wakes it.`,
        isEvicted && 'It was evicted from the queue, so no unlock sends it a message.',
        asleep > 1 && `${count(asleep, 'waiter sleeps', 'waiters sleep')} like this.`,
      ),
    advice: ({ channel }) =>
      channel === null
        ? 'Restart its client: the channel that would wake it is not known.'
        : `To wake it, publish 0 on ${channel} (in a cluster with sharded channels: SPUBLISH).`,
    later: ({ isEvicted }) =>
      isEvicted
        ? 'Redisson 3.32.0 and later ask again by themselves.'
        : 'Give locks a lease, and do not remove it with PERSIST.',
  },
  'subscription-pool-exhausted': {
    title: 'Subscriptions that no waiter uses',
    explanation: ({ holder, leaked, isShown, silent }, { who }) =>
      sentences(
        holder === null
          ? `${leaked === 1 ? '1 lock is' : `${leaked} locks are`} free, and a connection still listens on the channel, although a waiter would have looked again by now. Most likely a wait ended while its SUBSCRIBE was under way: such a subscription is never given back. A paused process looks the same, and which client it is cannot be seen without MONITOR.`
          : isShown
            ? `The client of ${who(holder)} is subscribed to ${count(leaked, 'lock', 'locks')} that no thread of it waits for. Its wait ended while the SUBSCRIBE was under way, and such a subscription is never given back.`
            : `The client of ${who(holder)} subscribed to ${count(leaked, 'lock', 'locks')}, and the thread has not tried again, although the client is on time with other things. Most likely its wait ended while the SUBSCRIBE was under way: such a subscription is never given back.`,
        silent !== null &&
          `${who(silent)} was refused once and then neither subscribed nor tried again: it may have found no free subscription.`,
      ),
    advice: () => 'Restart that client: this frees its subscriptions.',
    later: () =>
      'Longer tryLock() waits cause fewer of them; subscriptionsPerConnection and subscriptionConnectionPoolSize make room; spin locks need none.',
  },
};
