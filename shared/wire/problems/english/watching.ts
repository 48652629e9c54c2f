import { areBesideLocks } from '../keys-beside-locks.ts';
import type { ReplicationRefusal, SightCode, TextsOf, ValuesOf, WatchingCode } from '../values.ts';
import { grantText, refusalsOf } from './redis.ts';

/** The observer of a source and its level, in English. */
export const WATCHING_TEXTS: TextsOf<WatchingCode> = {
  'too-many-shards': ({ refused, most, needsMb }) => ({
    message: `${refused} more shards are not watched: Lockscope watches at most ${most}${needsMb === null ? '' : ' with this limit for its memory'}.`,
    hint:
      needsMb === null
        ? 'Watch some of them by their own URLs, with another Lockscope.'
        : `Start it with --memory ${needsMb}mb, or watch some of them by their own URLs, with another Lockscope.`,
  }),
  'observer-ended': (values) => ({
    message: `The observer of this source ended: ${causeOf(values)}.`,
    hint: nextOf(values),
  }),
  'observer-busy': ({ seconds }) => ({
    message: `The observer of this source did not answer within ${seconds} s.`,
    hint: 'Ask again later, or for less.',
  }),
  'observer-failed': ({ quote }) => ({
    message: `The observer of this source could not answer: ${quote}.`,
    hint: 'Please report this.',
  }),
  'observer-silent': ({ silentMs }) => ({
    message: `The observer of this source has not answered for ${Math.round(silentMs / 1000)} s.`,
    hint: 'Outside a fleet, Lockscope ends a silent observer after a minute and starts it again. In a fleet, its standby takes over, if it has one.',
  }),
  'monitor-refused': ({ user }) => ({
    message: `User ${user} may not run MONITOR.`,
    hint: `To allow it: ACL SETUSER ${user} +monitor. Until then level events shows holders and leases.`,
  }),
  'subscribe-refused': ({ user, grant }) => ({
    message: `User ${user} may not subscribe to key events.`,
    hint: grantText(grant),
  }),
  'replica-monitor': () => ({
    message: 'This server is a replica: MONITOR shows what its master did, but not which client asked for it.',
    hint: 'Watch its master instead.',
  }),
  'no-output-limit': ({ isKnown }) => ({
    message: `${isKnown ? 'This Redis has no output limit' : 'Lockscope cannot read the output limit of this Redis'} for pub/sub clients, so MONITOR may run for 5 minutes at most.`,
    hint: 'Choose 5 minutes or less. To change it: CONFIG SET client-output-buffer-limit "pubsub 32mb 8mb 60", and +config|get for this user.',
  }),
  'over-budget': ({ costShare, redisCpuShare }) => ({
    message: `MONITOR would take about ${percent(costShare)} % of a core of this Redis${redisCpuShare === null ? '' : ` (Redis uses ${percent(redisCpuShare)} % now)`}.`,
    hint: 'Send "force": true to switch it on all the same, for a short time.',
  }),
  'output-waited': ({ megabytes }) => only(`${megabytes} MB of MONITOR output waited in Redis.`),
  'behind-redis': ({ behindMs }) => only(`Lockscope was ${(behindMs / 1000).toFixed(1)} s behind Redis.`),
  'slow-replies': ({ pingMs, beforeMs }) => only(`A PING took ${pingMs} ms, and ${beforeMs} ms before MONITOR.`),
  'buffer-full': ({ isCounted, limitMb }) =>
    only(
      `${isCounted ? 'Redis closed the MONITOR connection' : 'The MONITOR connection was cut, probably'} with a full output buffer${limitMb === null ? '' : ` (limit ${limitMb} MB)`}.`,
    ),
  'cut-twice': () => only('The MONITOR connection was cut twice within a minute.'),
  'monitor-costly': ({ costShare, redisCpuShare }) =>
    only(
      `MONITOR took about ${percent(costShare)} % of a core of Redis (Redis used ${percent(redisCpuShare ?? 0)} %).`,
    ),
  'monitor-time-over': () =>
    only('MONITOR ended after 5 minutes, because Redis has no known output limit for pub/sub clients.'),
  'monitor-without-scripts': ({ calls }) => ({
    message: `MONITOR of this server showed ${calls} calls of scripts, but none of their commands ("[0 lua]").`,
    hint: 'Without them, it is not seen what locks do. A proxy or a managed service may leave these lines out: connect to Redis itself if you can.',
  }),
  'measuring-already': () => ({
    message: 'A measurement is under way.',
    hint: 'Wait until it has ended, or cancel it.',
  }),
  'level-unavailable': ({ quote }) => only(`This level does not work here: ${quote}`),
  'redis-in-trouble': ({ why, figure }) => ({
    message: TROUBLE[why](figure),
    hint: 'Measure again once Redis is well.',
  }),
  'replication-refused': ({ user }) => ({
    message: `User ${user} may not read the replication stream.`,
    hint: `To allow it: ACL SETUSER ${user} +psync +replconf. Managed Redis services often refuse it to every user.`,
  }),
  'replication-unavailable': ({ why }) => {
    const [message, hint] = AGAINST_REPLICATION[why];
    return hint === undefined ? only(message) : { message, hint };
  },
};

