/** What a scenario shows: its promise in the list, and the lesson at its end. */
type Lesson = {
  readonly promise: string;
  /** What happened in the run. */
  readonly what: string;
  /** How the same looks in production. */
  readonly production: string;
  /** What prevents it; for a scenario without trouble, what to keep in mind. */
  readonly prevents: string;
};

const of = {
  'full-show': {
    promise: 'A release wakes the waiter; after a crash its own timer does.',
    what: 'After the release, A’s message woke B at once. After the crash no message came: B slept until the lease expired.',
    production: 'After a kill or deploy, waiters wait for up to 30 seconds: Redisson’s default lease.',
    prevents: 'Release locks at shutdown. A smaller lockWatchdogTimeout shortens the wait after a crash.',
  },
  'two-threads': {
    promise: 'A waiter sleeps until one message wakes it.',
    what: 'B asked twice, then slept without polling. The message of A’s release woke it.',
    production: 'A healthy short wait: two refused attempts, a subscription, and a hand-over within milliseconds.',
    prevents:
      'Call unlock() in a finally block. Otherwise waiters wait until the lease ends, and a watchdog renews it.',
  },
  reentrancy: {
    promise: 'A holder may lock again, and must unlock as often.',
    what: 'A locked twice, so its hold count was 2. Only the second unlock freed the lock.',
    production: 'A missing unlock leaves the hold count above 0, and the waiters wait on.',
    prevents: 'Pair each lock() with one unlock(). The watchdog renews a forgotten hold as long as its process lives.',
  },
  'jdk-contrast': {
    promise: 'A lock that does not store its owner blocks its own thread.',
    what: 'A held a lock that stores no owner, asked for it again, and waited for itself. B’s RLock counted to 2.',
    production: 'One thread waits forever. Its thread dump shows it inside lock(); Redis shows nothing.',
    prevents: 'Use an RLock, or Java’s ReentrantLock, where code may lock again while it holds the lock.',
  },
  'unlock-by-non-owner': {
    promise: 'Only the thread that locked may unlock.',
    what: 'An unlock by another client, by another thread, and a second unlock were all refused. None changed the lock.',
    production: 'The caller gets IllegalMonitorStateException: attempt to unlock lock, not locked by current thread.',
    prevents:
      'Lock and unlock in one thread. In asynchronous code, pass the thread id to lockAsync() and unlockAsync().',
  },
  'trylock-timeout': {
    promise: 'A waiter with a time limit gives up without harm.',
    what: 'B waited for 2 seconds, gave up and unsubscribed. A held the lock all the time.',
    production: 'tryLock() returns false. Redis sees no further attempt, and at most an UNSUBSCRIBE.',
    prevents: 'Prefer tryLock() with a wait time to lock(): a missing release then costs one timeout, not a thread.',
  },
  spin: {
    promise: 'Without a channel, a waiter asks again and again.',
    what: 'B did not subscribe. It asked again after pauses of at most 128 ms, until the lock was free.',
    production: 'Many refused attempts of one thread in a row, and no subscription.',
    prevents: 'getSpinLock() suits holds of milliseconds. For longer holds, a plain RLock costs Redis less.',
  },
  latch: {
    promise: 'One thread waits until three have counted down.',
    what: 'C slept until the count was zero. One message then woke it.',
    production: 'The count stays above zero if a client fails before countDown(). Every waiter waits on.',
    prevents: 'Give await() a time limit. A latch has no lease, so nothing ends the wait by itself.',
  },
  watchdog: {
    promise: 'The watchdog renews the lease while the work goes on.',
    what: 'A held the lock longer than its lease. Its watchdog renewed the lease after each third of it.',
    production: 'A renewal at least every 10 seconds: a third of lockWatchdogTimeout, which is 30 seconds by default.',
    prevents:
      'It works only without an explicit lease. A renewal proves that the process lives, not that the work continues.',
  },
  'no-watchdog': {
    promise: 'A fixed lease may end before the work does.',
    what: 'A took the lock for 3 seconds and worked longer. B got the lock while A still worked.',
    production: 'Two threads work at once. Then unlock() of the first throws IllegalMonitorStateException.',
    prevents:
      'Leave out the lease, so that the watchdog renews it. Otherwise set it above the longest run of the work.',
  },
  fenced: {
    promise: 'A growing token exposes a late writer.',
    what: 'B froze until its lease expired, and C took the lock. B then continued with its token; C had a higher one.',
    production: 'Two processes write at once. The one with the lower token has lost the lock.',
    prevents:
      'Use getFencedLock() and send the token with each write. The storage must reject a token lower than the last.',
  },
  'expirable-semaphore': {
    promise: 'A permit that is not released in time goes to a waiter.',
    what: 'A kept its permit longer than its 4 seconds. C’s script took it, and A’s release was refused.',
    production: 'A release fails, and for a time more threads work than there are permits.',
    prevents: 'Set the lease of a permit above the longest run of the work, or extend it with updateLeaseTime().',
  },
  'fair-queue': {
    promise: 'Waiters are served in the order of their first attempt.',
    what: 'Redis kept the waiters in a list. Each release woke only the first of them.',
    production: 'Two more keys beside the lock: a list with the order, and a sorted set with deadlines.',
    prevents: 'A fair lock is slower: only the head may acquire, even if others are ready. Use it where order matters.',
  },
  'fair-dead-head': {
    promise: 'One dead waiter stops the whole queue.',
    what: 'B died at the head of the queue. The lock was free, but C could not get it before B’s deadline.',
    production:
      'The lock is free and no client gets it, for about 5 minutes per dead waiter. Since 3.32, waiters poll meanwhile.',
    prevents: 'Lower fairLockWaitTimeout (since Redisson 3.46). For tryLock(), its wait time counts instead.',
  },
  'read-write': {
    promise: 'Readers share the lock; a writer holds it alone.',
    what: 'A and B read at the same time while C waited. C then wrote alone, and A waited.',
    production: 'A writer may wait long: while readers hold the lock, each new reader is let in before it.',
    prevents: 'The lock is not fair. Keep reads short, or use getFairLock() if writers must get their turn.',
  },
  semaphore: {
    promise: 'Five permits instead of one holder.',
    what: 'A and B took two of five permits each. C waited for two until A released its permits.',
    production: 'The permits of a crashed client never return: Redis stores a number without owners or leases.',
    prevents: 'Use getPermitExpirableSemaphore(): each permit has an id and may expire.',
  },
  'thundering-herd': {
    promise: 'One release wakes a thread of every client; one of them wins.',
    what: 'Each message woke one thread of every waiting client. One got the lock, the others slept again.',
    production: 'Many refused attempts after each release. With many clients, the CPU of Redis peaks.',
    prevents: 'Hold the lock for less time, split it into several locks, or use getFairLock(): it wakes one waiter.',
  },
  'multi-lock': {
    promise: 'All three locks, or none.',
    what: 'A got one lock, was refused the second, and released the first. Later it got all three.',
    production: 'Callers with different orders may take and release members again and again, and none gets all.',
    prevents: 'Pass the locks to getMultiLock() in one order everywhere, for example sorted by name.',
  },
  redlock: {
    promise: 'A majority of three servers decides.',
    what: 'With one server killed, A got two of three. With two killed, no client could get a majority.',
    production: 'Every attempt fails while most servers are down, although one still answers.',
    prevents:
      'Replace a dead server once the longest lease is over. Redisson has deprecated RedLock: consider an RLock or a fenced lock.',
  },
  deadlock: {
    promise: 'Two locks, taken in opposite order, block both threads.',
    what: 'A held orders:42 and wanted stock:7; B held stock:7 and wanted orders:42. Both leases were renewed.',
    production: 'Two threads stay in lock() while their watchdogs renew. Redisson does not detect this.',
    prevents: 'Take locks in one order everywhere. Use tryLock() with a wait time, so that one thread gives up.',
  },
  'holder-crash': {
    promise: 'A crash sends no message: the lease decides.',
    what: 'A was killed and released nothing. B slept until the lease expired, then took the lock.',
    production: 'After a kill or deploy, waiters wait for up to 30 seconds, or for the rest of an explicit lease.',
    prevents: 'Release locks at shutdown. Keep explicit leases short, or lower lockWatchdogTimeout.',
  },
  'frozen-holder': {
    promise: 'A paused process resumes, and thinks it still holds the lock.',
    what: 'A was paused for longer than its lease, and B took the lock. Then A continued: two worked at once.',
    production:
      'A long garbage collection or a suspended container. The process loses each lock whose lease ends meanwhile.',
    prevents:
      'No lease outlasts every pause. Send a fencing token with each write (getFencedLock()), and watch for pauses.',
  },
  failover: {
    promise: 'The new master does not know the lock.',
    what: 'The master died before its replica had A’s lock. The new master gave the lock to B as well.',
    production: 'Two clients work right after a change of the master. Then a renewal or an unlock is refused.',
    prevents:
      'Keep checkLockSyncedSlaves on, the default since 3.17. A short gap remains, and fencing tokens may repeat after it.',
  },
} satisfies Record<string, Lesson>;

/** The lessons of the scenarios, and the words around them. */
export const lessons = {
  label: 'What this shows',
  went: 'What went wrong',
  happened: 'What happened',
  production: 'In production',
  prevents: 'What prevents it',
  know: 'Good to know',
  lockPage: 'See it on the lock page',
  of: of as Readonly<Record<keyof typeof of, Lesson>>,
};
