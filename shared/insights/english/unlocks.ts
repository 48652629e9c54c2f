import { count } from '../../base/count.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { sentences } from './sentences.ts';

/**
 * The values in the sentences of insights about holds that are counted wrong, and unlocks that did not do what they
 * should. Times are Redis time; null: none, or not known.
 */
export type UnlocksValues = {
  /** A thread tried to unlock a lock that it did not hold. */
  'unlock-by-non-owner': {
    readonly holder: string;
    readonly at: RedisTime;
    /** The thread that holds the lock now; null: none. */
    readonly heldBy: string | null;
    /** How often the thread did that within the time that is looked at. */
    readonly times: number;
    /** The client returned from the unlock as if it had succeeded. */
    readonly sawSuccess: boolean;
    /**
     * `never-got-it`: the thread's own attempt had been refused. Otherwise: another thread of its client, or another
     * client, held the lock.
     */
    readonly how: 'never-got-it' | 'other-thread' | 'other-client';
    /** The holder at that time. */
    readonly ownerThen: string | null;
    /** When the thread's own attempt was refused. */
    readonly triedAt: RedisTime | null;
  };
  /** An unlock took effect, but its client got no answer. */
  'unlock-replayed': {
    readonly holder: string;
    readonly unlockedAt: RedisTime;
    /** Whether the unlock lowered the hold count, but not to 0. */
    readonly isPartly: boolean;
    /**
     * If the client sent the unlock again: whether the latch answered it, or it was refused. Null: it was not sent
     * again.
     */
    readonly repeat: 'answered' | 'refused' | null;
    readonly times: number;
  };
  /** A client leaves a key behind with each unlock. */
  'latch-litter': {
    readonly client: string;
    readonly since: RedisTime;
    readonly unlocks: number;
    /** How many of the keys that were left behind exist now. */
    readonly keys: number;
    /** For how long Redis keeps each of them. */
    readonly keptMs: Millis;
  };
  /** An attempt ran twice, and one unlock left a count. */
  'phantom-hold-count': {
    readonly holder: string;
    readonly acquiredAt: RedisTime;
    /** When the second run counted as a re-entry. */
    readonly countedAt: RedisTime;
    readonly apartMs: Millis;
    /** When the unlock left a count. */
    readonly leftAt: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly count: number;
    readonly waiting: number;
  };
  /** A reader whose client is gone is kept by another client's watchdog. */
  'rwlock-zombie-reader': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    /** The holder whose watchdog keeps the reader's hold alive. */
    readonly keptBy: string;
    readonly leaseMs: Millis | null;
    readonly waiting: number;
  };
  /** The hold count rises from 1 again and again. */
  'accidental-reentrancy': {
    readonly holder: string;
    readonly since: RedisTime | null;
    readonly lastAt: RedisTime;
    readonly rises: number;
    readonly count: number;
    readonly heldMs: Millis | null;
    /** Whether no Java thread can have the number in `holder`. */
    readonly isMadeUp: boolean;
  };
  /** A client acquired a lock twice, released it once, and its second unlock was refused. */
  'taken-twice-released-once': {
    readonly holder: string;
    readonly againAt: RedisTime;
    readonly releasedAt: RedisTime;
    readonly refusedAt: RedisTime;
  };
};