const NOT_HERE = 'Use level events or monitor here.';

/** Why the replication stream is not read, and what changes that. */
const AGAINST_REPLICATION: Readonly<Record<ReplicationRefusal, readonly [message: string, hint?: string]>> = {
  replica: ['This server is a replica: only the replication stream of a master is read.', 'Watch its master.'],
  cluster: ['This server is in a cluster, which counts on its replicas when slots move.', NOT_HERE],
  'no-info': ['Redis does not show INFO to this user.', 'Allow it: ACL SETUSER … +info.'],
  'info-missing': ['This server has no INFO: it was renamed or removed.', NOT_HERE],
  'no-backlog': [
    'This server has no active replication backlog, so Redis would fork and send all of its data. Lockscope does not let it.',
    'Connect a replica: INFO replication then shows repl_backlog_active:1.',
  ],
  'no-replica': [
    'No replica is online: Lockscope would be the first, and clients that wait for replicas would begin to wait for it.',
    'Connect a replica.',
  ],
  'min-replicas': ['min-replicas-to-write is set: Redis would count Lockscope as a good replica.', NOT_HERE],
  waits: [
    'Clients of this server wait for replicas (WAIT), or it is shutting down: they would wait for Lockscope, which never acknowledges.',
    NOT_HERE,
  ],
  sentinel: ['Sentinels watch this server: they would remember Lockscope as a replica.', NOT_HERE],
  'no-pubsub': [
    'Redis does not show whether Sentinels watch this server, which would remember Lockscope as a replica.',
    'Allow it: ACL SETUSER … +pubsub|numsub.',
  ],
  'pubsub-missing': [
    'This server has no PUBSUB, so it does not show whether Sentinels watch it, which would remember Lockscope as a replica.',
    NOT_HERE,
  ],
  'no-publish': [
    'This user may not publish, so Lockscope cannot learn which database the replication stream is in.',
    'Allow it: ACL SETUSER … +publish &lockscope:probe:*.',
  ],
  scripts: ['This server replicates scripts, not their effects (lua-replicate-commands no).', NOT_HERE],
  'not-continued': [
    'Redis did not continue the replication stream. Lockscope closed the connection before Redis sent all of its data.',
    NOT_HERE,
  ],
  cuts: ['The replication link was cut more than three times within a minute.', NOT_HERE],
  slow: ['Lockscope was over 16 MB behind the replication stream.', NOT_HERE],
};

const TROUBLE = {
  slow: (ms: number) => `Redis answers slowly: a PING took ${ms} ms.`,
  busy: (percentage: number) => `Redis is busy: it uses ${percentage} % of a core.`,
  full: (percentage: number) => `The memory of Redis is nearly full: ${percentage} % of maxmemory.`,
  saving: () => 'Redis is saving its data.',
  loading: () => 'Redis is loading its data.',
} as const;

