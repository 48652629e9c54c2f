import { count } from '../../base/count.ts';
import type { Millis } from '../../base/time.ts';
import type { StuckValues } from '../values/stuck.ts';
import type { WordsOf } from '../words.ts';
import { lengthText, sentences } from './sentences.ts';

/** What ends within this time is waited for. */
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
    later: () => 'After a failed lock(), test isHeldByCurrentThread() and unlock.',
  },
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
  'no-ttl-lock': {
    title: 'A held lock never expires',
    explanation: ({ holder, since, isGone, goneSince, isRedisson, waiting }, { who, clock }) =>
      sentences(
        since === null
          ? `${who(holder)} holds this lock, and its key has no expiry.`
          : `${who(holder)} has held this lock since ${clock(since)}, and its key has no expiry.`,
        isGone &&
          `Its client has no open connection${goneSince === null ? '' : `, last seen at ${clock(goneSince)}`}, so the lock stays for ever.`,
        waiting > 0 && `${count(waiting, 'thread waits', 'threads wait')} for it.`,
        isRedisson && waiting > 0 && 'A waiter that reads no expiry sets no timer: only a message wakes it.',
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
        ? 'Find the PERSIST or the restore that removed the expiry.'
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
        `${who(holder)} held this lock before watching began, and its client has sent nothing since.`,
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
  'threads-waited-long': {
    title: 'Threads have waited long',
    explanation: (
      {
        holder,
        refusedAt,
        isPermit,
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
            ? `Permit ${who(holder)} was taken ${heldSince === null ? 'before watching began' : `at ${clock(heldSince)}`}, and is not back.`
            : heldSince === null
              ? `${who(holder)} held it before watching began, and still holds it.`
              : `${who(holder)} has held it since ${clock(heldSince)}.`),
        !isPermit && others > 0 && `${count(others, 'other thread holds', 'other threads hold')} it as well.`,
        isConnected &&
          `${others > 0 && holder !== null ? `The client of ${who(holder)}` : 'Its client'} is connected${isRenewed ? ', and the lease is renewed' : ''}.`,
        !isConnected && isRenewed && 'Its lease is renewed.',
        usualMs !== null && `The ${holds} holds before it took about ${lengthText(usualMs)} each.`,
      ),
    advice: ({ holder, isPermit, others }, { who }) =>
      holder === null
        ? 'If they still wait, read the key of the lock: HGETALL shows its holder, PTTL its lease. Then take a thread dump of that process.'
        : isPermit
          ? 'Look for the threads that took permits and did not release them. Redis does not show which clients have permits: take thread dumps of the processes that use this semaphore. If a permit is surely lost, restart its process, or release the permit by its id.'
          : `Take a thread dump of the process of ${who(holder)}: it shows whether that thread still works under the lock, or has gone on without an unlock. If it works, leave the lock alone. If it does not, restart the process${others > 0 ? ': a release by hand takes the lock from its other holders as well' : ', or release the lock by hand'}.`,
    later: () => 'Unlock in finally, and limit the time that the work under a lock may take.',
  },
};
