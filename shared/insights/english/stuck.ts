import { count } from '../../base/count.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { lengthText, sentences } from './sentences.ts';

/**
 * The values in the sentences of insights about locks that cannot be unlocked, or that no client will unlock. Times are
 * Redis time; null: none, or not known.
 */
export type StuckValues = {
  /** The client of a holder has no connection left. */
  'holder-crashed-wait-ttl': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    /** When the hold ends by itself; null: never, or not known. */
    readonly endsAt: RedisTime | null;
    /** True if the hold is known never to end by itself. */
    readonly neverEnds: boolean;
    /** How long it is until `endsAt`; null: `endsAt` is null. */
    readonly leftMs: Millis | null;
    readonly isPermit: boolean;
    readonly isReader: boolean;
    /** The holder reads, and other clients do, too. */
    readonly isShared: boolean;
    readonly waiting: number;
  };
  /** Redis did not answer, and ran an attempt when its client had probably stopped waiting for the answer. */
  'granted-after-timeout': {
    readonly holder: string;
    readonly since: RedisTime;
    readonly stoodFrom: RedisTime;
    readonly stoodTo: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly waiting: number;
  };
  /** A held lock has no lease. */
  'no-ttl-lock': {
    readonly holder: string;
    readonly since: RedisTime | null;
    readonly isGone: boolean;
    readonly goneSince: RedisTime | null;
    readonly isRedisson: boolean;
    readonly waiting: number;
    /** The connections that listen for a release, if no thread is seen to wait. */
    readonly listening: number;
  };
  /** No open connection can belong to the client of a holder, or only connections that have long been silent. */
  'holder-without-connection': {
    readonly holder: string;
    /** The first instant without such a connection, or when the silence of the last one began. */
    readonly since: RedisTime;
    /** How many open connections may belong to the client: all of them have long been silent. */
    readonly connections: number;
    /** When the lease ends; null: not known. */
    readonly endsAt: RedisTime | null;
    readonly isReader: boolean;
    /** Other clients hold the lock, too. */
    readonly isShared: boolean;
    readonly waiting: number;
  };
  /** The client of a holder is gone, and its lease is an hour long or longer. */
  'orphan-job-lock': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    readonly since: RedisTime | null;
    readonly endsAt: RedisTime;
    readonly waiting: number;
  };
  /** A hold is renewed again and again, and its thread may have gone on without an unlock. */
  'zombie-renewal': {
    readonly holder: string;
    readonly since: RedisTime;
    readonly renewals: number;
    readonly heldMs: Millis;
    /** The number of earlier holds of the lock that were seen, and the number of renewals of those. */
    readonly before: number;
    readonly renewalsBefore: number;
    /** How late the first renewal was, if that is the sign. */
    readonly lateMs: Millis | null;
    /** When another client force-unlocked the lock, if that is the sign. */
    readonly forcedAt: RedisTime | null;
    readonly waiting: number;
  };
  /** Threads wait far longer than the lock is usually held, and it is not handed over. */
  'threads-waited-long': {
    /** The first holder; null: no holder was seen. */
    readonly holder: string | null;
    /** When an attempt was last refused because of a holder that was not seen; null: the holder is known. */
    readonly refusedAt: RedisTime | null;
    /** The lock is a semaphore, so Redis does not show the client of a permit. */
    readonly isPermit: boolean;
    /**
     * `holder` is the id of a permit. False, for a semaphore: the name or address of the connection that took a permit.
     */
    readonly hasPermitId: boolean;
    /** Since when the lock has been held; null: since before watching began. */
    readonly heldSince: RedisTime | null;
    /** How many more threads hold the lock, for example to read. */
    readonly others: number;
    readonly isConnected: boolean;
    readonly isRenewed: boolean;
    /** The number of threads that wait; where threads are not visible, of connections that listen (`areListeners`). */
    readonly waiting: number;
    /** The waiters are in the queue of a fair lock, and it is not seen whether all of them still wait. */
    readonly areQueued: boolean;
    readonly areListeners: boolean;
    /** For how long the longest of these waits has lasted, and whether it may be longer. */
    readonly waitedMs: Millis;
    readonly isAtLeast: boolean;
    /** The median of the lock's newest holds, and the number of these holds; null: too few were seen. */
    readonly usualMs: Millis | null;
    readonly holds: number;
  };
};

/** If the hold ends within this time, the advice is to wait. */
const SHORT_WAIT: Millis = 60_000;

