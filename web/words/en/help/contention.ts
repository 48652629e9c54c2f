import type { HelpText } from '../../help-text.ts';

/** Help: many clients want the same locks. */
export const contention = {
  'abba-deadlock': {
    what: 'Threads wait for each other in a circle.',
    why: 'They take the same locks in different orders, or a reader wants to become the writer of its own lock. Redisson does not detect it.',
    shows: 'Each holder is refused a lock that the next one holds, and the circle stays.',
    prevent:
      'Take locks in sorted order. Use tryLock() with a wait time. Release a read lock before the write lock is taken.',
    now: 'Release one of the locks with forceUnlock() after you checked its work. With watchdogs it does not end by itself.',
    versions: 'Two locks: seen in 3.24.3 and 4.7.0. Reader that becomes a writer: seen in 4.7.0.',
  },
  'multilock-livelock': {
    what: 'Callers of multi locks take some members again and again, but never all.',
    why: 'On a refusal all members are released and taken again. Callers with different orders disturb each other.',
    shows: 'The same thread acquires and releases parts of the same members again and again.',
    prevent: 'Pass the members to RedissonMultiLock in the same order everywhere.',
    now: 'Stop one of the callers, then correct the order.',
    versions: 'Seen in 3.16.8 and 4.7.0.',
  },
  'writer-starvation': {
    what: 'A writer waits while readers are admitted again and again.',
    why: 'The read/write lock is not fair. Readers enter while others read, and only the last one wakes the writer.',
    shows: 'The writer is refused, readers come and go, and there is always one.',
    prevent: 'Leave gaps between reads, or use a plain or fair lock (getFairLock) for this job.',
    now: 'Pause the readers until the writer has run.',
    versions: 'Seen in 3.16.8 and 4.7.0.',
  },
  'attempt-flood': {
    what: 'A client asks for a held lock again and again without a pause.',
    why: 'A loop around tryLock() or SET with NX has no pause, or its pause is 0.',
    shows: '2,000 refused attempts or more of one thread or token, 1,000 a second or more.',
    prevent:
      'Pause after each refusal, with a random time that grows, or use a lock that wakes its waiters by a message.',
    now: 'Find that client by its address, and stop the loop: it takes time from all clients of this Redis.',
  },
  convoy: {
    what: 'Many threads wait for one lock all the time, while it is handed over again and again.',
    why: 'Holds are short, but there are more of them than fit one after the other.',
    shows: 'For 30 s, 5 threads or more wait, and the lock is handed over.',
    prevent: 'Hold the lock for less time, divide it into several names, or let fewer threads ask for it.',
    now: 'Do not release it by hand: each holder is about to do so.',
  },
  'thundering-herd': {
    what: 'Each release wakes many threads, and all but one ask without success.',
    why: 'One message wakes a thread of each client, and all waiters of a read/write lock.',
    shows: 'Many refused attempts within 50 ms after each wake-up.',
    prevent:
      'Divide the lock into several names. Use getSpinLock() with back-off, or a fair lock, which wakes one waiter.',
    now: 'Reduce the number of waiters, for example with a local lock in each process.',
    versions: 'Seen with read/write locks in 3.24.3 and 4.7.0.',
  },
} satisfies Readonly<Record<string, HelpText>>;
