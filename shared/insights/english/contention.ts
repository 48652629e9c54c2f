import { count } from '../../base/count.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { lengthText, sentences } from './sentences.ts';

/** A step of a circle: a waiting thread, the lock it wants, with its id, and the thread that holds that lock. */
type CircleStep = {
  readonly holder: string;
  readonly lock: string;
  readonly lockId: string;
  readonly heldBy: string;
};

/**
 * Why a thread of a circle may no longer wait:
 *
 *   overdue   the thread did not attempt again when its own timer ended, at `at`
 *   assumed   it was refused only once, at `at`, and is assumed to wait because its client listened before
 *   shared    its client may listen for other threads too, so no command would show that it gave up
 */
export type CircleDoubt = {
  readonly holder: string;
  readonly why: 'overdue' | 'assumed' | 'shared';
  readonly at: RedisTime;
};

/**
 * The values in the sentences of insights about locks that many clients want. Times are Redis time; null: none, or not
 * known.
 */
export type ContentionValues = {
  /** Threads wait for each other in a circle. `isUpgrade`: a reader waits for the write lock of the lock it reads. */
  'abba-deadlock': {
    readonly path: readonly CircleStep[];
    readonly endsAt: RedisTime | null;
    readonly isUpgrade: boolean;
    /** The threads that may no longer wait. */
    readonly doubts: readonly CircleDoubt[];
    /** The lock to release if no process can be restarted, and its holder: the thread that closed the circle. */
    readonly release: string;
    readonly releaseOf: string;
  };
  /** Multi locks wait for each other in a circle, release what they hold, and begin again. */
  'multilock-livelock': {
    readonly path: readonly CircleStep[];
    /** The thread of the multi lock that began first. */
    readonly holder: string;
    /** When that multi lock began. */
    readonly since: RedisTime;
    /** How often the multi lock released what it held, and began again. */
    readonly restarts: number;
  };
  /** A writer waits while new readers are admitted. */
  'writer-starvation': {
    readonly holder: string;
    readonly since: RedisTime;
    /** The wait began before `since`, unseen. */
    readonly isAtLeast: boolean;
    readonly writers: number;
    /** The reads that were admitted while a writer waited and the lock was never free. */
    readonly reads: number;
    readonly attempts: number;
  };
  /** The number of permits of a semaphore is wrong. */
  'semaphore-permit-drift': {
    /** Clients that acquired permits are gone; otherwise more permits were released than acquired. */
    readonly isLoss: boolean;
    /** The holder whose client was gone first, or the client that last released too many. */
    readonly holder: string | null;
    readonly since: RedisTime;
    /** How many permits are lost, or too many. */
    readonly permits: number;
    /** All permits, without those that are too many. */
    readonly total: number | null;
    readonly available: number | null;
    readonly waiting: number;
  };
  /** More permits of a semaphore are acquired than exist. */
  'permits-beyond-limit': {
    /** The client that first acquired a permit too many. */
    readonly holder: string | null;
    readonly since: RedisTime;
    readonly limit: number;
    /** The highest number of permits that were held at once. */
    readonly out: number;
    /** True: too many releases raised the number of permits. False: clients allow different numbers of permits. */
    readonly isRaised: boolean;
    readonly isOver: boolean;
  };
  /** A caller of node-redlock got an error that names no cause. */
  'quorum-error-without-cause': {
    readonly cause: 'held' | 'no-lock' | 'late';
    readonly holder: string;
    readonly heldBy: string | null;
    /** How many callers got the error because of `cause`. */
    readonly times: number;
    readonly tries: number;
    readonly tookMs: Millis;
    readonly leaseMs: Millis | null;
  };
  /** Each holder released the lock before the next one acquired it. */
  'released-before-commit': {
    readonly since: RedisTime;
    readonly handovers: number;
    /** The shortest time from a release to the next acquisition. */
    readonly tightestMs: Millis;
  };
  /** A client asks for a held lock without a pause. */
  'attempt-flood': {
    /** The waiter, or the address of the connection whose attempts are all by new callers. */
    readonly holder: string;
    readonly isNewEachTime: boolean;
    readonly attempts: number;
    readonly perSecond: number;
    readonly waiting: number;
  };
  /** Many threads wait all the time, and the lock changes hands. */
  convoy: {
    readonly waiting: number;
    /** The median of the lock's newest holds, and the number of these holds. */
    readonly holdMs: Millis;
    readonly holds: number;
    /** Hand-overs a second. */
    readonly perSecond: number;
    /** How long the longest of the waits has lasted. */
    readonly waitedMs: Millis;
  };
  /** Each release wakes many threads, and most of them are refused. */
  'thundering-herd': { readonly releases: number; readonly refused: number; readonly isReadWrite: boolean };
};

const doubtText: Record<CircleDoubt['why'], (who: string, clock: string) => string> = {
  overdue: (who, clock) => `${who} did not ask again at ${clock}, when its own timer ended, so it may no longer wait.`,
  assumed: (who, clock) =>
    `${who} was refused once, at ${clock}. That it waits is assumed, because its client listened before.`,
  shared: (who) =>
    `The client of ${who} may listen for other threads too, so no command would show that ${who} gave up.`,
};

