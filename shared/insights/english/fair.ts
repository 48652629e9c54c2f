import { count } from '../../base/count.ts';
import type { RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { sentences } from './sentences.ts';

/**
 * The values in the sentences of insights about the queue of a fair lock. Times are Redis time; null: none, or not
 * known.
 */
export type FairValues = {
  /** The head of a queue is dead. */
  'fair-head-dead': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    /** When the head's client was last late with something else; null: it was not seen to be late. */
    readonly lateAt: RedisTime | null;
    readonly deadline: RedisTime | null;
    readonly dead: number;
    readonly waiting: number;
    readonly isFree: boolean;
  };
  /** A live waiter was evicted from the queue. */
  'fair-live-waiter-purged': {
    readonly holder: string;
    readonly at: RedisTime;
    /** Since when the evicted waiter had waited. */
    readonly since: RedisTime;
    readonly backAt: RedisTime | null;
    /** When the waiter's own timer ends. */
    readonly until: RedisTime | null;
    /** The waiter set no timer: only a message wakes it. */
    readonly isWithoutLimit: boolean;
    readonly channel: string | null;
  };
  /** A client's clock is ahead of Redis's. */
  'fair-clock-skew': {
    /** A thread of the client; null: not known. */
    readonly holder: string | null;
    /** The connection of that client. */
    readonly by: string;
    readonly aheadSeconds: number;
    /** How many waiters the client evicted before their deadline, and the last of them. */
    readonly evicted: number;
    readonly victim: string | null;
  };
  /** A waiter in the queue without a deadline: it is never evicted. */
  'fair-orphan-entry': {
    readonly holder: string;
    readonly position: number;
    readonly isFree: boolean;
    /** How many waiters are behind that entry. */
    readonly waiting: number;
    /** The key of the list with that entry; null: its name is not plain text. */
    readonly queue: string | null;
  };
  /** A waiter attempts without a pause, because the lock is free and the head of the queue does not acquire it. */
  'fair-hot-loop': {
    readonly holder: string;
    readonly perSecond: number;
    readonly attempts: number;
    readonly head: string | null;
    readonly deadline: RedisTime | null;
    /**
     * The releases of Redisson that may have sent the newest known script of this lock, maybe by another client; null:
     * not known.
     */
    readonly version: string | null;
  };
  /** The deadlines of a queue are much later than they should be. */
  'fair-timeout-drift': {
    readonly holder: string;
    readonly deadline: RedisTime;
    /** By how many seconds the deadline is too late. */
    readonly excessSeconds: number;
    /** As of `fair-hot-loop`. */
    readonly version: string | null;
  };
};

