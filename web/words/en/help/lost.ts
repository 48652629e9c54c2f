import type { HelpText } from '../../help-text.ts';

/** Help: a lock was lost while its holder still worked. */
export const lost = {
  'lease-shorter-than-work': {
    what: 'A lock had a fixed lease, and the work took longer. The lock ended, and another thread could take it.',
    why: 'A lease passed to lock(10, SECONDS) or tryLock(wait, lease, unit) switches the watchdog off, so nothing renews it.',
    shows:
      'The first expiry time is that lease and no renewal follows. The key expires, another holder acquires the lock, and the unlock of the first is refused.',
    prevent:
      'Leave the lease out, so that the watchdog renews it (lockWatchdogTimeout). Otherwise choose a lease above the 99th percentile of the work.',
    now: 'Check what both holders wrote while they overlapped.',
  },
  'watchdog-starved': {
    what: 'A client could not renew its locks in time, and lost them together.',
    why: 'The process did not run: a long garbage collection, 100 % CPU, or a suspended container. All its locks share one timer.',
    shows:
      'All renewals of one client stop at the same time and its connections are idle. Late renewals then find no lock.',
    prevent:
      'Remove the pauses. A longer lockWatchdogTimeout only buys time. Guard writes with a fencing token (RFencedLock).',
    now: 'Look at garbage collection and CPU of that process at that time. Check what it wrote after the pause.',
  },
  'renewal-broken-after-error': {
    what: 'A client that is alive stopped renewing one lock, which then expired.',
    why: 'After a renewal that timed out, or with a stale entry in its table, the client no longer renews that lock. If Redis does not have the script of the first renewal and answers too late, the client does not load it in time.',
    shows:
      'Renewals of the lock stop, or never begin, while the same client sends other commands. Or a renewal arrives twice at the same instant, and Redis runs no command for it. The key expires after one watchdog timeout.',
    prevent: 'Upgrade Redisson. Avoid stalls of the server that are longer than the setting timeout.',
    now: 'Check what was written after the expiry. If every hold of that name expires without a renewal, restart the client.',
    versions:
      'Renewal ends after a timeout: seen in 3.16.8 and 3.43.0, not in 3.44.0 and 4.7.0. Stale entry: seen in 3.11.6, not in 3.16.8. After a lock taken and released twice: seen in 3.44.0 and 3.45.1, not in 3.43.0 and 3.46.0. First renewal lost in a stall: seen in 3.46.0 and 4.7.0, not in 3.44.0.',
  },
  'watchdog-batch-failure': {
    what: 'The renewal of many locks in one script failed, so a client lost all of them.',
    why: 'One script renews up to 100 locks. With a single-server configuration on a cluster node, two locks in different slots make Redis refuse it.',
    shows:
      'CROSSSLOT errors rise every third of the watchdog timeout. No lock of that client is renewed, but its other scripts run. Readers: a timeout key is not renewed with its lock.',
    prevent: 'Use the cluster configuration (useClusterServers), or set lockWatchdogBatchSize to 1.',
    now: 'Change the configuration and restart the client. Check what was written after the locks expired.',
    versions:
      'Seen in 3.44.0, 4.0.0 and 4.7.0, not in 3.43.0. An upgrade alone does not help. Readers: seen in 3.46.0 and 3.52.0, not in 3.43.0 and 4.0.0.',
  },
  'failover-lock-lost': {
    what: 'A master was replaced or restarted, and a lock that was held is missing on the new one.',
    why: 'Replication is asynchronous: the promoted replica may not have received the lock. A restart without persistence loses all locks.',
    shows:
      'The role or run id of the server changed. The key is gone although its lease had not ended, and no delete or expiry was seen. A RedLock is not reported while more than half of its watched servers have it.',
    prevent: 'Keep checkLockSyncedSlaves on. Use fencing tokens (RFencedLock) where two holders would do harm.',
    now: 'Check what both holders wrote. Waiters may sleep until the lease that they read has ended.',
    versions:
      '3.11.6 does not wait for replicas. 3.51.0 sends no WAIT after its first probe on a server without WAITAOF (7.0.15); 3.52.0 does.',
  },
  'evicted-lock-key': {
    what: 'Redis evicted the key of a lock to free memory.',
    why: 'Locks share the server with a cache. The policies allkeys-* may evict any key, and volatile-* any key with a lease.',
    shows: 'The event evicted for the key of the lock, and a rising count of evicted keys. No wake-up was published.',
    prevent: 'Keep locks on a server with maxmemory-policy noeviction.',
    now: 'Free memory. Check what the old holder and a new one wrote. Waiters sleep until the lease that they read has ended.',
  },
  'operator-delete-or-flush': {
    what: 'A command that is not part of a lock library took a held lock away.',
    why: 'An operator, a clean-up job or a cache clear ran DEL, UNLINK, FLUSHDB or FLUSHALL, or a command that moves or replaces the key, such as RENAME, MOVE, SWAPDB or SET.',
    shows: 'A plain command took the key away. No wake-up was published, so waiters still sleep.',
    prevent:
      'Keep locks apart from caches. Forbid FLUSHDB and FLUSHALL with an ACL. Release by hand with forceUnlock(), which also wakes waiters.',
    now: 'Check what two holders wrote. To wake waiters at once, publish the unlock message on the channel of the lock.',
  },
  'lost-before-watching': {
    what: 'A thread works without a lock that it took, and lost, before Lockscope watched the server.',
    why: 'Its lease ended, or its key was deleted, evicted or lost in a failover. Which one was not seen.',
    shows:
      'Redis refused a renewal or unlock of a thread that has not taken the lock since watching began. Only clients that renew and unlock nothing but their own holds count.',
    prevent: 'Keep Lockscope running, or use --store: then the cause is seen as well.',
    now: 'Check what the thread wrote, and whether another thread held the lock meanwhile.',
  },
  'foreign-delete': {
    what: 'A client deleted a lock that another client held.',
    why: 'A home-made unlock uses plain DEL, or reads the owner and deletes in two steps.',
    shows: 'The token of one client expired, another client set its own, and the first client then deleted the key.',
    prevent: 'Compare and delete in one script, or use RLock, whose unlock checks the holder.',
    now: 'Correct the unlock of that client. Check what the clients wrote since then.',
  },
  'fencing-token-back': {
    what: 'A fenced lock issued a token that was not above an earlier one.',
    why: 'Its counter was deleted, evicted, set back by a restored backup, or lost in a failover. A release never deletes it.',
    shows: 'Two acquisitions of one lock, the later one with the lower token.',
    prevent:
      'Leave out `redisson_lock_token:*` when keys are deleted, and use a policy that evicts only keys with a lease.',
    now: 'If storage checks the tokens, set the counter to the highest one that was issued. Then the next token is above it.',
  },
  'redlock-node-restart': {
    what: 'A RedLock lost its majority because one of its servers restarted empty.',
    why: 'Renewals only extend keys that exist. Each restart removes one copy of the lock.',
    shows:
      'The run id of one server changed. The lock is on fewer than half of the servers, and renewals on the restarted one find nothing.',
    prevent:
      'Wait longer than the longest lease between restarts, or give the servers persistence. RedLock is deprecated in Redisson; RLock or RFencedLock replace it.',
    now: 'Treat the lock as not exclusive: check what its holders wrote. Its unlock may report success all the same.',
    versions: 'Seen with RedLock of Redisson 3.16.8 and 4.7.0.',
  },
  'read-renewal-lost': {
    what: 'A reader lost its read lock while it worked, so a writer ran at the same time.',
    why: 'The client counts a read lock that was taken twice wrongly. When another thread of it releases, it stops renewing this one.',
    shows:
      'One reader releases, renewals for the remaining reader of the same client stop, and its timeout key expires.',
    prevent: 'Upgrade Redisson to 4.7.0. Until then, do not take a read lock twice in one thread.',
    now: 'Check what the reader used while the writer wrote. Restart the client to clear its table.',
    versions: 'Seen in 3.44.0, 3.46.0, 3.52.0, 4.3.1 and 4.6.1, not in 3.43.0 and 4.7.0.',
  },
  'renewal-overdue': {
    what: 'A watchdog that renewed a lock before is late.',
    why: 'The client may be paused or disconnected, or its renewal may have failed. The lock may be lost soon.',
    shows: 'Renewals came every third of the watchdog timeout, and the next one has not arrived.',
    prevent: 'Avoid long pauses of the process. A longer lockWatchdogTimeout bridges short ones.',
    now: 'Look at the process of the holder now. If the renewal does not come, the lock ends with its lease.',
  },
} satisfies Readonly<Record<string, HelpText>>;
