import { count } from '../../base/count.ts';
import { advisedKeyEvents } from '../../base/key-event-flags.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { sentences } from './sentences.ts';

/**
 * The values in the sentences of insights about the server, its users and its settings. Times are Redis time; null:
 * none, or not known.
 */
export type ServerValues = {
  /** The server refuses to write, for any client. */
  'server-refuses-writes': {
    readonly error: 'OOM' | 'MISCONF' | 'NOREPLICAS' | 'CLUSTERDOWN';
    readonly refusals: number;
    readonly usedMemoryBytes: number | null;
    readonly policy: string | null;
    readonly held: number;
    /** When the next lease ends: only then does a lock become free. */
    readonly nextFreeAt: RedisTime | null;
  };
  /** The server ran no command for a while, or CLIENT PAUSE makes clients wait. */
  'slow-script-busy': {
    readonly lengthMs: Millis;
    /** When the server ran commands again; null: it does not yet. */
    readonly endedAt: RedisTime | null;
    /** A CLIENT PAUSE makes clients wait: for all commands, or for writes. Null: no pause is known. */
    readonly pause: 'all' | 'writes' | null;
    readonly command: string | null;
    readonly by: string | null;
    /** Leases that ended in that time or right after it, and how many clients had them. */
    readonly expired: number;
    readonly clients: number;
  };
  /** A user may not use what locks need. */
  'acl-denied': {
    /** Null: ACL LOG shows no denial, but INFO shows that the commands in `objects` were refused. */
    readonly user: string | null;
    readonly reasons: readonly ('command' | 'key' | 'channel')[];
    /** The newest of the keys, channels and commands that were denied, the newest last. */
    readonly objects: readonly string[];
    /**
     * About the newest denial, whose reason is the last of `reasons`: its command, the address of its client, and the
     * name of the connection.
     */
    readonly command: string | null;
    readonly address: string | null;
    readonly connection: string | null;
    readonly inScript: boolean;
    /** The user may need these commands for something other than locks. */
    readonly isGuess?: true;
  };
  /** Clients send lock scripts to a server that does not serve them. */
  'topology-churn': {
    readonly error: 'READONLY' | 'MOVED' | 'NOSCRIPT';
    readonly refusals: number;
    readonly isReplica: boolean;
  };
  /** A client often waits long for replicas after scripts of locks. */
  'replica-sync-tax': {
    /** The client's uuid. */
    readonly client: string;
    readonly since: RedisTime;
    /** The number of long waits since then. */
    readonly times: number;
    /** The median of the long waits of the last minute, and the longest. */
    readonly medianMs: Millis;
    readonly longestMs: Millis;
    /** How many waits of the last minute lasted until the limit, and how many long waits there were. */
    readonly ended: number;
    readonly recent: number;
    readonly limitMs: Millis;
    /** How many replicas the client asks for, and how many Redis reports. */
    readonly replicas: number;
    readonly connected: number | null;
  };
  /** A lock and data of the application use one name. */
  'key-name-collision': {
    /** The lock; null: only the errors were seen, and INFO does not show the name. */
    readonly lock: string | null;
    /** The command that wrote over a held lock, and the connection that sent it. */
    readonly command: string | null;
    readonly by: string | null;
    readonly refusals: number;
    /**
     * The holders of a plain lock and of a read-write lock with the same name, at the same time; null: there were none.
     */
    readonly plain: string | null;
    readonly other: string | null;
  };
  /** The server announces no expiry. */
  'events-off': {
    /** Flags of `notify-keyspace-events`; null: not known. */
    readonly flags: string | null;
    /** The lock whose lease ended last without an announcement, and the number of leases that did so in 10 min. */
    readonly lastLock: string;
    readonly leases: number;
  };
};

const REFUSES = {
  OOM: 'Its memory is full: no lock can be taken and no unlock succeeds. Renewals still pass.',
  MISCONF: 'It cannot save snapshots and therefore refuses writes: locks, unlocks and renewals fail.',
  CLUSTERDOWN:
    'A part of the cluster has no master, so this server refuses commands: locks, unlocks and renewals fail.',
  NOREPLICAS: 'Too few replicas are connected, so it refuses writes: locks, unlocks and renewals fail.',
} as const;