export const fair: WordsOf<FairValues> = {
  'fair-head-dead': {
    title: 'The first waiter in the queue does not answer',
    explanation: ({ holder, goneSince, lateAt, deadline, dead, waiting, isFree }, { who, clock }) =>
      sentences(
        goneSince === null
          ? `${who(holder)} is first in the queue and does not ask for the lock: it is gone, its process stands still, or the message that calls it was lost.`
          : `${who(holder)} is first in the queue and is gone, last seen at ${clock(goneSince)}.`,
        lateAt !== null &&
          `Its client was late with something else at ${clock(lateAt)}, so this thread may only be late, too.`,
        `${isFree ? 'The lock is free, but no' : 'No'} other waiter can take it${deadline === null ? ' before it is removed' : ` before ${clock(deadline)}`}.`,
        dead > 1 && `${dead} waiters in a row do not answer.`,
        waiting > 0 && `${count(waiting, 'waiter is', 'waiters are')} behind.`,
      ),
    advice: ({ lateAt, deadline }, { clock }) =>
      lateAt !== null
        ? 'Wait, and do not remove it from the queue: its client may need processor time, and may ask again then.'
        : `${deadline === null ? 'Remove' : `Wait until ${clock(deadline)}, or remove`} the dead waiter from the queue and from its deadlines.`,
    later: () => 'A shorter fairLockWaitTimeout makes this shorter.',
  },
  'fair-live-waiter-purged': {
    title: 'A live waiter was evicted from the queue',
    explanation: ({ holder, at, since, backAt, until, isWithoutLimit }, { who, clock }) =>
      sentences(
        `${who(holder)} had waited since ${clock(since)} when its deadline in the queue passed. At ${clock(at)} the script of another caller took it for dead and evicted it.`,
        backAt !== null && `It tried again at ${clock(backAt)}, and is behind the waiters that came after it.`,
        backAt === null && 'It still listens, but no unlock sends it a message.',
        backAt === null && isWithoutLimit && 'It set no timer, so it does not wake by itself.',
        backAt === null && until !== null && `Its own timer ends at ${clock(until)}.`,
      ),
    advice: ({ backAt, until, channel }, { clock }) =>
      backAt !== null
        ? 'Nothing: it waits in the queue again.'
        : until !== null
          ? `Wait: it asks again at ${clock(until)}.`
          : channel === null
            ? 'Restart its client, so that it asks again.'
            : `To wake it, publish 0 on ${channel} (in a cluster with sharded channels: SPUBLISH).`,
    later: () =>
      'Set fairLockWaitTimeout above the longest hold and the longest time in which the queue is never empty, or use tryLock() with a shorter wait. Redisson 3.32.0 and later ask again by themselves.',
  },
  'fair-clock-skew': {
    title: 'The clock of a client is ahead',
    explanation: ({ holder, by, aheadSeconds, evicted, victim }, { who }) =>
      sentences(
        `The clock of ${holder === null ? `the client at ${by}` : who(holder)} is ${aheadSeconds} s ahead of that of Redis. Clients set and check the deadlines of this queue by their own clocks.`,
        evicted === 0
          ? 'It has not evicted a waiter too early yet.'
          : `It evicted ${count(evicted, 'waiter', 'waiters')} before the deadline${victim === null ? '' : `, the last one ${who(victim)}`}.`,
      ),
    advice: () => 'Synchronise the clock of that host (NTP).',
  },
  'fair-orphan-entry': {
    title: 'An entry of the queue has no deadline',
    explanation: ({ holder, position, isFree, waiting }, { who }) =>
      sentences(
        `${who(holder)} is number ${position} in the queue, but has no deadline, so no script evicts it. If it is dead, the queue stays blocked.`,
        isFree && position === 1 && 'The lock is free, but only this waiter can take it.',
        waiting > 0 && `${count(waiting, 'waiter is', 'waiters are')} behind.`,
        'Scripts of Redisson before 3.31.0 end with an error at such a head.',
      ),
    advice: ({ holder, queue }) =>
      sentences(
        'Make sure that this waiter is dead: a live one takes the lock when its turn comes.',
        queue === null ? 'Then remove its entry from the list.' : `Then remove its entry: LREM ${queue} 0 ${holder}`,
      ),
  },
  'fair-hot-loop': {
    title: 'A waiter asks without a pause',
    explanation: ({ holder, perSecond, attempts, head, deadline, version }, { who, clock }) =>
      sentences(
        `${who(holder)} asks for this lock ${perSecond} times a second, ${attempts} times so far: the lock is free, but ${head === null ? 'the head of the queue' : who(head)} is before it and does not take it.`,
        deadline !== null && `That ends at ${clock(deadline)} at the latest, when the waiters before it are evicted.`,
        `Redisson 3.32.0 to 4.7.0 does this${version === null ? '' : ` (the newest known script of this lock, maybe of another client: ${version})`}.`,
      ),
    advice: () => 'To end it, remove the dead waiters from the queue and from its deadlines.',
    later: () => 'A shorter fairLockWaitTimeout makes this shorter.',
  },
  'fair-timeout-drift': {
    title: 'The deadlines of the queue are far too late',
    explanation: ({ holder, deadline, excessSeconds, version }, { who, clock }) =>
      sentences(
        `${who(holder)} may stay in the queue until ${clock(deadline)}, ${excessSeconds} s longer than the lease and its place explain. If it dies, it blocks the lock until then.`,
        `Redisson up to 3.11.0 adds 5 s at each hand-over${version === null ? '' : ` (the newest known script of this lock, maybe of another client: ${version})`}.`,
      ),
    advice: () => 'Delete the queue and its deadlines while the lock is free and has no waiters.',
    later: () => 'Upgrade Redisson to 3.11.1 or later, on all clients.',
  },
};
