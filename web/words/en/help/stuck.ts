import type { HelpText } from '../../help-text.ts';

/** Help: a lock cannot be unlocked, or no client will unlock it. */
export const stuck = {
  'accidental-reentrancy': {
    what: 'Two jobs may share one thread id, so that both enter the same lock.',
    why: 'A holder is a client and a thread id. With made-up or shared ids, for example in coroutines, a second job looks like re-entry.',
    shows:
      'The hold count rises and falls without reaching 0, or the thread id is one that no Java thread has. Redis alone cannot prove it.',
    prevent:
      'Pass a unique id for each job (lockAsync(threadId)), or use a lock that is not re-entrant (Redisson 4.4.0 and later).',
    now: 'Check in the application which jobs use that thread id.',
  },
  'unlock-by-non-owner': {
    what: 'A thread unlocked a lock that it did not hold. The caller gets an IllegalMonitorStateException.',
    why: 'Another thread unlocks (callbacks, reactive code), unlock() runs in finally after tryLock() returned false, or isLocked() was tested.',
    shows: 'The unlock script stops after it found that this thread does not hold the lock.',
    prevent:
      'Unlock only after tryLock() returned true, on the same thread or thread id. Test isHeldByCurrentThread(). Use a semaphore for hand-overs.',
    now: 'The lock was not changed. Correct the code that unlocks.',
    versions: '3.5.7 reports success when it unlocks a free lock again.',
  },
  'unlock-replayed': {
    what: 'An unlock took effect, but its client got no answer.',
    why: 'The answer was lost, or came too late. The client sends the unlock again, or throws a timeout.',
    shows:
      'A release, then the same unlock again, which is refused or answered from its latch key. Or the latch key is never deleted.',
    prevent:
      'Upgrade to 3.24.1 or later, where a latch key keeps the answer. Look for slow answers (timeout, retryInterval).',
    now: 'Nothing: that unlock was done.',
    versions:
      'Refused repeat: seen in 3.16.8. Answered from the latch: seen in 3.24.3. Not repeated, with a timeout: seen in 3.43.0 and 4.7.0.',
  },
  'holder-crashed-wait-ttl': {
    what: 'The client that holds a lock has no connection left.',
    why: 'Its process was killed or lost the network. No client renews the lock, so it stays until its lease ends.',
    shows: 'No connection of that client, and a lease that counts down without renewals.',
    prevent: 'A shorter lockWatchdogTimeout shortens the wait. Avoid long explicit leases. Unlock on orderly shutdown.',
    now: 'Wait for the countdown. If the lease is long and the process is surely gone, use forceUnlock().',
  },
  'zombie-renewal': {
    what: 'A lock is renewed although no thread seems to work under it.',
    why: 'A thread was interrupted while it acquired the lock, or ended without unlock(). Renewals do not depend on the thread.',
    shows:
      'A hold is renewed far longer than those before it, or its renewals began late, or another client force-unlocked it. Its thread sends nothing.',
    prevent: 'Unlock in finally. After an interrupt in lock() or tryLock(), test isHeldByCurrentThread() and unlock.',
    now: 'Confirm that no thread works under the lock, for example with a thread dump. Then use forceUnlock() or restart the client.',
    versions:
      'After an interrupt: seen in 3.11.6, 3.20.1, 3.24.3, 3.27.2, 3.31.0, 3.36.0, 3.43.0 and 4.7.0, not in 3.16.8 and 3.18.1. After a dead thread: seen in 3.24.3 and 4.7.0.',
  },
  'phantom-hold-count': {
    what: 'A lock was acquired once but counted twice, so one unlock does not free it.',
    why: 'The answer to the first attempt came too late, and the repeat was taken for re-entry.',
    shows:
      'Two acquisitions by the same thread, then a partial release, no renewal, and expiry. Two jobs with one thread id look the same.',
    prevent: 'Set retryAttempts to 0 for locks. Look for answers slower than timeout.',
    now: 'It ends with its lease if that thread stays away. Use forceUnlock() if the thread surely no longer works under it.',
    versions:
      'Single server: seen in 3.16.8, 3.27.2 and 3.36.0. With a replica: seen in 3.43.0 and 4.7.0. Single-server clients since 3.37.0 do not repeat.',
  },
  'no-ttl-lock': {
    what: 'A lock has no end, so it stays if its holder is gone.',
    why: 'SETNX and EXPIRE were two steps, or PERSIST, or SET without KEEPTTL removed the lease. redis-py lock() without timeout never has one.',
    shows: 'PTTL of the key is -1.',
    prevent: 'Use one SET with NX and PX. In Redisson, leave the lease to the watchdog.',
    now: 'If no process works under it, delete the key and publish the unlock message: waiters sleep without a limit.',
  },
  'orphan-job-lock': {
    what: 'The lock of a job is held for hours by a client that is gone.',
    why: 'The worker was killed, and the lock has a very long lease to prevent duplicates.',
    shows: 'A key with hours to live and a creator without connections.',
    prevent: 'Use a lease near the length of the job, or the watchdog (lockWatchdogTimeout).',
    now: 'If the job surely does not run, delete this one key, not the whole cache.',
  },
  'rwlock-zombie-reader': {
    what: 'A reader that is gone keeps a writer waiting.',
    why: 'Another client renews the timeout keys of all readers, also those of a client that crashed.',
    shows: 'A reader without connections whose timeout key is still renewed by another client.',
    prevent: 'Upgrade to Redisson 4.4.0 or later.',
    now: 'The writer gets the lock at most one watchdog timeout after the last live reader has left.',
    versions: 'Seen in 3.16.8, 3.43.0 and 4.3.1, not in 4.7.0.',
  },
  'latch-litter': {
    what: 'Each unlock leaves a small key behind for some seconds.',
    why: 'The client deletes its latch key under a wrong name, so each one stays until it expires.',
    shows: 'Many keys redisson_unlock_latch:…, and deletes of latch keys with the id of the client.',
    prevent: 'Upgrade to Redisson 4.3.1 or later.',
    now: 'Nothing is broken. Watch the memory if there are many unlocks.',
    versions: 'Seen in 3.52.0, 4.0.0, 4.1.0 and 4.2.0, not in 3.51.0 and 4.3.1.',
  },
  'granted-after-timeout': {
    what: 'A lock is held by a thread whose lock() call had already failed.',
    why: 'The attempt ran on the server after the client had stopped waiting, or no replica confirmed it. No watchdog was started.',
    shows:
      'The lock is acquired right after a stall or before a WAIT that timed out. Then no renewal, release or other command of that thread follows.',
    prevent:
      'After lock() or tryLock() throws, unlock as long as isHeldByCurrentThread() returns true. Look for stalls longer than timeout.',
    now: 'It ends with its lease. Use forceUnlock() only if that thread really failed.',
    versions:
      'Single server: seen in 3.43.0 and 4.7.0. With replicas: seen in 3.16.8 and 3.27.2 to 3.46.0, not in 3.24.3, 3.52.0 and 4.7.0.',
  },
  'holder-without-connection': {
    what: 'The client of a holder may be gone: no open connection belongs to it, or all that may be its own have long been silent.',
    why: 'Its process ended before watching began. Or it is paused or cut off, if silent connections may be its own.',
    shows:
      'CLIENT LIST for 10 s or more, while MONITOR shows scripts: another client sends its scripts on each connection, or the connection cannot be one of Redisson. Which connections may be its own is inferred.',
    prevent: 'Use a short lease, or the watchdog: then a lock outlives its process by 30 s at most.',
    now: 'Look whether the process still runs. If it is surely gone, release the lock by hand.',
  },
  'taken-twice-released-once': {
    what: 'One client took a lock twice, released it once, and its second unlock was refused.',
    why: 'Two threads of one process have separate objects for the lock, for example since the registry of Spring Integration dropped a held lock from its cache.',
    shows: 'The same token sets the lock again while it has it, then one release, then a refused one.',
    prevent: 'Raise the cache capacity of the registry above the number of locks that are held at once.',
    now: 'Check what both threads wrote.',
  },
  'threads-waited-long': {
    what: 'Threads wait far longer than the lock is usually held, and it is not handed over.',
    why: 'Most often an unlock was forgotten, or the work under the lock hangs or takes very long. The watchdog renews the lease in any case.',
    shows:
      'A wait of 60 s or more that is 20 times as long as a usual hold, or two leases if no hold was seen, without a new holder in all that time.',
    prevent: 'Unlock in finally. Set a time limit for the work under a lock, and wait with tryLock() and a limit.',
    now: 'Take a thread dump of the holder. If its thread works under the lock, leave it alone. If not, restart the process or use forceUnlock().',
  },
} satisfies Readonly<Record<string, HelpText>>;