const REMEDY = {
  OOM: 'Free memory or raise maxmemory. Unlocks that failed leave their lock until its lease ends.',
  MISCONF: 'Make the directory of snapshots writable, or set stop-writes-on-bgsave-error to no.',
  CLUSTERDOWN: 'Bring back a master for the slots that CLUSTER SLOTS does not list.',
  NOREPLICAS: 'Bring the replicas back, or lower min-replicas-to-write.',
} as const;

const NEEDED_RIGHT = {
  key: 'Add the names of its locks to its keys, and ~redisson_* for Redisson: the channel of its unlock is a key of its script too.',
  channel: 'Add &redisson_* to its channels, and ~redisson_* to its keys.',
  command:
    'Permit this command for it: locks with a token need SET, EVAL and EVALSHA, Redisson EVAL, EVALSHA, SCRIPT LOAD, SUBSCRIBE and PUBLISH.',
} as const;

const CHURN = {
  READONLY:
    'This server is not the master, but clients still send it writes, which it refuses. No client can take a lock here.',
  MOVED: 'Clients still send commands for slots that another server has.',
  NOSCRIPT: 'Clients call scripts that the server does not have, again and again.',
} as const;

export const server: WordsOf<ServerValues> = {
  'server-refuses-writes': {
    title: 'Redis refuses writes',
    explanation: ({ error, refusals, usedMemoryBytes, policy, held, nextFreeAt }, { clock }) =>
      sentences(
        `Redis returned ${error} ${count(refusals, 'time', 'times')}.`,
        REFUSES[error],
        error === 'OOM' &&
          usedMemoryBytes !== null &&
          `${megabytes(usedMemoryBytes)} MB are used${policy === null ? '' : `, the policy is ${policy}`}.`,
        held > 0 && `${count(held, 'lock is', 'locks are')} held.`,
        nextFreeAt !== null &&
          `Locks become free only when leases end, the next one at ${clock(nextFreeAt)} unless it is renewed.`,
      ),
    advice: ({ error }) => REMEDY[error],
  },
  'slow-script-busy': {
    title: 'Redis stood still',
    explanation: ({ lengthMs, endedAt, pause, command, by, expired, clients }, { clock }) =>
      sentences(
        pause !== null &&
          `${pause === 'all' ? 'All clients' : 'Clients that write, as all scripts of locks do,'} ${endedAt === null ? `wait because of a CLIENT PAUSE, for ${inSeconds(lengthMs)} s at least` : `waited because of a CLIENT PAUSE for ${inSeconds(lengthMs)} s${pause === 'writes' ? ' at least, last seen' : ', until'} ${pause === 'writes' ? 'at ' : ''}${clock(endedAt)}`}. They wait${endedAt === null ? '' : 'ed'} for Redis, not for a lock.`,
        pause === null &&
          endedAt !== null &&
          `Redis ran no other command for ${inSeconds(lengthMs)} s, until ${clock(endedAt)}${command === null ? '' : `: ${command}${by === null ? '' : ` of ${by}`} took that long`}.`,
        expired > 0 &&
          `${count(expired, 'lease', 'leases')} of ${count(clients, 'client', 'clients')} ended meanwhile. The locks are victims, not the cause.`,
      ),
    advice: ({ expired, command, pause, endedAt }) =>
      sentences(
        expired > 0 && 'Check what those clients wrote after their leases had ended.',
        pause !== null
          ? `${endedAt === null ? 'It ends after the time that its caller set, or with CLIENT UNPAUSE. ' : ''}Find out who paused the clients: a failover, an upgrade or a script of an operator may do that.`
          : command === null
            ? 'Look for slow commands, for CLIENT PAUSE, and for a machine that stood still.'
            : 'Make sure that this command does not run again now.',
      ),
    later: ({ command, pause }) =>
      `${command === null || pause !== null ? '' : 'Make that command shorter, or run it on a replica. '}Longer leases only help against short pauses.`,
  },
  'acl-denied': {
    title: 'Redis denies a user what locks need',
    explanation: ({ user, reasons, objects, command, address, connection, inScript, isGuess }) =>
      sentences(
        user === null
          ? `Redis refused ${objects.join(' and ')}, so a user may not use a channel. INFO does not show which user: it may be one without locks.`
          : `User ${user}${address === null ? '' : ` at ${address}${connection === null ? '' : ` (${connection})`}`} may not use the ${reasons.at(-1)} ${objects.at(-1)}${reasons.at(-1) === 'command' ? ', and ACL LOG does not name the key' : command === null ? '' : ` with ${command}`}.`,
        user !== null && objects.length > 1 && `It was also denied ${objects.slice(0, -1).join(', ')}.`,
        isGuess === true && 'There are locks here that need this, but ACL LOG does not show whether it was for a lock.',
        inScript &&
          `A ${user === null ? '' : 'lock '}script ended with an error there, after it had done a part of its work.`,
      ),
    advice: ({ user, reasons, isGuess }) =>
      sentences(
        user === null && 'ACL LOG shows the user and the channel. If it is the user of a lock client:',
        ...reasons.map((reason) => NEEDED_RIGHT[reason]),
        isGuess === true && 'If it takes no locks, there is nothing to do.',
      ),
  },
  'topology-churn': {
    title: 'Clients use the wrong server',
    explanation: ({ error, refusals, isReplica }) =>
      sentences(
        `Redis returned ${error} ${count(refusals, 'time', 'times')}.`,
        CHURN[error],
        isReplica && 'Its role is replica.',
      ),
    advice: ({ error }) =>
      error === 'NOSCRIPT'
        ? 'Look for SCRIPT FLUSH and restarts. Most clients load a missing script by themselves. Restart one that does not, or load its scripts (SCRIPT LOAD).'
        : 'Restart the clients that still use this server.',
    later: () => 'Upgrade these clients if it happens again.',
  },
  'replica-sync-tax': {
    title: 'Lock calls wait for replicas',
    explanation: (
      { client, since, times, medianMs, longestMs, ended, recent, limitMs, replicas, connected },
      { clock },
    ) =>
      sentences(
        `Since ${clock(since)}, client ${client.slice(0, 8)} has waited long for ${count(replicas, 'replica', 'replicas')} after ${count(times, 'script', 'scripts')} of locks.`,
        `In the last minute, the median was ${inSeconds(medianMs)} s and the longest wait ${inSeconds(longestMs)} s.`,
        ended > 0 && `${ended} of ${recent} lasted until the limit of ${inSeconds(limitMs)} s.`,
        connected !== null && `Redis reports ${count(connected, 'connected replica', 'connected replicas')}.`,
      ),
    advice: () => 'Repair or replace the replicas that do not confirm in time.',
    later: () => 'A lower slavesSyncTimeout makes each wait shorter.',
  },
  'key-name-collision': {
    title: 'A lock and something else use the same name',
    explanation: ({ lock, command, by, refusals, plain, other }, { who }) =>
      plain !== null && other !== null
        ? `${who(plain)} holds ${lock ?? 'this name'} as a plain lock, and ${who(other)} holds it as a read-write lock at the same time: neither excludes the other, and Redis reports no error. The unlock of one may remove the hold of the other.`
        : lock === null
          ? `Redis returned WRONGTYPE ${count(refusals, 'time', 'times')} to scripts like those of locks: a key with the name of a lock contains something else. INFO does not show which one.`
          : `${command ?? 'A command'}${by === null ? '' : ` of ${by}`} wrote over ${lock} while it was held as a lock. The writer got no error, and the holder lost the lock.`,
    advice: ({ plain, command, by }, { who }) =>
      plain !== null
        ? `Stop one of the two: until then ${who(plain)} is not alone.`
        : command === null
          ? 'Look for locks whose key has another type.'
          : `Find the application${by === null ? ' that writes this key' : ` of ${by}`}: it may overwrite the lock again.`,
    later: () => 'Give the names of locks a prefix of their own, and each environment another one.',
  },
  'events-off': {
    title: 'Redis announces no expiry',
    explanation: ({ flags, lastLock, leases }) =>
      sentences(
        `The lease of ${lastLock} ended and Redis announced nothing${leases > 1 ? `; ${leases} leases ended like that` : ''}. Lockscope computed the end, so the cause of a loss may not be known.`,
        flags === null
          ? 'The setting notify-keyspace-events may not be read.'
          : `notify-keyspace-events is "${flags}".`,
      ),
    advice: () =>
      `Set notify-keyspace-events to ${advisedKeyEvents()} (in the console of a managed service), or start Lockscope with --configure-notifications. "lockscope doctor" prints what fits your server.`,
  },
};

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