/** What a level cannot see, in English. */
export const SIGHT_TEXTS: TextsOf<SightCode> = {
  'unseen-expiries': ({ isUnknown }) =>
    only(
      isUnknown
        ? 'Expiries and evictions may be computed, not observed: it is not known whether Redis sends key events for them.'
        : 'Expiries and evictions are computed, not observed: Redis sends no key events for them (notify-keyspace-events needs Ex).',
    ),
  'unseen-attempts': () => only('Refused attempts, so who waits: only how many connections listen for a lock.'),
  'unseen-senders': () => only('Who sent a command, refused unlocks and refused renewals.'),
  'unseen-double-changes': () => only('Two changes within a moment may be reported as one.'),
  'unseen-numbers': () => only('Free permits and counts of latches between two reads: they may be 10 s old.'),
  'unseen-new-locks': ({ isUnknown }) =>
    only(
      isUnknown
        ? 'A lock that is new since the last scan: it is not known whether Redis sends key events, so only known locks are tracked.'
        : 'A lock that is new since the last scan: Redis sends no key events, so only known locks are tracked (--configure-notifications changes that).',
    ),
  'unseen-changes': ({ isUnknown }) =>
    only(
      isUnknown
        ? 'Changes between two snapshots, if Redis sends no key events, which is not known: it sends no invalidations here.'
        : 'Changes between two snapshots: this server sends neither key events nor invalidations.',
    ),
  'unseen-between': () =>
    only('Everything between two snapshots: short holds, releases, who waits, why a lock changed hands.'),
  'unseen-commands': () => only('Who sent a command, refused attempts, unlocks and renewals.'),
  'unseen-wake-ups': () =>
    only(
      'Wake-up messages: they are not sent here (sharded pub/sub, or a replica), so a release and a deletion look the same.',
    ),
  'unseen-before-scan': ({ percent: done }) =>
    only(`Locks that were held before and that no client waits for: the first scan is ${done} % done.`),
  'unseen-beyond-memory': () => only('Some held locks: more are held than --memory has room for.'),
  'unseen-unmatched': ({ match }) =>
    only(`Locks whose names do not match ${match.join(', ')}: --match leaves them out.`),
  'unseen-dropped-lines': () =>
    only('Locks that nothing has touched since the bus dropped lines: the observer has not written its state since.'),
  'unseen-unsampled': () =>
    only(
      'Some new locks, until the next scan: too many other keys change as a lock does, so only a sample of them is read.',
    ),
  'unseen-short-locks': ({ count: ended }) =>
    only(
      `Short locks: in the last minute or two, ${ended} keys that look like locks ended before they could be read. Level monitor shows them.`,
    ),
  'unseen-other-values': ({ count: many, name }) =>
    only(
      `Locks whose value is not a token: ${many === 1 ? 'a key' : `${many} keys`} with a lease ${many === 1 ? 'has' : 'have'} data, a word or a number as a value, as a cache or a counter does, and ${many === 1 ? 'was' : 'were'} not taken for ${many === 1 ? 'a lock' : 'locks'}, for example ${name}. Level monitor shows or offers those that are used like locks.`,
    ),
  'unseen-other-forms': () =>
    only(
      'Locks that are a counter (a semaphore or latch is found once a client waits for it), a set, a sorted set, a list, a field of a hash with other fields, or a string without an end, unless its name says that it is a lock and its value is a token.',
    ),
  'unseen-strange-locks': ({ count: many, name, form }) =>
    only(
      `Who holds ${many === 1 ? 'a key that looks like a lock' : `${many} keys that look like locks`} of a form that is not understood: ${STRANGE[form]}, for example ${name}.`,
    ),
  'unseen-fields': ({ count: many }) =>
    only(
      `The fields in ${many === 1 ? 'a field notification' : `${many} field notifications`}: Redis sent them in a form that is not understood. Their locks were read instead.`,
    ),
  'unseen-waiters': () =>
    only(
      'Who waits for a lock that is not known yet: this server has more than 10,000 channels, or this user may not count them (INFO).',
    ),
  'unseen-clients': () =>
    only(
      'Which clients are still connected: this server has more than 2,000 connections, or this user may not count them (INFO), and listing them could hold it up.',
    ),
  'unseen-before-text': () => only('What was held or waited for before the MONITOR text begins.'),
  'unseen-when-recorded': ({ lack }) => only(WHEN_RECORDED[lack]),
  'unseen-connections': () => only('Which clients are connected: MONITOR text has no lists of connections.'),
  'unseen-replies': () => only('What Redis replied: MONITOR text has commands only.'),
  'unseen-script-lines': () =>
    only('Locks that scripts take: the MONITOR text has no lines of scripts, "[0 lua]". Open it unfiltered.'),
  'unseen-key-events': ({ flags }) =>
    only(`Key events: another client changed notify-keyspace-events to "${flags}" while this server was watched.`),
  'unseen-without-right': ({ loss, user, grant, ...refused }) =>
    only(`${[WITHOUT_RIGHT[loss], ...refusalsOf(refused, `user ${user}`)].join(': ')}. ${grantText(grant)}`.trim()),
  'unseen-keys': ({ user, names, commands = [], grant }) => {
    const using = commands.length === 0 ? '' : ` with ${commands.join(', ')}`;
    const examples = names.length === 0 ? '' : `, such as ${names.join(', ')}`;
    return areBesideLocks(grant)
      ? only(
          `Queues of fair locks, and fencing tokens: user ${user} may not read keys beside locks${examples}. ${grantText(grant)}`,
        )
      : only(
          `Locks whose keys user ${user} may not read${using}${examples}. To leave them out, use --match. ${grantText(grant)}`,
        );
  },
  'unseen-databases': ({ user, databases, grant }) =>
    only(`Locks in database ${databases.join(', ')}: user ${user} may not use it. ${grantText(grant)}`),
};

