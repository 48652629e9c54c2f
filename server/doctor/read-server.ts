import { clockBounds, type TimeSample } from '../../shared/doctor/checks/clock.ts';
import {
  type ClientsSeen,
  type ClockBounds,
  type Reading,
  type Readings,
  SETTINGS,
} from '../../shared/doctor/readings.ts';
import { type Capabilities, isMissing } from '../redis/connection/capabilities.ts';
import { fieldsFromInfo } from '../redis/connection/info-fields.ts';
import type { RawConnection } from '../redis/connection/raw-connection.ts';
import { RedisError, type Reply } from '../redis/connection/reply.ts';
import { clientsFromList, MOST_LISTED_CLIENTS } from '../redis/reads/client-list.ts';
import { microsFromTime } from '../redis/reads/read-replies.ts';

const SECTIONS = ['server', 'clients', 'memory', 'persistence', 'stats', 'replication'];
const TIMES = 5;
/** Longer values of a server are cut. */
const LONGEST_VALUE = 200;
/** ACL DRYRUN runs nothing: this key is never written. */
const DRY_RUN_KEY = 'lockscope-dry-run';

/** The facts that a server reports about itself, except whether MONITOR begins, which is tried last. */
type ServerReadings = Omit<Readings, 'monitor'>;

/** Asks a server about everything the doctor needs: about 30 short commands that change nothing. */
export async function readServer(
  connection: RawConnection,
  { version, role, user, canTrack }: Capabilities,
  server: string,
): Promise<ServerReadings> {
  const info = await infoOf(connection);
  const about = { server: short(server), version: short(version), role, user, canTrack, info };
  const config = await configOf(connection);
  const clock = await clockOf(connection);
  const clients = await clientsOf(connection, info);
  return { ...about, config, clock, clients, mayWrite: await mayWriteOf(connection, user) };
}

async function infoOf(connection: RawConnection): Promise<Readings['info']> {
  const replies = await connection.pipeline(SECTIONS.map((section) => ['INFO', section]));
  const texts = replies.filter((reply) => typeof reply === 'string');
  if (texts.length === 0) return refusalOf('INFO', replies[0] ?? null);
  const fields = [...fieldsFromInfo(texts.join('\r\n'))];
  return { value: new Map(fields.map(([name, value]) => [name, short(value)])) };
}

async function configOf(connection: RawConnection): Promise<Readings['config']> {
  const replies = await connection.pipeline(SETTINGS.map((name) => ['CONFIG', 'GET', name]));
  if (!replies.some((reply) => Array.isArray(reply))) return refusalOf('CONFIG GET', replies[0] ?? null);
  const settingIn = (reply: Reply | undefined) =>
    Array.isArray(reply) && typeof reply[1] === 'string' ? short(reply[1]) : null;
  return { value: new Map(SETTINGS.map((name, at) => [name, settingIn(replies[at])])) };
}

async function clockOf(connection: RawConnection): Promise<Reading<ClockBounds>> {
  const samples: TimeSample[] = [];
  for (let n = 0; n < TIMES; n++) {
    const sentMs = Date.now();
    const [reply] = await connection.pipeline([['TIME']]);
    // Date.now() leaves out the fraction of a millisecond.
    const answeredMs = Date.now() + 1;
    const micros = microsFromTime(reply ?? null);
    if (micros <= 0) return refusalOf('TIME', reply ?? null);
    samples.push({ sentMs, answeredMs, redisMs: micros / 1000 });
  }
  return { value: clockBounds(samples) };
}

async function clientsOf(connection: RawConnection, info: Readings['info']): Promise<Readings['clients']> {
  // Without INFO, the number of clients is unknown, so the list is not requested.
  if ('refused' in info) return info;
  const connected = Number(info.value.get('connected_clients') ?? Number.NaN);
  if (Number.isNaN(connected)) return refusalOf('INFO', 'no connected_clients');
  if (connected > MOST_LISTED_CLIENTS) return { value: { tooMany: connected, most: MOST_LISTED_CLIENTS } };
  const [list, id] = await connection.pipeline([
    ['CLIENT', 'LIST'],
    ['CLIENT', 'ID'],
  ]);
  if (typeof list !== 'string') return refusalOf('CLIENT LIST', list ?? null);
  const rows = clientsFromList(list);
  // A list without this connection comes from a proxy, not from this server.
  if (typeof id === 'number' && !rows.some((row) => row.id === id)) {
    return refusalOf('CLIENT LIST', 'a list without this connection');
  }
  return { value: seenIn(rows.filter((row) => row.id !== id)) };
}

function seenIn(rows: readonly { name: string; library: string }[]): ClientsSeen {
  const counts = new Map<string, number>();
  for (const { library } of rows) {
    if (library !== '') counts.set(short(library), (counts.get(short(library)) ?? 0) + 1);
  }
  const libraries = [...counts].map(([library, connections]) => ({ library, connections }));
  libraries.sort((a, b) => b.connections - a.connections);
  return { connections: rows.length, named: rows.filter(({ name }) => name !== '').length, libraries };
}

async function mayWriteOf(connection: RawConnection, user: string): Promise<Reading<boolean>> {
  const [reply] = await connection.pipeline([['ACL', 'DRYRUN', user, 'SET', DRY_RUN_KEY, '']]);
  if (reply === 'OK') return { value: true };
  // Other reasons concern only the key of this dry run.
  if (typeof reply === 'string' && / run /.test(reply)) return { value: false };
  return refusalOf('ACL DRYRUN', reply ?? null);
}

/** The reason in an error reply, or in a reply that is not as expected. */
export function refusalOf(command: string, reply: Reply): Extract<Reading<never>, { refused: unknown }> {
  const quote = short(reply instanceof RedisError ? reply.message : typeof reply === 'string' ? reply : '');
  if (!(reply instanceof RedisError)) return { refused: { why: 'other', command, quote } };
  const why = reply.code === 'NOPERM' ? 'no-permission' : isMissing(reply) ? 'no-command' : 'other';
  return { refused: { why, command, quote } };
}

function short(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
