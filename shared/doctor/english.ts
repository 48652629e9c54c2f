import { count } from '../base/count.ts';
import { sight } from './english-sight.ts';
import type { Finding } from './finding.ts';
import type { FindingText, FindingTexts, ValuesOf } from './finding-values.ts';

const MATTER = {
  eviction: 'Eviction',
  memory: 'Memory',
  persistence: 'Restart of Redis',
  saving: 'Saving to disk',
  replication: 'Failover',
  role: 'Role',
  clock: 'Clock',
  'output-limit': 'Output limit of subscribers',
  'idle-connections': 'Idle connections',
  'max-clients': 'Number of connections',
  scripts: 'Slow scripts',
  'key-events': 'Key events',
  monitor: 'MONITOR',
  rights: 'Rights of this user',
  clients: 'Versions of clients',
  version: 'Server and protocol',
} as const;

/** The English text of each finding. */
export const ENGLISH: FindingTexts = {
  matters: MATTER,
  unread: (name, values) => ({ title: `${name}: unknown`, why: whyUnread(values), advice: adviceUnread(values) }),
  texts: {
    'evicts-nothing': ({ isWithoutLimit }) => ({
      title: 'Redis evicts no lock',
      why: isWithoutLimit
        ? 'maxmemory is 0: Redis has no limit, so it evicts nothing, whatever its policy is.'
        : 'The policy is noeviction: with full memory, Redis refuses writes instead of deleting keys.',
      advice: '',
    }),
    evicts: ({ policy, isTtlOnly, evicted, canProtect }) => ({
      title: 'Redis may evict locks',
      why:
        `With full memory, the policy ${policy} deletes ${isTtlOnly ? 'keys that have a TTL, and a lock has one' : 'any key, also a lock'}. ` +
        'The lock is then free while its holder still works, and no waiter is woken.' +
        (evicted === null || evicted === 0 ? '' : ` ${count(evicted, 'key')} were evicted since the counters began.`),
      advice:
        'Use noeviction, or keep locks on a server of their own, without a cache.' +
        (canProtect
          ? ' BLESS SET KEY NO-EVICT protects a key that stays, such as a semaphore or a fencing token. A lock’s key is new after each release, and not protected then.'
          : ''),
    }),
    'memory-left': ({ percent }) => ({
      title: 'Memory is left',
      why: `${percent} % of maxmemory is used.`,
      advice: '',
    }),
    'memory-nearly-full': ({ percent }) => ({
      title: percent >= 100 ? 'Memory is full' : 'Memory is nearly full',
      why: `${percent} % of maxmemory is used. When it is full and nothing can be evicted, Redis answers OOM: no lock can be taken, and unlocks fail too.`,
      advice: 'Raise maxmemory, or find out which keys grow.',
    }),

    'nothing-saved': () => ({
      title: 'After a restart, every lock is gone',
      why: 'Redis saves nothing: neither an AOF nor snapshots. Holders that still work think they hold their locks, and others take them.',
      advice: 'Switch on the AOF, or delay a restart of Redis by the longest lease.',
    }),
    'snapshots-only': () => ({
      title: 'After a crash, locks are as in the last snapshot',
      why: 'Locks acquired since the last snapshot are gone. Locks released since then are back until their lease ends.',
      advice: 'Switch on the AOF.',
    }),
    'aof-always': () => ({
      title: 'Locks survive a restart',
      why: 'Every write is on disk before Redis answers (appendfsync always).',
      advice: '',
    }),
    'aof-every-second': () => ({
      title: 'A failure of the machine may lose about a second of locks',
      why: 'Redis writes its AOF to disk once a second (appendfsync everysec). Locks acquired in the last second may be gone afterwards, while their holders still work.',
      advice: 'If that is too much, use appendfsync always. Each write then waits for the disk.',
    }),
    'aof-by-system': () => ({
      title: 'A failure of the machine may lose many seconds of locks',
      why: 'The operating system decides when the AOF is written to disk (appendfsync no): on Linux often after 30 s.',
      advice: 'Use appendfsync everysec or always.',
    }),
    'aof-unknown-sync': () => ({
      title: 'How many locks a failure may lose is unknown',
      why: 'The AOF is on. How often it is written to disk (appendfsync) could not be read.',
      advice: '',
    }),
    'saves-work': () => ({
      title: 'No snapshot failed last',
      why: 'The last snapshot did not fail, or there was none yet.',
      advice: '',
    }),
    'save-failed': ({ what }) => ({
      title: what === 'aof' ? 'The AOF could not be written' : 'The last snapshot failed',
      why:
        what === 'aof'
          ? 'Redis then refuses writes with MISCONF: locks, unlocks and renewals fail.'
          : 'Unless stop-writes-on-bgsave-error is off, Redis then refuses writes with MISCONF: locks, unlocks and renewals fail.',
      advice: 'Check the disk and the log of Redis.',
    }),

    'no-replica': () => ({
      title: 'No replica is connected',
      why: 'A failover cannot lose locks here. If this server is down, no lock can be taken.',
      advice: '',
    }),
    'replicas-unconfirmed': ({ replicas }) => ({
      title: 'A failover may lose the newest locks',
      why: `Redis answers before ${replicas === 1 ? 'its replica has' : `its ${replicas} replicas have`} the write. If it fails then, the new master does not know the lock and gives it to a second holder.`,
      advice:
        'With min-replicas-to-write, a master without replicas refuses locks, which makes the loss smaller but does not end it. Since 3.12.5 Redisson sends WAIT after each lock if it is configured with replicas; 3.51.0 was seen to send none to Redis 7.0. checkLockSyncedSlaves is on by default since 3.17.',
    }),
    'replicas-required': ({ replicas, least }) => ({
      title: 'A failover may lose the newest locks, for a short time only',
      why: `Redis answers before its replicas have the write. It refuses writes while ${least === null ? 'too few' : `fewer than ${least}`} of them are connected (${replicas} are now), so a master that is cut off stops giving out locks.`,
      advice: '',
    }),
    'replicas-missing': ({ present, least }) => ({
      title: 'Redis refuses writes: too few replicas',
      why: `min-replicas-to-write asks for ${least}, and ${present} are connected in time. Redis answers NOREPLICAS: locks, unlocks and renewals fail.`,
      advice: 'Bring the replicas back. Without the setting, Redis takes writes again, and a failover may lose locks.',
    }),
    'replica-late': ({ lagSeconds }) => ({
      title: 'A replica is late',
      why: `${lagSeconds === null ? 'A replica is not in step.' : `A replica was last heard ${count(lagSeconds, 'second')} ago, or is still being filled.`} A failover to it loses the locks acquired since.`,
      advice: 'Check its connection and its load before you fail over.',
    }),
    'replica-connected': () => ({
      title: 'This replica follows its master',
      why: 'Its link to the master is up. What it shows may be a little late.',
      advice: '',
    }),
    'replica-cut-off': () => ({
      title: 'This replica has lost its master',
      why: 'What it shows is old. If it becomes the master, locks acquired since are lost.',
      advice: 'Check the link to its master.',
    }),
    'is-master': () => ({ title: 'This is a master', why: 'Locks are taken here.', advice: '' }),
    'is-replica': () => ({
      title: 'This is a replica',
      why: 'Locks are taken on its master. Here they are seen later, and not which client asked. Eviction, memory and saving matter on the master: they are not examined here.',
      advice: 'Give Lockscope the URL of the master, or of the Sentinels.',
    }),

    'clock-close': (bounds) => ({
      title: 'The clocks agree',
      why: `Redis’s clock and the clock of the machine that runs Lockscope differ by ${range(bounds)}. The machines of your application were not compared.`,
      advice: '',
    }),
    'clock-apart': (bounds) => ({
      title: 'The clocks differ',
      why: `Redis’s clock differs from the clock of the machine that runs Lockscope by ${range(bounds)}. A fair lock computes the deadlines of its queue by the clocks of its clients: a client whose clock is wrong removes waiters that are alive.`,
      advice: 'Let all machines follow the same time servers (NTP), and check which clock is wrong.',
    }),
    'clock-unclear': (bounds) => ({
      title: 'Whether the clocks agree is unknown',
      why: `Redis answers so slowly that the difference can be ${range(bounds)}.`,
      advice: 'Try again from a machine that is closer to Redis.',
    }),

    'output-limited': ({ megabytes }) => ({
      title: 'Output for subscribers is limited',
      why: `Redis keeps ${megabytes} MB at most for a subscriber that does not read, which is enough for wake-up messages.`,
      advice: '',
    }),
    'output-unlimited': () => ({
      title: 'Output for subscribers has no limit',
      why: 'If Lockscope or a waiting client stops reading, its messages fill the memory of Redis. MONITOR runs for 5 minutes at most here.',
      advice: 'Set the limit that Redis has by default.',
    }),
    'output-limit-small': ({ kilobytes }) => ({
      title: 'The output limit of subscribers is small',
      why: `Redis closes a subscription that has ${kilobytes} KB unread. A waiter whose subscription is closed misses its wake-up and sleeps until its own timer.`,
      advice: 'Set the limit that Redis has by default.',
    }),
    'idle-kept': ({ keepaliveSeconds }) => ({
      title: 'Redis keeps idle connections, and notices dead ones',
      why: `Redis closes no idle connection. A client that is gone is noticed by TCP keepalive after about ${count(2 * keepaliveSeconds, 'second')}.`,
      advice: '',
    }),
    'idle-closed': ({ seconds }) => ({
      title: `Redis closes connections that are idle for ${count(seconds, 'second')}`,
      why: 'Subscriptions are not affected. A client that is paused or sends no PING must connect again before it can renew or release its lock. Redisson sends a PING every 30 s by default.',
      advice: 'Set timeout to 0, or to well above the interval of pings.',
    }),
    'no-keepalive': () => ({
      title: 'Redis does not notice dead connections',
      why: 'TCP keepalive is off: the connection of a machine that has failed stays in the list of clients, so its holder looks alive.',
      advice: 'Set tcp-keepalive.',
    }),
    'connections-left': ({ connected, most }) => ({
      title: 'More clients can connect',
      why: `${connected} of ${most} connections are in use.`,
      advice: '',
    }),
    'connections-nearly-full': ({ connected, most }) => ({
      title: 'Redis is nearly out of connections',
      why: `${connected} of ${most} connections are in use. A client that cannot connect cannot renew or release its locks.`,
      advice: 'Raise maxclients, or find out which clients leave connections open.',
    }),
    'script-limit': ({ ms }) => ({
      title: 'A script that takes too long can be ended',
      why: `Redis runs nothing else during a script, also no renewal. After ${count(ms, 'ms', 'ms')} it answers BUSY, and SCRIPT KILL can end a script that has written nothing.`,
      advice: '',
    }),
    'no-script-limit': () => ({
      title: 'A script that never ends blocks every lock',
      why: 'Redis runs nothing else during a script, also no renewal. Without a limit it answers nothing at all meanwhile, so the script cannot be ended.',
      advice: 'Set the limit that Redis has by default.',
    }),
    ...sight,
  },
};