export const contention: WordsOf<ContentionValues> = {
  'abba-deadlock': {
    title: 'Deadlock: threads wait for each other',
    explanation: ({ path, endsAt, isUpgrade, doubts }, { who, clock }) =>
      sentences(
        isUpgrade &&
          'A thread waits for the write lock of a read-write lock that it holds for reading. It waits for itself.',
        ...path.map(({ holder, lock, heldBy }) => `${who(holder)} waits for ${lock}, which ${who(heldBy)} holds.`),
        ...doubts.map(({ holder, why, at }) => doubtText[why](who(holder), clock(at))),
        endsAt === null
          ? 'No lease in the circle is known to end, so the threads may wait for ever.'
          : `A lease in the circle ends at ${clock(endsAt)}, which breaks it.`,
      ),
    advice: ({ isUpgrade, release, releaseOf, doubts: [doubt] }, { who }) =>
      sentences(
        doubt !== undefined &&
          `Take a thread dump of the client of ${who(doubt.holder)} first: it shows whether this thread still waits. If it does:`,
        isUpgrade
          ? `Restart the client of ${who(releaseOf)}: this is the safest. Or release its read hold by hand: its thread then reads without the lock.`
          : `Restart one of the clients: this is the safest. Or release ${release}, held by ${who(releaseOf)}, by hand: that thread then works without the lock.`,
      ),
    later: ({ isUpgrade }) =>
      isUpgrade
        ? 'Unlock the read lock before the write lock is acquired: Redisson cannot upgrade a read lock.'
        : 'Take locks in the same order everywhere, or use tryLock with a time limit.',
  },
  'multilock-livelock': {
    title: 'Multi locks begin again and again',
    explanation: ({ path, holder, since, restarts }, { who, clock }) =>
      sentences(
        `${who(holder)} has wanted several locks at once since ${clock(since)} and begun again ${count(restarts, 'time', 'times')}.`,
        ...path.map(
          ({ holder: waiting, lock, heldBy }) => `${who(waiting)} waits for ${lock}, which ${who(heldBy)} holds.`,
        ),
        'A multi lock that misses a lock releases the ones it has after a time, and begins again. By then the others have done the same.',
      ),
    advice: () => 'Stop one of these callers: the others can then go on.',
    later: () => 'Give the locks to every RedissonMultiLock in the same order, for example sorted by name.',
  },
  'writer-starvation': {
    title: 'A writer waits behind new readers',
    explanation: ({ holder, since, isAtLeast, reads, writers, attempts }, { who, clock }) =>
      sentences(
        isAtLeast
          ? `${who(holder)} has waited for the write lock since ${clock(since)} or earlier, and asked ${count(attempts, 'time', 'times')} since then.`
          : `${who(holder)} has waited for the write lock since ${clock(since)} and asked ${count(attempts, 'time', 'times')}.`,
        `Meanwhile ${isAtLeast ? 'at least ' : ''}${count(reads, 'read was', 'reads were')} admitted, and the lock was never ${isAtLeast ? 'seen free' : 'free'}.`,
        writers > 1 && `${writers} writers wait.`,
        'A read-write lock admits every reader while others read, and a reader that is not the last one wakes no writer.',
      ),
    advice: () => 'Let the readers pause, so that the lock becomes free once.',
    later: () => 'Hold the read lock for less time, or use a fair plain lock (getFairLock) for this job.',
  },
  'semaphore-permit-drift': {
    title: 'The number of permits is wrong',
    explanation: ({ isLoss, holder, since, permits, total, available, waiting }, { who, clock }) =>
      sentences(
        isLoss
          ? `${permits}${total === null ? '' : ` of ${total}`} ${permits === 1 && total === null ? 'permit was' : 'permits were'} probably taken by clients that are gone${holder === null ? '' : `, ${who(holder)} among them`}, since ${clock(since)}. A semaphore does not know who has its permits, so permits of a dead client do not come back.`
          : `Since ${clock(since)} ${count(permits, 'permit was', 'permits were')} released that no client had taken${holder === null ? '' : `, the last by ${who(holder)}`}. There were ${total}, so more clients can be admitted than intended, if this number is a limit.`,
        available !== null && `${count(available, 'permit is', 'permits are')} free.`,
        waiting > 0 && `${count(waiting, 'client waits', 'clients wait')} for permits.`,
      ),
    advice: ({ isLoss, permits }) =>
      isLoss
        ? `Count the permits that your running clients have. If some are missing and have not been added yet, call addPermits(${permits}) once.`
        : `If the number is a limit, call addPermits(-${permits}) once to correct it.`,
    later: ({ isLoss }) =>
      isLoss
        ? 'Use RPermitExpirableSemaphore with a lease: its permits come back by themselves.'
        : 'Release only after acquire() or a tryAcquire() that returned true, and once.',
  },
  'permits-beyond-limit': {
    title: 'More permits are out than exist',
    explanation: ({ holder, since, limit, out, isRaised, isOver }, { who, clock }) =>
      sentences(
        `There are ${count(limit, 'permit', 'permits')}, but ${isOver ? `${out} were out at once` : `up to ${out} have been out at once`} since ${clock(since)}${holder === null ? '' : `, when ${who(holder)} took one too many`}.`,
        isRaised
          ? 'Before that, more permits were released than taken, which adds permits.'
          : `A client that has a permit allows only ${limit}, and another client allows more.`,
        'If this number is a limit, too many clients work at the same time.',
      ),
    advice: ({ isRaised }) =>
      isRaised
        ? 'Pause the job that must not run so often at once, then correct the number with addPermits().'
        : 'Find out which client was started with another limit, and give all of them the same one.',
    later: ({ isRaised }) =>
      isRaised
        ? 'Release only after acquire() or a tryAcquire() that returned true, and once.'
        : 'Let all clients of a semaphore read its limit from the same setting.',
  },
  'quorum-error-without-cause': {
    title: 'Why node-redlock may have failed here',
    explanation: ({ cause, holder, heldBy, times, tries, tookMs, leaseMs }, { who }) =>
      sentences(
        cause === 'late'
          ? `${who(holder)} got this lock at try ${tries}, ${tookMs} ms after its first one. Its lease is ${leaseMs} ms. Some versions (5.0.0-beta.2) count it from the first try: then it was over on arrival.`
          : `${who(holder)} made ${count(tries, 'try', 'tries')} in ${tookMs} ms. All were refused.`,
        cause === 'held' && heldBy !== null && `${who(heldBy)} held the lock at the last one. Redis is not at fault.`,
        cause === 'no-lock' &&
          'No known caller held the lock: its key may hold data, or a lock from before watching began.',
        times > 1 && `This happened ${times} times.`,
      ),
    advice: ({ cause }) =>
      ({
        held: 'Look at the holder of the lock, not at Redis.',
        'no-lock': 'Look at the type and the value of the key.',
        late: 'Check what was done under this lock: it may have been over on arrival.',
      })[cause],
    later: ({ cause }) =>
      ({
        held: 'Set retryCount and retryDelay so that the tries last longer than the usual hold, or hold the lock for less time.',
        'no-lock': 'Give locks names that no data uses.',
        late: 'Use a lease that is longer than retryCount times retryDelay, and check the expiration of the lock before the work.',
      })[cause],
  },
  'released-before-commit': {
    title: 'Each hand-over followed a release',
    explanation: ({ since, handovers, tightestMs }, { clock }) =>
      `Since ${clock(since)} this lock was handed over ${count(handovers, 'time', 'times')}, each time after a release. The shortest hand-over took ${tightestMs} ms. A thread that lost its hold before ${clock(since)} may still have worked then.`,
    advice: () => 'If data collided since then all the same, look for a commit after the unlock.',
    later: () => 'Take the lock before the transaction begins, and release it after the commit.',
  },
  'attempt-flood': {
    title: 'A client asks for the lock without a pause',
    explanation: ({ holder, attempts, perSecond, isNewEachTime }, { who }) =>
      sentences(
        `${who(holder)} was refused ${attempts} times, about ${perSecond} times a second.`,
        isNewEachTime && 'Each attempt was made as a new caller, for example with another token.',
        'Redis runs each attempt in its only thread, so all its clients wait longer.',
      ),
    advice: () =>
      'Find the loop around the attempt in that client, and let it pause: with a random time that grows after each refusal, or with a lock that wakes its waiters by a message.',
  },
  convoy: {
    title: 'Threads queue for a lock that changes hands',
    explanation: ({ waiting, holdMs, perSecond, waitedMs }) =>
      `${count(waiting, 'thread waits', 'threads wait')}, the longest for ${lengthText(waitedMs)}. A hold usually takes ${lengthText(holdMs)}, and the lock is handed over ${Math.round(perSecond * 10) / 10} times a second.`,
    advice: () =>
      'Do not release it: each holder is about to do so. Later: hold it for less time, divide it into several locks, or let fewer threads ask for it.',
  },
  'thundering-herd': {
    title: 'Each release wakes many threads',
    explanation: ({ releases, refused, isReadWrite }) =>
      sentences(
        `${refused} attempts of woken threads were refused at ${count(releases, 'release', 'releases')}: about ${Math.round(refused / releases)} for each.`,
        isReadWrite
          ? 'A release of a read-write lock wakes all its waiters.'
          : 'A release wakes one thread of each client.',
      ),
    advice: () => 'If Redis is loaded, stop some of the clients that wait. No lock is in danger.',
    later: ({ isReadWrite }) =>
      isReadWrite
        ? 'Split the lock into several, or use a plain lock (getLock), whose release wakes one thread of each client.'
        : 'Split the lock into several, use a fair lock (getFairLock), which wakes one waiter, or a spin lock with back-off.',
  },
};
