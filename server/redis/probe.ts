import { loginOf, type RedisUrl } from '../../shared/base/redis-url.ts';
import type { ServerRole } from '../../shared/base/server-role.ts';
import { CHANNEL_PATTERNS } from '../../shared/events/names/names.ts';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../shared/wire/source.ts';
import { fieldsFromInfo, roleFromFields } from './info-fields.ts';
import { monitorProblem, RedisProblem } from './problem.ts';
import { pubsubLimit } from './stream/output-limit.ts';
import { RawConnection } from './stream/raw-connection.ts';
import { replicationProblem } from './stream/replication-state.ts';
import { RedisError, type Reply } from './stream/resp-scanner.ts';

/** What this server and this user allow. */
export type Capabilities = {
  readonly version: string;
  readonly role: ServerRole;
  readonly isCluster: boolean;
  /** Flags of notify-keyspace-events; null when CONFIG is refused. */
  readonly notifications: string | null;
  readonly canMonitor: boolean;
  readonly canTrack: boolean;
  readonly canListClients: boolean;
  readonly canCountListeners: boolean;
  /** INFO is allowed, so each read shows whether this is still a master. */
  readonly showsRole?: boolean;
  /** Messages may be sent with SPUBLISH, which no pattern receives. */
  readonly isSharded: boolean;
  /** How many bytes of output Redis keeps for a subscriber at most; 0: no limit, null: CONFIG is refused. */
  readonly outputLimitBytes: number | null;
  /** CONFIG was renamed or removed: settings are changed in the configuration file only. */
  readonly isConfigMissing?: boolean;
  readonly user: string;
};

/** Asks the server what the user of this URL may do. Changes nothing but this connection. */
export async function capabilitiesOf(
  connection: RawConnection,
  hello: ReadonlyMap<string, Reply>,
  url: RedisUrl,
): Promise<Capabilities> {
  const said = hello.get('version');
  if (said === undefined || said === null) throw new RedisProblem(problem('not-redis', { where: url.displayUrl }));
  const version = String(said);
  if (Number(version.split('.')[0]) < 6) {
    throw new RedisProblem(problem('too-old', { where: url.displayUrl, version }));
  }
  const [config, clients, whoami, listeners, sharded, limits, replication] = await connection.pipeline([
    ['CONFIG', 'GET', 'notify-keyspace-events'],
    ['CLIENT', 'ID'],
    ['ACL', 'WHOAMI'],
    ['PUBSUB', 'NUMSUB'],
    ['PUBSUB', 'SHARDNUMSUB'],
    ['CONFIG', 'GET', 'client-output-buffer-limit'],
    ['INFO', 'replication'],
  ]);
  const user = typeof whoami === 'string' ? whoami : loginOf(url);
  const dryRuns = await connection.pipeline([
    ['ACL', 'DRYRUN', user, 'MONITOR'],
    ['ACL', 'DRYRUN', user, 'CLIENT', 'TRACKING', 'ON', 'OPTIN'],
    ['ACL', 'DRYRUN', user, 'CLIENT', 'CACHING', 'YES'],
    ['ACL', 'DRYRUN', user, 'CLIENT', 'LIST'],
  ]);
  const [monitor, tracking, caching, list] = dryRuns.map(isAllowed);
  const role = hello.get('role') === 'master' ? 'master' : 'replica';
  const isCluster = hello.get('mode') === 'cluster';
  if (role === 'replica' && isCluster) await connection.pipeline([['READONLY']]); // else it replies with MOVED
  return {
    version,
    role,
    isCluster,
    notifications: Array.isArray(config) ? String(config[1] ?? '') : null,
    canMonitor: role === 'master' && (monitor ?? true),
    canTrack: (tracking ?? true) && (caching ?? true),
    canListClients: (list ?? true) && !(clients instanceof RedisError),
    canCountListeners: !(listeners instanceof RedisError),
    showsRole: roleFromFields(fieldsFromInfo(replication)) !== undefined,
    isSharded: isCluster && Array.isArray(sharded),
    ...(isMissing(config) ? { isConfigMissing: true } : {}),
    outputLimitBytes: Array.isArray(limits) ? pubsubLimit(String(limits[1] ?? '')) : null,
    user,
  };
}

/** Whether a reply shows that the server does not have the command: it was renamed or removed, or this version lacks it. */
export function isMissing(reply: Reply | undefined): boolean {
  return reply instanceof RedisError && /unknown (?:sub)?command/i.test(reply.message);
}

/** ACL DRYRUN replies `OK` or the reason. True if it does not exist (before 7) or is refused: only a try can show it. */
function isAllowed(reply: Reply): boolean {
  return reply === 'OK' || reply instanceof RedisError || typeof reply !== 'string';
}

/** Whether these notification flags carry every change of a lock's hash: generic, hash, expired and evicted events. */
export function areNotificationsEnough(flags: string | null): boolean {
  if (flags === null || !/[KE]/.test(flags)) return false;
  return flags.includes('A') || ['g', 'h', 'x'].every((flag) => flags.includes(flag));
}

/** Whether these flags carry expiries. */
export function hasExpiryEvents(flags: string | null): boolean {
  return flags !== null && /[KE]/.test(flags) && /[Ax]/.test(flags);
}

/** The report of `lockscope doctor`: what can be seen here, and how to see more. */
export type Diagnosis = {
  /** False when no level works, so that no lock can be seen at all. */
  readonly canObserve: boolean;
  readonly problem: Problem | null;
  readonly capabilities: Capabilities | null;
  /** Never `replication`, which is experimental. */
  readonly bestLevel: ObserveLevel | null;
  readonly levels: readonly { level: ObserveLevel; works: boolean; why: string; unlock: string | null }[];
};

