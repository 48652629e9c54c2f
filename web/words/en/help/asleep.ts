import type { HelpText } from '../../help-text.ts';

/** Help: a lock is free, but its waiters sleep. */
export const asleep = {
  'missed-wakeup': {
    what: 'A lock was released, but a waiter did not wake up.',
    why: 'Its subscription was cut, or the message was lost. After a reconnect the client subscribes again, but does not look at the lock.',
    shows: 'A wake-up is published, and no attempt follows until the lease that the waiter read has ended.',
    prevent:
      'Find what cuts the connections: output buffer limits, idle timeouts of proxies, failovers. A shorter lockWatchdogTimeout limits the loss.',
    now: 'The waiter asks again at the end of the lease it read. Publishing the unlock message wakes it at once.',
    versions:
      'A cut subscription: seen in 3.16.8, 3.27.2 and 4.7.0. A message lost inside the client was corrected in 3.28.0.',
  },
  'permits-free-waiter-asleep': {
    what: 'Enough permits of a semaphore are free, but a waiter sleeps on.',
    why: 'Each message wakes one waiter. If it asks for several permits, or a message was lost, it may sleep although there are enough.',
    shows:
      'Permits came back, and for 3 s a subscribed waiter has not asked again, though as many as it asks for are free.',
    prevent: 'Wait with tryAcquire() and a limit. Ask for one permit at a time, or upgrade Redisson.',
    now: 'The waiter asks again after the next release, or when its time is over.',
    versions: 'Several permits at once of an expirable semaphore: seen in 3.50.0.',
  },
  'silent-release': {
    what: 'A lock became free without a wake-up, and its waiters still sleep.',
    why: 'Only the last unlock publishes. Eviction, DEL, FLUSHDB, restart and failover do not. Neither does a writer that unlocks and stays a reader.',
    shows: 'The key is gone or readable, the channel has subscribers, and no attempt follows.',
    prevent: 'Release by hand with forceUnlock(). Keep locks on a server that does not evict.',
    now: 'Waiters ask again at the end of the lease they read. Publishing the unlock message wakes them at once.',
    versions: 'A writer that becomes a reader: seen in 3.16.8 and 4.7.0.',
  },
  'subscription-pool-exhausted': {
    what: 'A client has no subscription left for waiters of further locks.',
    why: 'Too many locks are contended at once, or subscriptions leak when a wait ends while SUBSCRIBE is under way.',
    shows:
      'Lock channels with subscribers but without waiters (leak), or a refused attempt with no SUBSCRIBE after it.',
    prevent:
      'Raise subscriptionConnectionPoolSize or subscriptionsPerConnection. Use longer waits in tryLock(), or spin locks, which need no subscription.',
    now: 'If it is a leak, restart the client. If the load is real, enlarge the pool.',
    versions:
      'Leak after a timeout: seen in 3.16.8, 3.27.2, 3.43.0, 3.52.0 and 4.7.0, not in 3.11.6. Leak after an interrupt: seen in all of these.',
  },
  'waiter-asleep-without-limit': {
    what: 'A waiter sleeps without a time limit and needs a message to wake up.',
    why: 'It read a negative time: the lock had no lease, or the waiter of a fair lock was past its deadline.',
    shows:
      'The lock is free, the waiter is subscribed, and it has not asked for longer than any lease it can have read.',
    prevent: 'Do not use PERSIST on locks. For fair locks upgrade to 3.32.0 or later.',
    now: 'Publish 0 on the channel on which the waiter listens.',
    versions: 'Lock without a lease: seen in 3.16.8 and 4.7.0. Fair lock: seen in 3.11.6 and 3.27.2, not in 4.7.0.',
  },
} satisfies Readonly<Record<string, HelpText>>;
