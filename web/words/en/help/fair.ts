import type { HelpText } from '../../help-text.ts';

/** Help: the queue of a fair lock. */
export const fair = {
  'fair-head-dead': {
    what: 'A fair lock is free, but the first waiter in its queue is gone.',
    why: 'Only the head may acquire the lock. A dead head stays until its deadline, by default 5 minutes for lock().',
    shows: 'No lock key, a queue that is not empty, and no subscriber on the channel of its head.',
    prevent: 'Lower fairLockWaitTimeout (3.46.0 and later). Use tryLock() with a wait time.',
    now: 'Wait for the deadline, or remove the dead entry from the queue and from its deadlines, then wake the next waiter: with --allow-release, the page of the lock has a button for it.',
    versions: 'Seen in 3.16.8, 3.31.0 and 4.7.0.',
  },
  'fair-timeout-drift': {
    what: 'The deadlines in the queue of a fair lock are much too far ahead.',
    why: 'Each hand-over adds a whole wait budget, but nothing is taken off while the queue is busy.',
    shows: 'A deadline further ahead than the lease plus one wait budget for each place in the queue.',
    prevent: 'Upgrade to 3.11.1 or later, on all clients.',
    now: 'While the lock is free and no client waits, delete the keys of its queue and its deadlines.',
    versions: 'Seen in 3.5.7, not in 3.11.1, 3.11.6, 3.16.8 and 4.7.0.',
  },
  'fair-live-waiter-purged': {
    what: 'A living waiter was evicted from the queue of a fair lock.',
    why: 'It was past its deadline, because the lock was held for longer than the wait budget or the queue was never empty.',
    shows: 'The entry is removed although its private channel still has a subscriber.',
    prevent:
      'Set fairLockWaitTimeout above the longest hold and the longest busy time, or give waits a shorter limit. Upgrade to 3.32.0 or later.',
    now: 'If the waiter does not return to the queue, publish 0 on its private channel.',
    versions: 'Evicted and back at the end: seen in 4.7.0. Asleep without limit: seen in 3.11.6 and 3.27.2.',
  },
  'fair-orphan-entry': {
    what: 'An entry of a fair queue has no deadline, or a deadline has no entry.',
    why: 'One of the two keys was changed alone: an eviction, a lost write, or a clean-up by hand.',
    shows: 'A holder that is in only one of the queue and the list of deadlines.',
    prevent: 'Change both keys together or neither. Keep locks on a server that does not evict.',
    now: 'Remove the entry with LREM. An entry without a deadline never goes away by itself. If it is first and its client is gone, the page of the lock has a button for it with --allow-release.',
    versions:
      '3.27.2: all scripts of the lock fail. 3.31.0: queueing fails. 4.7.0: no error, and tryLock() returns false.',
  },
  'fair-clock-skew': {
    what: 'The clock of a client is ahead, so it evicts other waiters too early.',
    why: 'Deadlines use the clock of each client, and any client may evict the head by its own clock.',
    shows: 'The time that a client sends differs from the time of Redis. An entry is evicted before its deadline.',
    prevent: 'Synchronise the clocks (NTP).',
    now: 'Correct the clock of that host. Evicted waiters of 3.27.2 sleep until they get a message.',
    versions: 'Seen in 3.27.2 and 4.7.0.',
  },
  'fair-hot-loop': {
    what: 'A waiter of a fair lock asks thousands of times a second.',
    why: 'The lock is free but the head of the queue is dead. The script answers “0 ms”, so the client asks again without a pause.',
    shows: 'No lock key, a dead head, and more than 50 attempts a second by one waiter.',
    prevent: 'Lower fairLockWaitTimeout (3.46.0 and later), which shortens the deadline of a dead head.',
    now: 'It ends at the deadline of the head. To end it now, remove the dead entry from the queue and from its deadlines.',
    versions: 'Seen in 3.32.0 and 4.7.0, not in 3.31.0.',
  },
} satisfies Readonly<Record<string, HelpText>>;