/** Connects, tries what is permitted, disconnects. Never rejects: a failure is part of the diagnosis. */
export async function probeRedis(url: RedisUrl, toProblem: (error: unknown) => Problem): Promise<Diagnosis> {
  let connection: RawConnection | undefined;
  try {
    connection = await RawConnection.open(url);
    const hello = await connection.greet(url, 'lockscope');
    const capabilities = await capabilitiesOf(connection, hello, url);
    return (await tryLevels(connection, capabilities)).diagnosis;
  } catch (error) {
    return failedDiagnosis(toProblem(error));
  } finally {
    connection?.close();
  }
}

/** The diagnosis of a server that could not be examined. */
export function failedDiagnosis(problem: Problem): Diagnosis {
  return { canObserve: false, problem, capabilities: null, bestLevel: null, levels: [] };
}

/**
 * Tries each level for an instant. Afterwards the connection subscribes and may monitor: it is of no further use.
 * `monitor`: why MONITOR was refused.
 */
export async function tryLevels(
  connection: RawConnection,
  capabilities: Capabilities,
): Promise<{ diagnosis: Diagnosis; monitor: RedisError | null }> {
  const [scan, subscribe] = [await triedReads(connection), await triedSubscribe(connection)];
  const replication = await triedReplication(connection, capabilities);
  const monitor = await triedMonitor(connection, capabilities);
  const levels = levelsFrom(capabilities, { scan, subscribe, replication, monitor });
  const best = levels.findLast(({ level, works }) => works && level !== 'replication')?.level ?? null;
  return { diagnosis: { canObserve: best !== null, problem: null, capabilities, bestLevel: best, levels }, monitor };
}

/** Why a level does not work; null: it does. */
type Tried = {
  readonly scan: RedisError | null;
  readonly subscribe: RedisError | null;
  readonly replication: Problem | null;
  readonly monitor: RedisError | null;
};

function levelsFrom(capabilities: Capabilities, { scan, subscribe, replication, monitor }: Tried): Diagnosis['levels'] {
  const { user, notifications, isConfigMissing } = capabilities;
  const hasEvents = areNotificationsEnough(notifications);
  const eventsWork = !scan && !subscribe && (hasEvents || capabilities.canTrack);
  return [
    {
      level: 'snapshot',
      works: !scan,
      why: scan ? scan.message : 'Keys can be read: present holders, hold counts and leases.',
      unlock: scan ? `ACL SETUSER ${user} +@read +multi +exec +select +echo +time ~*` : null,
    },
    {
      level: 'events',
      works: eventsWork,
      why: subscribe
        ? subscribe.message
        : hasEvents
          ? `Redis sends key events (${notifications}): every change of a lock.`
          : notifications === null
            ? 'CONFIG is refused, so client tracking of known locks is used instead of key events.'
            : `Redis sends no key events for hashes (notify-keyspace-events "${notifications}"): client tracking of known locks is used instead.`,
      unlock: subscribe
        ? `ACL SETUSER ${user} +psubscribe +subscribe allchannels`
        : hasEvents
          ? null
          : isConfigMissing
            ? 'notify-keyspace-events Eghxe in the configuration file of Redis'
            : 'CONFIG SET notify-keyspace-events Eghxe (or start with --configure-notifications)',
    },
    {
      level: 'replication',
      works: !scan && !replication,
      why: scan
        ? scan.message
        : (replication?.message ??
          'Experimental: the replication stream shows every change of a lock in order, but not which client made it. Redis counts Lockscope as a replica.'),
      unlock: replication?.hint || null,
    },
    {
      level: 'monitor',
      works: !monitor,
      why: monitor
        ? monitor.message
        : 'MONITOR is allowed: every change, which client made it, and why. It costs throughput while it is on.',
      unlock: monitor ? unlockOfMonitor(capabilities, monitor) : null,
    },
  ];
}

function unlockOfMonitor({ role, user }: Capabilities, refusal: RedisError): string {
  if (role === 'replica') return 'the URL of its master';
  if (isMissing(refusal)) return 'rename-command in the configuration file of Redis: MONITOR was renamed or removed';
  return `ACL SETUSER ${user} +monitor`;
}

async function tried(connection: RawConnection, command: readonly string[]): Promise<RedisError | null> {
  const [reply] = await connection.pipeline([command]);
  return reply instanceof RedisError ? reply : null;
}

/** Tries what reading keys needs: a scan, and a transaction with the commands beside the reads. */
async function triedReads(connection: RawConnection): Promise<RedisError | null> {
  const commands = [['SCAN', '0', 'COUNT', '1'], ['MULTI'], ['ECHO', ''], ['TIME'], ['EXEC']];
  const replies = await connection.pipeline(commands);
  return replies.find((reply) => reply instanceof RedisError) ?? null;
}

async function triedSubscribe(connection: RawConnection): Promise<RedisError | null> {
  try {
    await connection.subscribe('PSUBSCRIBE', '__keyevent@*__:expired', ...CHANNEL_PATTERNS);
    return null;
  } catch (error) {
    if (error instanceof RedisError) return error;
    throw error;
  }
}

function triedReplication(connection: RawConnection, capabilities: Capabilities): Promise<Problem | null> {
  return replicationProblem((...commands) => connection.pipeline(commands), capabilities);
}

/** Tries MONITOR if the server does not refuse it beforehand. The connection closes right after. */
async function triedMonitor(connection: RawConnection, capabilities: Capabilities): Promise<RedisError | null> {
  if (capabilities.role === 'replica') return new RedisError(monitorProblem(capabilities).message);
  if (!capabilities.canMonitor) {
    return new RedisError(`NOPERM User ${capabilities.user} has no permissions to run the 'monitor' command`);
  }
  return tried(connection, ['MONITOR']);
}
