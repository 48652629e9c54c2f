import type { ServerRole } from '../../../shared/base/server-role.ts';
import { PROBE_CHANNEL, SENTINEL_CHANNEL } from '../../../shared/replication/effect-groups.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { ReplicationRefusal } from '../../../shared/wire/problems/values.ts';
import { isMissing } from './capabilities.ts';
import { fieldsFromInfo } from './info-fields.ts';
import type { Reply } from './reply.ts';

/** The place of a master's replication stream, as INFO shows it. */
export type ReplicationPlace = {
  readonly history: string;
  readonly offset: number;
  /** The oldest offset that the backlog still has. */
  readonly oldest: number;
};

/** The server and the user whose permission is checked. */
type Asked = { readonly role: ServerRole; readonly isCluster: boolean; readonly user: string };
type Ask = (...commands: (readonly string[])[]) => Promise<Reply[]>;

const HISTORY = /^[0-9a-f]{40}$/;

/** Reads the place of the stream from INFO; undefined if INFO does not show it, or if there is no backlog. */
export function placeFromInfo(info: unknown): ReplicationPlace | undefined {
  const fields = fieldsFromInfo(info);
  const history = fields.get('master_replid') ?? '';
  const [offset, oldest] = ['master_repl_offset', 'repl_backlog_first_byte_offset'].map((name) =>
    numberIn(fields.get(name)),
  );
  const isActive = fields.get('repl_backlog_active') === '1';
  if (!isActive || !HISTORY.test(history) || offset === undefined || oldest === undefined) return undefined;
  return { history, offset, oldest };
}

/**
 * Why this server's replication stream must not be read; undefined if nothing is against it. These reasons are harms:
 *
 *   replica, cluster  the stream belongs to others, or others act on it
 *   no-backlog        PSYNC would make the server fork and send all of its data
 *   no-replica        clients that wait for replicas would begin to wait for us
 *   min-replicas      the server would count us as a good replica and accept writes that it must refuse
 *   waits             clients use WAIT: Redisson waits for every replica that INFO shows, and we never acknowledge
 *   sentinel          Sentinels remember every replica that INFO shows, as one that could be promoted
 *
 * The others mean that harm cannot be ruled out, because INFO or PUBSUB NUMSUB is refused or missing.
 */
export async function refusalOf(
  ask: Ask,
  { role, isCluster }: Omit<Asked, 'user'>,
): Promise<ReplicationRefusal | undefined> {
  if (role !== 'master') return 'replica';
  if (isCluster) return 'cluster';
  const [replication, commands, sentinels] = await ask(
    ['INFO', 'replication'],
    ['INFO', 'commandstats'],
    ['PUBSUB', 'NUMSUB', SENTINEL_CHANNEL],
  );
  if (typeof replication !== 'string' || typeof commands !== 'string')
    return isMissing(replication) ? 'info-missing' : 'no-info';
  if (!placeFromInfo(replication)) return 'no-backlog';
  if (!/^slave\d+:.*state=online/m.test(replication)) return 'no-replica';
  if (/^cmdstat_wait(aof)?:calls=[1-9]/m.test(commands)) return 'waits';
  if (!Array.isArray(sentinels) || typeof sentinels[1] !== 'number')
    return isMissing(sentinels) ? 'pubsub-missing' : 'no-pubsub';
  if (sentinels[1] > 0) return 'sentinel';
  return harmFromInfo(replication);
}

/**
 * Why this user may not, or must not, read the replication stream of this server; null: nothing is known against it.
 * PSYNC itself is not sent.
 */
export async function replicationProblem(ask: Ask, asked: Asked): Promise<Problem | null> {
  const { user } = asked;
  const dryRuns = await ask(
    ['ACL', 'DRYRUN', user, 'PSYNC', '?', '-1'],
    ['ACL', 'DRYRUN', user, 'REPLCONF', 'ACK', '0'],
    ['ACL', 'DRYRUN', user, 'PUBLISH', PROBE_CHANNEL, ''],
  );
  // Before Redis 7 there is no DRYRUN: only an attempt shows whether a command is permitted.
  const [mayPsync, mayReplconf, mayPublish] = dryRuns.map((reply) => reply === 'OK' || typeof reply !== 'string');
  if (!mayPsync || !mayReplconf) return problem('replication-refused', { user });
  if (!mayPublish) return problem('replication-unavailable', { why: 'no-publish' });
  const refusal = await refusalOf(ask, asked);
  return refusal ? problem('replication-unavailable', { why: refusal }) : null;
}

/** Returns the reason in INFO to end the replication stream, if there is one. */
export function harmFromInfo(replication: string): ReplicationRefusal | undefined {
  // INFO has this line only if min-replicas-to-write is set.
  return /^min_(slaves|replicas)_good/m.test(replication) ? 'min-replicas' : undefined;
}

/** False if INFO shows that the server evicts no keys: without a limit of memory, or by its policy. Else true. */
export function mayEvictFromInfo(info: unknown): boolean {
  const fields = fieldsFromInfo(info);
  return fields.get('maxmemory') !== '0' && fields.get('maxmemory_policy') !== 'noeviction';
}

function numberIn(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== undefined && text !== '' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