export const unlocks: WordsOf<UnlocksValues> = {
  'unlock-by-non-owner': {
    title: 'A thread unlocked a lock that it does not hold',
    explanation: ({ holder, at, heldBy, times, sawSuccess, how, ownerThen, triedAt }, { who, clock }) =>
      sentences(
        `${who(holder)} tried to unlock this lock at ${clock(at)}, but ${ownerThen === null ? 'another thread' : who(ownerThen)} held it.`,
        how === 'never-got-it' &&
          triedAt !== null &&
          `It never got the lock: its attempt at ${clock(triedAt)} was refused.`,
        how === 'other-thread' && 'The holder is another thread of the same client.',
        heldBy !== null && heldBy !== holder && heldBy !== ownerThen && `${who(heldBy)} holds it now.`,
        times > 1 && `It tried ${times} times.`,
        sawSuccess && 'Its version of the client reported success.',
      ),
    advice: ({ how, holder }, { who }) =>
      how === 'other-thread'
        ? 'Look whether the work goes on in another thread: the lock stays held until the thread that locked it unlocks it, or its lease ends.'
        : `Check what ${who(holder)} wrote: it may have worked without the lock.`,
    later: ({ how }) =>
      how === 'never-got-it'
        ? 'Unlock only after tryLock() returned true.'
        : how === 'other-thread'
          ? 'Unlock in the thread that locked. If the work goes on in another thread, pass the id of the locking thread to lockAsync() and unlockAsync(), or use a semaphore.'
          : 'Unlock in the thread that locked, and only after tryLock() returned true. isLocked() does not show whose lock it is: use isHeldByCurrentThread().',
  },
  'unlock-replayed': {
    title: 'An unlock took effect, but its client got no answer',
    explanation: ({ holder, unlockedAt, isPartly, repeat, times }, { who, clock }) =>
      sentences(
        `The unlock by ${who(holder)} at ${clock(unlockedAt)} took effect${isPartly ? ': one count was released' : ': the lock was released'}.`,
        repeat === null &&
          'Its client did not delete the latch of this unlock, as it does after an answer: the answer was lost, or came too late, or was an error. So the caller gets an exception.',
        repeat === 'answered' && 'The answer was lost. The client sent the unlock again and got the stored answer.',
        repeat === 'refused' &&
          'The client seems to have sent it again, and the repeat was refused. So the caller gets an exception.',
        times > 1 && `This happened ${times} times.`,
      ),
    advice: ({ repeat }) =>
      repeat === 'refused'
        ? 'Nothing: the lock was released, and the exception is harmless.'
        : 'Nothing: the lock is not affected, and an exception of this unlock is harmless.',
    later: ({ repeat }) =>
      `Find out why answers are lost: a slow server, the network, or a response timeout that is too short.${repeat === 'refused' ? ' Redisson 3.24.1 and newer remember the first answer.' : ''}`,
  },
  'latch-litter': {
    title: 'A client leaves a key behind with each unlock',
    explanation: ({ client, since, unlocks, keys, keptMs }, { who, clock }) =>
      sentences(
        `Since ${clock(since)}, ${count(unlocks, 'unlock', 'unlocks')} of ${who(client)} left ${unlocks === 1 ? 'its' : 'their'} latch behind, and Redis keeps each for about ${Math.round(keptMs / 1000)} s.`,
        keys > 0 && `About ${count(keys, 'such key is', 'such keys are')} in Redis now.`,
        'Its client is Redisson 3.52.0 to 4.2.0, which deletes the latch under a wrong name.',
      ),
    advice: () => 'Nothing: it only wastes memory.',
    later: () => 'Update Redisson: 4.3.1 deletes its latches.',
  },
  'phantom-hold-count': {
    title: 'One acquisition may have been counted twice',
    explanation: ({ holder, acquiredAt, apartMs, leftAt, endsAt, count: left, waiting }, { who, clock }) =>
      sentences(
        `The attempt of ${who(holder)} seems to have run twice: at ${clock(acquiredAt)}, and again ${apartMs < 1 ? 'at once' : `${(apartMs / 1000).toFixed(1)} s later`}, counted as a re-entry.`,
        'Two jobs that use the same thread id look the same.',
        `Its unlock at ${clock(leftAt)} left ${count(left, 'count', 'counts')}, and no watchdog has renewed the lock since.`,
        endsAt !== null && `Until ${clock(endsAt)} only that thread can take it.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ endsAt }, { clock }) =>
      `${endsAt === null ? 'It is not known when this ends.' : `This ends by itself at ${clock(endsAt)}, if the thread does not lock again.`} A force-unlock ends it now: use it only if no job works under the lock.`,
    later: () =>
      'Set retryAttempts to 0 for the client that locks. A single-server client of 3.37.0 or newer does not repeat an attempt.',
  },
  'rwlock-zombie-reader': {
    title: 'A reader that is gone is kept alive by another client',
    explanation: ({ holder, goneSince, keptBy, waiting }, { who, clock }) =>
      sentences(
        `The client of ${who(holder)} has no open connection${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}.`,
        `The watchdog of ${who(keptBy)} still extends its timeout keys.`,
        'A writer gets the lock only when the lease ends after the last live reader has released.',
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
      ),
    advice: ({ keptBy }, { who }) =>
      `Let the live readers release, such as ${who(keptBy)}: a writer gets the lock one lease later.`,
    later: () =>
      'Update Redisson: since 4.4.0 a client extends only its own readers. A shorter lockWatchdogTimeout makes the wait shorter.',
  },
  'accidental-reentrancy': {
    title: 'Two jobs may use the same thread id',
    explanation: ({ holder, since, lastAt, rises, isMadeUp }, { who, clock }) =>
      sentences(
        `The hold count of ${who(holder)} rose from 1 to 2 ${rises === 1 ? 'once' : `${rises} times`}, last at ${clock(lastAt)}, and did not reach 0 in between${since === null ? '' : ` since ${clock(since)}`}.`,
        isMadeUp && 'No Java thread has such a number: the application passes an id of its own.',
        'Two jobs with one thread id look like this, and are both inside. So do nested calls of one thread.',
      ),
    advice: () => 'Find out whether the calls are nested. If they are not, two jobs worked at the same time.',
    later: () =>
      'Pass a unique id for each job to lockAsync() and unlockAsync(), or use a lock that is not reentrant (Redisson 4.4.0 and newer).',
  },
  'taken-twice-released-once': {
    title: 'One client took the lock twice and released it once',
    explanation: ({ holder, againAt, releasedAt, refusedAt }, { who, clock }) =>
      sentences(
        `${who(holder)} took this lock again at ${clock(againAt)}, while it held it. It released it at ${clock(releasedAt)}, and its second unlock at ${clock(refusedAt)} was refused.`,
        'Redis has one token for this client and does not count, so two of its threads may have worked at once.',
      ),
    advice: () =>
      'Look whether two threads of that process use separate objects for this lock, for example since a registry dropped it from its cache while it was held. Raise the capacity of the registry above the number of held locks.',
  },
};
