import { advisedKeyEvents } from '../../../shared/base/key-event-flags.ts';
import { loginOf, type RedisUrl } from '../../../shared/base/redis-url.ts';
import type { ServerRole } from '../../../shared/base/server-role.ts';
import { aclLine, rulesIn } from '../../../shared/doctor/rights/acl-line.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import {
  areNotificationsEnough,
  type Capabilities,
  capabilitiesOf,
  type Diagnosis,
} from '../connection/capabilities.ts';
import { monitorProblem, refusedLevel } from '../connection/problem.ts';
import { RawConnection } from '../connection/raw-connection.ts';
import { replicationProblem } from '../connection/replication-state.ts';
import { RedisError } from '../connection/reply.ts';
import { isAbsent, RefusedRights } from '../rights/refused-rights.ts';
import { blockOf, mayHideLocks, unseenOf } from '../rights/rights-report.ts';
import { tryReads } from '../rights/try-reads.ts';
import { tryMonitor, trySubscribe } from './may-begin.ts';

type Level = Diagnosis['levels'][number];

/** How many databases are tried at most. */
const MOST_DATABASES = 100;

/** Connects, tries what is permitted, disconnects. Never rejects: a failure is part of the diagnosis. */
export async function probeRedis(url: RedisUrl, toProblem: (error: unknown) => Problem): Promise<Diagnosis> {
  let connection: RawConnection | undefined;
  try {
    connection = await RawConnection.open(url);
    const hello = await connection.greet(url);
    const capabilities = await capabilitiesOf(connection, hello, url);
    return (await tryLevels(url, connection, capabilities)).diagnosis;
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
 * Tries what each level needs, but sends no PSYNC. Afterwards the connection is subscribed and may monitor, so it is of
 * no further use. `monitor`: why MONITOR was refused; null: it was not.
 */
export async function tryLevels(
  url: RedisUrl,
  connection: RawConnection,
  capabilities: Capabilities,
): Promise<{ diagnosis: Diagnosis; monitor: RedisError | null }> {
  const rights = await rightsOfUser(url);
  const subscribe = await trySubscribe(connection);
  const replication = await replicationProblem((...commands) => connection.pipeline(commands), capabilities);
  const monitor = await monitorRefusal(connection, capabilities);
  const levels = [
    snapshotLevel(rights, url.db),
    eventsLevel(rights, url.db, capabilities, subscribe),
    replicationLevel(rights, url.db, replication),
    monitorLevel(rights, url.db, capabilities, { subscribe, monitor }),
  ];
  const best = levels.findLast(({ level, works }) => works && level !== 'replication')?.level ?? null;
  const unseen = best !== null && mayHideLocks(rights) ? { unseen: unseenOf(rights, best) } : {};
  const diagnosis = { canObserve: best !== null, problem: null, capabilities, bestLevel: best, levels, ...unseen };
  return { diagnosis, monitor };
}

/** What is refused to this user, tried on a separate connection: an unfinished MULTI may remain on it. */
async function rightsOfUser(url: RedisUrl): Promise<RefusedRights> {
  const rights = new RefusedRights();
  rights.begin(loginOf(url));
  const connection = await RawConnection.open(url);
  try {
    connection.onReply = (words, reply) => void rights.heard(words, reply);
    await connection.greet(url);
    await tryReads((commands) => connection.pipeline(commands), rights, { db: url.db, match: [] });
    await tryDatabases(connection);
    return rights;
  } finally {
    connection.close();
  }
}

/**
 * Selects each database that has keys: Valkey limits users to some of them (`db=0`). `onReply` of the connection notes
 * the refusals.
 */
async function tryDatabases(connection: RawConnection): Promise<void> {
  const [keyspace] = await connection.pipeline([['INFO', 'keyspace']]);
  if (typeof keyspace !== 'string') return;
  const databases = [...keyspace.matchAll(/^db(\d+):/gm)].slice(0, MOST_DATABASES);
  await connection.pipeline(databases.map(([, db = '0']) => ['SELECT', db]));
}

/**
 * Why MONITOR is refused; null: it is not. Sends MONITOR, unless the server is a replica or ACL DRYRUN has refused it.
 * The caller closes the connection right after.
 */
async function monitorRefusal(connection: RawConnection, capabilities: Capabilities): Promise<RedisError | null> {
  if (capabilities.role === 'replica') return new RedisError(monitorProblem(capabilities).message);
  if (!capabilities.canMonitor) {
    return new RedisError(`NOPERM User ${capabilities.user} has no permissions to run the 'monitor' command`);
  }
  return tryMonitor(connection);
}

/**
 * Why a level does not work. `rules`: the ACL rules that would make it work. `other`: what else would, if rules cannot.
 */
type Reason = { readonly why: string; readonly rules: readonly string[]; readonly other?: string };

function works(level: ObserveLevel, why: string, unlock: string | null = null): Level {
  return { level, works: true, why, unlock };
}

/** A level that does not work, with one line that grants everything it lacks. */
function lacks(level: ObserveLevel, user: string, reasons: readonly Reason[]): Level {
  const line = aclLine(
    user,
    reasons.flatMap(({ rules }) => rules),
  );
  const other = reasons.flatMap((reason) => reason.other ?? []);
  const unlock = [...(line === '' ? [] : [line]), ...other].join('; ');
  return { level, works: false, why: reasons.map(({ why }) => why).join(' '), unlock: unlock || null };
}

/** Why no key can be read at a level; empty: keys can be read. */
function readingReasons(rights: RefusedRights, level: ObserveLevel, db: number): Reason[] {
  const block = blockOf(rights, level, db);
  return block ? [{ why: block.message, rules: rulesIn(block.values.grant) }] : [];
}

/** Why the subscriptions of a level are refused; empty: they are not. */
function subscribeReasons(subscribe: RedisError | null, capabilities: Capabilities): Reason[] {
  if (!subscribe) return [];
  const { message: why, values } = refusedLevel(subscribe, capabilities);
  return [{ why, rules: 'grant' in values ? rulesIn(values.grant) : [] }];
}

function snapshotLevel(rights: RefusedRights, db: number): Level {
  const reasons = readingReasons(rights, 'snapshot', db);
  if (reasons.length > 0) return lacks('snapshot', rights.user, reasons);
  return works('snapshot', 'Keys can be read: present holders, hold counts and leases.');
}

function eventsLevel(
  rights: RefusedRights,
  db: number,
  capabilities: Capabilities,
  subscribe: RedisError | null,
): Level {
  const { notifications, isConfigMissing, isClientMissing, canTrack } = capabilities;
  const reasons = [...readingReasons(rights, 'events', db), ...subscribeReasons(subscribe, capabilities)];
  if (reasons.length > 0) return lacks('events', rights.user, reasons);
  if (areNotificationsEnough(notifications)) {
    return works('events', `Redis sends key events (${notifications}): every change of a lock.`);
  }
  const none =
    notifications === null
      ? 'CONFIG is refused, so it is not known whether Redis sends key events'
      : `Redis sends no key events for hashes (notify-keyspace-events "${notifications}")`;
  const setting = `notify-keyspace-events ${advisedKeyEvents(capabilities)}`;
  const more = isConfigMissing
    ? `${setting} in the configuration file of Redis`
    : `CONFIG SET ${setting} (or start with --configure-notifications)`;
  if (canTrack) return works('events', `${none}: client tracking of known locks is used instead.`, more);
  if (isClientMissing) {
    const why = `${none}, and this server has no CLIENT TRACKING: without key events, locks are only seen in snapshots.`;
    return works('events', why, more);
  }
  return lacks('events', rights.user, [
    {
      why: `${none}, and this user may not use client tracking.`,
      rules: ['+client|tracking', '+client|caching'],
      other: more,
    },
  ]);
}

function replicationLevel(rights: RefusedRights, db: number, refused: Problem | null): Level {
  const reasons = [
    ...readingReasons(rights, 'replication', db),
    ...(refused ? [{ why: refused.message, rules: [], ...(refused.hint === '' ? {} : { other: refused.hint }) }] : []),
  ];
  if (reasons.length > 0) return lacks('replication', rights.user, reasons);
  return works(
    'replication',
    'Experimental: the replication stream shows every change of a lock in order, but not which client made it. Redis counts Lockscope as a replica.',
  );
}

function monitorLevel(
  rights: RefusedRights,
  db: number,
  capabilities: Capabilities,
  { subscribe, monitor }: { readonly subscribe: RedisError | null; readonly monitor: RedisError | null },
): Level {
  const reasons = [
    ...readingReasons(rights, 'monitor', db),
    ...subscribeReasons(subscribe, capabilities),
    ...(monitor ? [monitorReason(monitor, capabilities.role)] : []),
  ];
  if (reasons.length > 0) return lacks('monitor', rights.user, reasons);
  return works(
    'monitor',
    'MONITOR is allowed: every change, which client made it, and why. It costs throughput while it is on.',
  );
}

function monitorReason({ message: why }: RedisError, role: ServerRole): Reason {
  if (role === 'replica') return { why, rules: [], other: 'the URL of its master' };
  const renamed = 'rename-command in the configuration file of Redis: MONITOR was renamed or removed';
  return isAbsent(why) ? { why, rules: [], other: renamed } : { why, rules: ['+monitor'] };
}
