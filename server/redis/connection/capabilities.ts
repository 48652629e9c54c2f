import { isRedisSince, type ServerVersion } from '../../../shared/base/key-event-flags.ts';
import { loginOf, type RedisUrl } from '../../../shared/base/redis-url.ts';
import type { ServerRole } from '../../../shared/base/server-role.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { fieldsFromInfo, roleFromFields } from './info-fields.ts';
import { pubsubLimit } from './output-limit.ts';
import { RedisProblem } from './problem.ts';
import type { RawConnection } from './raw-connection.ts';
import { RedisError, type Reply } from './resp-scanner.ts';

/** What this server and this user allow. */
export type Capabilities = {
  /** `redis` or `valkey`, as the server names itself. */
  readonly server: string;
  readonly version: string;
  readonly role: ServerRole;
  readonly isCluster: boolean;
  /** Flags of notify-keyspace-events; null: CONFIG is refused or missing. */
  readonly notifications: string | null;
  readonly canMonitor: boolean;
  readonly canTrack: boolean;
  readonly canListClients: boolean;
  readonly canCountListeners: boolean;
  /** INFO is allowed, so each read shows whether this is still a master. */
  readonly showsRole?: boolean;
  /** Messages may be sent with SPUBLISH, which no pattern receives. */
  readonly isSharded: boolean;
  /** The output limit of a subscriber, as `pubsubLimit` computes it; 0: no limit, null: unknown. */
  readonly outputLimitBytes: number | null;
  /** CONFIG was renamed or removed: settings are changed in the configuration file only. */
  readonly isConfigMissing?: boolean;
  /** CLIENT was renamed or removed: neither client tracking nor a list of clients is available. */
  readonly isClientMissing?: boolean;
  readonly user: string;
};

/** For example 7 of `7.2.4`. */
export function majorVersion(version: string): number {
  return Number(version.split('.')[0]);
}

/** Throws if the server is a Sentinel: it answers HELLO, but has no keys. */
export function refuseSentinel(hello: ReadonlyMap<string, Reply>, url: RedisUrl): void {
  if (hello.get('mode') === 'sentinel') throw new RedisProblem(problem('is-sentinel', { where: url.displayUrl }));
}

/** Asks the server what the user of this URL may do. Changes nothing but this connection. */
export async function capabilitiesOf(
  connection: RawConnection,
  hello: ReadonlyMap<string, Reply>,
  url: RedisUrl,
): Promise<Capabilities> {
  const quote = hello.get('version');
  if (quote === undefined || quote === null) throw new RedisProblem(problem('not-redis', { where: url.displayUrl }));
  refuseSentinel(hello, url);
  const version = String(quote);
  if (majorVersion(version) < 6) {
    throw new RedisProblem(problem('too-old', { where: url.displayUrl, version }));
  }
  const isCluster = hello.get('mode') === 'cluster';
  const [config, clients, whoami, listeners, limits, replication, sharded] = await connection.pipeline([
    ['CONFIG', 'GET', 'notify-keyspace-events'],
    ['CLIENT', 'ID'],
    ['ACL', 'WHOAMI'],
    ['PUBSUB', 'NUMSUB'],
    ['CONFIG', 'GET', 'client-output-buffer-limit'],
    ['INFO', 'replication'],
    ...(isCluster ? [['PUBSUB', 'SHARDNUMSUB']] : []),
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
  // Without READONLY, a replica in a cluster replies MOVED to reads.
  if (role === 'replica' && isCluster) await connection.pipeline([['READONLY']]);
  return {
    ...serverVersionOf(hello),
    role,
    isCluster,
    notifications: Array.isArray(config) ? String(config[1] ?? '') : null,
    canMonitor: role === 'master' && (monitor ?? true),
    canTrack: (tracking ?? true) && (caching ?? true) && !isMissing(clients),
    canListClients: (list ?? true) && !(clients instanceof RedisError),
    canCountListeners: !(listeners instanceof RedisError),
    showsRole: roleFromFields(fieldsFromInfo(replication)) !== undefined,
    isSharded: isCluster && !isMissing(sharded),
    ...(isMissing(config) ? { isConfigMissing: true } : {}),
    ...(isMissing(clients) ? { isClientMissing: true } : {}),
    outputLimitBytes: Array.isArray(limits) ? pubsubLimit(String(limits[1] ?? '')) : null,
    user,
  };
}

/** What a server reported about itself in reply to HELLO. */
export function serverVersionOf(hello: ReadonlyMap<string, Reply>): ServerVersion {
  return { server: String(hello.get('server') ?? ''), version: String(hello.get('version') ?? '') };
}

/** Whether this server has `SET … IFEQ`: Redis since 8.4, Valkey since 8.1. */
export function hasIfEqual({ server, version }: ServerVersion): boolean {
  if (server !== 'valkey') return isRedisSince({ server, version }, 8, 4);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 8 || (major === 8 && minor >= 1);
}

/**
 * Whether a reply shows that the server does not have the command: it was renamed or removed, or this version lacks it.
 */
export function isMissing(reply: Reply | undefined): boolean {
  return reply instanceof RedisError && /unknown (?:sub)?command/i.test(reply.message);
}

/**
 * Whether a reply to ACL DRYRUN leaves open that the command is allowed: the reply is `OK` or the reason against it.
 * Also true if DRYRUN does not exist (before Redis 7) or is itself refused: then only an attempt shows it.
 */
function isAllowed(reply: Reply): boolean {
  return reply === 'OK' || reply instanceof RedisError || typeof reply !== 'string';
}

/**
 * Whether these notification flags carry every change that clients make to a lock's hash, and its expiry: generic, hash
 * and expired events.
 */
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
  /**
   * What is not seen because this user lacks rights, although a level works. Absent: no lock is hidden, or no level
   * works.
   */
  readonly unseen?: readonly Problem[];
};