export const stuck: WordsOf<StuckValues> = {
  'holder-crashed-wait-ttl': {
    title: 'The client of the holder is gone',
    explanation: ({ holder, goneSince, endsAt, neverEnds, isPermit, isReader, isShared, waiting }, { who, clock }) =>
      sentences(
        `The client of ${who(holder)} has no open connection${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}.`,
        isPermit
          ? endsAt === null
            ? 'Its permit does not come back by itself.'
            : `Its permit comes back at ${clock(endsAt)}.`
          : neverEnds
            ? 'The lock has no lease that could end, so no client can take it.'
            : isShared && endsAt === null
              ? 'Its hold as a reader ends with a timeout of its own that was not seen. Other readers hold the lock, too.'
              : `Until ${isReader ? 'its hold as a reader' : 'the lease'} ends${endsAt === null ? '' : ` at ${clock(endsAt)}`}, no ${isReader ? 'writer' : 'client'} can take this lock.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ holder, endsAt, neverEnds, isShared, leftMs }, { who, clock }) =>
      isShared && endsAt === null
        ? 'Wait until the other readers have released the lock. If a writer waits on then, release the lock by hand.'
        : endsAt === null || leftMs === null
          ? `${neverEnds ? 'This does not end by itself' : 'It is not known when this ends'}. Make sure that the process of ${who(holder)} is gone, then release the lock by hand.`
          : leftMs <= SHORT_WAIT
            ? `Wait: this ends by itself at ${clock(endsAt)}.`
            : `If the process of ${who(holder)} is surely gone, release the lock by hand: no other client can take it before ${clock(endsAt)}.`,
    later: ({ neverEnds }) => (neverEnds ? 'Give the lock a lease.' : 'A shorter lease makes the wait shorter.'),
  },
  'granted-after-timeout': {
    title: 'Granted when its client may have given up',
    explanation: ({ holder, since, stoodFrom, stoodTo, endsAt, waiting }, { who, clock }) =>
      sentences(
        `Redis ran nothing from ${clock(stoodFrom)} to ${clock(stoodTo)}, which is longer than a client waits for an answer by default. Right after it, at ${clock(since)}, ${who(holder)} was granted this lock.`,
        'No renewal has followed, so that call to lock() has probably failed, and no thread works under the lock.',
        endsAt !== null && `It ends by itself at ${clock(endsAt)}.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: () =>
      'Look for a failed lock() in the log of that client. If there is one, the lock can be released by hand.',
    later: () => 'After a failed lock(), unlock as long as isHeldByCurrentThread() returns true.',
  },
  'no-ttl-lock': {
    title: 'A held lock never expires',
    explanation: ({ holder, since, isGone, goneSince, isRedisson, waiting, listening }, { who, clock }) =>
      sentences(
        since === null
          ? `${who(holder)} holds this lock, and its key has no expiry.`
          : `${who(holder)} has held this lock since ${clock(since)}, and its key has no expiry.`,
        isGone &&
          `Its client has no open connection${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}, so the lock stays for ever.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
        listening > 0 && `${count(listening, 'connection listens', 'connections listen')} for its release.`,
        isRedisson &&
          waiting + listening > 0 &&
          'A waiter that reads no expiry sets no timer: only a message wakes it.',
      ),
    advice: ({ isGone, isRedisson, holder }, { who }) =>
      sentences(
        isGone
          ? 'Make sure that the client is really gone, then release the lock by hand.'
          : `Look whether ${who(holder)} still works. If it ends without an unlock, no client can take this lock again.`,
        isRedisson && 'A plain DEL wakes no waiter: publish the release as well.',
      ),
    later: ({ isRedisson }) =>
      isRedisson
        ? 'Find what left it without an expiry: a PERSIST, a restore, or a lease so long that Redis refuses it after the lock is set.'
        : 'Set the value and its expiry in one command (SET with NX and PX), and give the lock a timeout.',
  },
  'orphan-job-lock': {
    title: 'The client of a long job is gone',
    explanation: ({ holder, goneSince, since, endsAt, waiting }, { who, clock }) =>
      sentences(
        `${who(holder)} took this lock${since === null ? '' : ` at ${clock(since)}`}, and its client has no open connection${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}.`,
        `The lock blocks all others until ${clock(endsAt)}.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ endsAt }, { clock }) =>
      `If the job is surely not running, release this one lock by hand. It ends by itself only at ${clock(endsAt)}.`,
    later: () =>
      'Choose a lease that is not much longer than the job, or leave it to the watchdog (lockWatchdogTimeout).',
  },
  'zombie-renewal': {
    title: 'Renewed, but perhaps no thread works under it',
    explanation: ({ holder, since, renewals, before, renewalsBefore, lateMs, forcedAt, waiting }, { who, clock }) =>
      sentences(
        forcedAt === null
          ? `${who(holder)} has held this lock since ${clock(since)}, and a watchdog renewed it ${renewals} times.`
          : `${who(holder)} held this lock from ${clock(since)} to ${clock(forcedAt)}, and a watchdog renewed it ${renewals} times. Then another client force-unlocked it.`,
        forcedAt !== null && 'The thread has not tried to unlock it since, only the watchdog tried to renew it.',
        lateMs !== null &&
          `The watchdog began ${lengthText(lateMs)} late, so the client got the answer that late, or was paused. A thread that was interrupted meanwhile does not know that it holds the lock.`,
        forcedAt === null &&
          lateMs === null &&
          `The ${before} holds before it were renewed ${renewalsBefore === 0 ? 'not once' : count(renewalsBefore, 'time', 'times')}.`,
        `Its thread may ${forcedAt === null ? 'still work' : 'work without the lock'}, or it ended or was interrupted without an unlock: the watchdog does not notice that.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ forcedAt }) =>
      forcedAt === null
        ? 'Look at the thread, for example with a thread dump. If it does not work on this any more, force-unlock: renewals end with the next one.'
        : 'Find out whether the thread still works on this: then two threads may be inside.',
    later: () =>
      'Unlock in finally. After an interrupt in lock() or tryLock(), test isHeldByCurrentThread() and unlock.',
  },
  'holder-without-connection': {
    title: 'The client of the holder may be gone',
    explanation: ({ holder, since, connections, endsAt, isReader, isShared, waiting }, { who, clock }) =>
      sentences(
        `${who(holder)} held this lock when it was first seen, and its client has sent nothing since.`,
        connections === 0
          ? `No open connection belongs to its client, seen since ${clock(since)}: all of them belong to other clients.`
          : `Its client may be paused, cut off or gone: the only ${connections === 1 ? 'open connection that may be its own has' : `${connections} open connections that may be its own have`} been silent since ${clock(since)}.`,
        endsAt !== null &&
          `Until ${isReader ? 'its hold as a reader' : 'the lease'} ends at ${clock(endsAt)}, no ${isReader ? 'writer' : 'client'} can take this lock.`,
        isShared && 'Other clients hold it, too.',
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ holder, connections, endsAt, isShared }, { who, clock }) =>
      `${connections === 0 ? `Look whether the process of ${who(holder)} still runs.` : 'Look for a stopped container, a paused process or a network that drops packets.'} If the process is surely gone, release ${isShared ? 'only this hold' : 'the lock'} by hand${endsAt === null ? '' : `, or wait until ${clock(endsAt)}`}.`,
  },
  'threads-waited-long': {
    title: 'Threads have waited long',
    explanation: (
      {
        holder,
        refusedAt,
        isPermit,
        hasPermitId,
        heldSince,
        others,
        isConnected,
        isRenewed,
        waiting,
        areListeners,
        areQueued,
        waitedMs,
        isAtLeast,
        usualMs,
        holds,
      },
      { who, clock },
    ) =>
      sentences(
        areListeners
          ? `${count(waiting, 'connection listens', 'connections listen')} for its release${waiting === 1 ? '' : ', the longest'} for at least ${lengthText(waitedMs)}.`
          : `${areQueued ? `${count(waiting, 'thread is', 'threads are')} in its queue` : `${count(waiting, 'thread waits', 'threads wait')} for it`}, the longest for ${isAtLeast ? 'at least ' : ''}${lengthText(waitedMs)}.`,
        areQueued && 'It is not seen whether all of them still wait: the queue keeps dead waiters for minutes.',
        holder === null &&
          `${refusedAt === null ? '' : `It was held at ${clock(refusedAt)}, when an attempt was last refused. `}The holder was not seen: it took the lock while Lockscope did not watch, and no renewal of it was seen since.`,
        holder !== null &&
          (isPermit
            ? `${hasPermitId ? `Permit ${who(holder)} was taken` : `The permit that ${who(holder)} took`} ${heldSince === null ? 'before it was seen' : `at ${clock(heldSince)}`}${hasPermitId ? ', and is not back' : ' is not back, as far as can be seen'}.`
            : heldSince === null
              ? `${who(holder)} held it when it was first seen, and still holds it.`
              : `${who(holder)} has held it since ${clock(heldSince)}.`),
        !isPermit && others > 0 && `${count(others, 'other thread holds', 'other threads hold')} it as well.`,
        isConnected &&
          `${others > 0 && holder !== null ? `The client of ${who(holder)}` : 'Its client'} is connected${isRenewed ? ', and the lease is renewed' : ''}.`,
        !isConnected && isRenewed && 'Its lease is renewed.',
        usualMs !== null && `The ${holds} holds before it took about ${lengthText(usualMs)} each.`,
      ),
    advice: ({ holder, isPermit, hasPermitId, others }, { who }) =>
      holder === null
        ? 'If they still wait, read the key of the lock: HGETALL shows its holder, PTTL its lease. Then take a thread dump of that process.'
        : isPermit
          ? `Look for the threads that took permits and did not release them. Redis does not show which clients have permits: take thread dumps of the processes that use this semaphore. If a permit is surely lost, ${hasPermitId ? 'restart its process, or release the permit by its id' : 'release one by hand'}.`
          : `Take a thread dump of the process of ${who(holder)}: it shows whether that thread still works under the lock, or has gone on without an unlock. If it works, leave the lock alone. If it does not, restart the process${others > 0 ? ': a release by hand takes the lock from its other holders as well' : ', or release the lock by hand'}.`,
    later: () => 'Unlock in finally, and limit the time that the work under a lock may take.',
  },
};