/** The text of a finding in one language. */
export function textOf(
  { id, code, values }: Pick<Finding, 'id' | 'code' | 'values'>,
  words: FindingTexts,
): FindingText {
  if (code === 'unread') return words.unread(words.matters[id], values as ValuesOf<'unread'>); // the code has these values
  const text = words.texts[code] as (given: unknown) => FindingText; // the code has these values
  return text(values);
}

function whyUnread({ command, why, quote }: ValuesOf<'unread'>): string {
  switch (why) {
    case 'no-permission':
      return `This user may not run ${command}.`;
    case 'no-command':
      return `This server has no ${command}: it was renamed or removed.`;
    case 'not-reported':
      return `Redis answered, but without a value that is known here: ${quote}.`;
    case 'other':
      return quote === '' ? `Redis did not answer ${command}.` : `Redis answered ${command} with "${quote}".`;
  }
}

function adviceUnread({ command, why }: ValuesOf<'unread'>): string {
  switch (why) {
    case 'no-permission':
      return 'Grant it:';
    case 'no-command':
      return command === 'ACL DRYRUN'
        ? 'It exists since Redis 7.'
        : 'Rights cannot change that. Look into the configuration file, or the console of the service that runs Redis.';
    default:
      return '';
  }
}

function range({ lowMs, highMs }: { lowMs: number; highMs: number }): string {
  return `${inMs(lowMs)} to ${inMs(highMs)}`;
}

function inMs(ms: number): string {
  const size = Math.abs(ms);
  const text =
    size < 10 ? `${ms.toFixed(1)} ms` : size < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(0)} s`;
  return ms > 0 ? `+${text}` : text;
}