/** What keys that look like locks hold instead of a known form. */
const STRANGE: Readonly<Record<ValuesOf<'unseen-strange-locks'>['form'], string>> = {
  counter: 'a counter',
  'sorted-set': 'a sorted set',
  'hash-field': 'a field of a hash',
  set: 'a member of a set',
  list: 'tokens in a list',
  empty: 'an empty value',
};

const WHEN_RECORDED: Readonly<Record<ValuesOf<'unseen-when-recorded'>['lack'], string>> = {
  presence: 'Which clients were connected: it was not known when this was recorded.',
  'key-events': 'Key events: not all of them arrived when this was recorded.',
  locks: 'Some locks: they could not be seen when this was recorded, for example without a right.',
  listeners: 'How many clients waited for a release: they were not counted when this was recorded.',
  unmatched: 'Locks whose names did not match --match when this was recorded.',
  queues: 'Queues of fair locks: they could not be read when this was recorded.',
  unknown:
    'What could not be seen when this was recorded, for example without a right: the recording does not name it.',
};

const WITHOUT_RIGHT: Readonly<Record<ValuesOf<'unseen-without-right'>['loss'], string>> = {
  search: 'Locks that no event announced, such as those that were held before',
  databases: 'Locks of other databases that were held before',
  strings: 'Locks whose key is a string, fencing tokens, and the numbers of semaphores and latches',
  companions: 'Queues of fair locks, and permits of semaphores',
  large: 'Locks with more than 64 fields',
  waiters: 'Waiters of locks that are not known yet',
  listeners: 'How many clients wait for a release',
  clients: 'Which clients are still connected',
  progress: 'How far the first scan of all keys is',
  settings: 'Whether Redis sends key events, so only known locks are tracked',
};

/** A limit or a reason, about which there is nothing to do. */
function only(message: string) {
  return { message, hint: '' };
}

function percent(share: number): number {
  return Math.round(share * 100);
}

function causeOf({ cause, quote = '' }: ValuesOf<'observer-ended'>): string {
  switch (cause) {
    case 'silent':
      return 'it did not answer for a minute';
    case 'stopped':
      return 'it was stopped';
    case 'exited':
      return `its thread exited with code ${quote}`;
    case 'failed':
      return quote;
  }
}

function nextOf({ next, failures, most }: ValuesOf<'observer-ended'>): string {
  switch (next) {
    case 'soon':
      return 'Lockscope starts it again by itself. Ask again in a few seconds.';
    case 'again':
      return `Lockscope starts it again by itself (${failures} of ${most}), and reads all locks again.`;
    case 'never':
      return 'Lockscope no longer starts it. Start Lockscope again, and report this.';
  }
}
