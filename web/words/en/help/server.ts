import { advisedKeyEvents } from '../../../../shared/base/key-event-flags.ts';
import type { HelpText } from '../../help-text.ts';

/** Help: the server, its rights and what it shows. */
export const server = {
  'acl-denied': {
    what: 'The ACL denies a lock client a key or a channel.',
    why: 'Its rules allow the lock, but not the keys and channels that belong to it. The unlock script passes its channel as a key.',
    shows:
      'Entries in ACL LOG with the name of the key or channel. Without them: SUBSCRIBE refused with NOPERM, or a script that ended at its PUBLISH.',
    prevent: 'Allow ~redisson_* and &redisson_* beside the names of the locks.',
    now: 'Change the rules with ACL SETUSER. A lock can be free although its unlock failed; its waiters are not woken.',
    versions: 'Seen in 3.16.8 and 4.7.0.',
  },
  'replica-sync-tax': {
    what: 'Each lock call waits about a second for replicas.',
    why: 'Redisson sends WAIT after each lock script. A replica that is slow or gone costs the whole timeout.',
    shows: 'WAIT or WAITAOF follows lock scripts, and the next command of that client comes about a second later.',
    prevent:
      'Repair the replica. Choose slavesSyncTimeout. checkLockSyncedSlaves=false gives up the protection at a failover.',
    now: 'Look at the replication lag in INFO replication.',
    versions: 'If no replica confirms: 3.16.8 and 3.27.2 to 3.46.0 leave the lock held; 3.24.3 and 3.52.0 release it.',
  },
  'topology-churn': {
    what: 'Clients send lock scripts to a server that no longer has the lock.',
    why: 'After a failover or a move of slots their map is stale, or a former master is still addressed.',
    shows: 'MOVED, READONLY or NOSCRIPT errors rise, and the same scripts repeat.',
    prevent: 'Keep scanInterval short enough, and upgrade Redisson.',
    now: 'Restart the clients that still send to the wrong server.',
    versions: 'READONLY after a failover: seen in 3.27.2 and 4.7.0.',
  },
  'slow-script-busy': {
    what: 'Redis stood still for a long command, and no lock could be renewed.',
    why: 'One script or command ran for longer than leases or response timeouts.',
    shows: 'A hole in the commands, BUSY errors or an entry in SLOWLOG, then leases of several clients end together.',
    prevent: 'Divide long scripts and commands. Set lockWatchdogTimeout well above the longest of them.',
    now: 'Find the command in SLOWLOG. SCRIPT KILL ends a script that has not written anything.',
    versions: 'After it, 3.11.6 and 3.24.3 no longer renewed their locks.',
  },
  'server-refuses-writes': {
    what: 'Redis refuses writes, so locks cannot be acquired or released.',
    why: 'The memory is full (OOM), saving to disk failed (MISCONF), too few replicas are connected (NOREPLICAS), or a part of the cluster has no master (CLUSTERDOWN).',
    shows: 'Scripts stop before their first write, and these errors rise.',
    prevent: 'Keep memory free, watch the disk and the replicas, and keep locks apart from caches.',
    now: 'Remove the cause. Until then locks end only when their leases do. Without OOM, renewals fail too.',
    versions: 'Seen in 3.16.8 and 4.7.0.',
  },
  'key-name-collision': {
    what: 'One name is used for a lock and for something else.',
    why: 'A data key has the name of the lock, two types of locks share a name, or two environments share a server.',
    shows: 'The type of the key does not fit the lock, WRONGTYPE errors rise, or SET replaces a held lock.',
    prevent: 'Give lock names a prefix for application and environment. Use one type of lock for each name.',
    now: 'Rename one of the two. Until then the lock may protect nothing.',
    versions: 'Two types on one name break exclusion without an error: seen in 3.16.8 and 4.7.0.',
  },
  'quorum-error-without-cause': {
    what: 'node-redlock reports that it reached no quorum, without the cause.',
    why: 'The lock was contended, had expired, holds data, or the script never ran. The library reports all of them alike.',
    shows: 'The calls inside its scripts differ: refused by another token, or token gone, or no script at all.',
    prevent: 'Adjust retryCount and retryDelay of node-redlock to the length of the holds.',
    now: 'Look at the events of that lock: they show the holder and the time left.',
    versions: 'Seen in node-redlock 5.0.0-beta.2.',
  },
  'semaphore-permit-drift': {
    what: 'A semaphore has lost permits, or has too many.',
    why: 'A plain semaphore is a number without holders. A crash keeps permits, and a second release adds some.',
    shows: 'Clients that acquired permits are gone, or releases exceed acquisitions.',
    prevent: 'Use RPermitExpirableSemaphore, whose permits have ids and leases.',
    now: 'Correct the number with addPermits() after you counted who really works.',
    versions: 'Seen in 3.16.8 and 4.7.0.',
  },
  'permits-beyond-limit': {
    what: 'More permits of a semaphore are out than exist.',
    why: 'A permit was released twice, or clients were started with different limits.',
    shows:
      'The permits taken and not released are more than the number that was set, or than a client with a permit allows.',
    prevent: 'Release each permit once, and give all clients the same limit.',
    now: 'Count who really works, and stop those that are too many.',
    versions: 'Both semaphores of Redisson, redis-semaphore 5.8.0 and effect-distributed-lock 0.0.11.',
  },
  'events-off': {
    what: 'Lockscope does not see when leases end, because keyspace events are off.',
    why: 'They are off by default, and some managed services forbid CONFIG.',
    shows: 'No event arrives for changes of keys.',
    prevent: `Set notify-keyspace-events to ${advisedKeyEvents()}, or to what "lockscope doctor" prints for your server.`,
    now: 'Turn the events on in the configuration of the server. Until then, ends of leases are inferred.',
  },
  'released-before-commit': {
    what: 'The lock was exclusive, but data may still collide.',
    why: 'The lock is released before the surrounding transaction commits, so the next holder reads old data.',
    shows: 'Clean acquisitions and releases without overlap. Redis cannot show the commit.',
    prevent: 'Take the lock outside the transaction: lock, begin, commit, unlock.',
    now: 'Look for a commit after the unlock in the application.',
  },
} satisfies Readonly<Record<string, HelpText>>;
