import { loginOf, type RedisUrl } from '../../../shared/base/redis-url.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { ObserveLevel } from '../../../shared/wire/source.ts';
import { type Capabilities, capabilitiesOf, refuseSentinel } from '../connection/capabilities.ts';
import { fieldsFromInfo } from '../connection/info-fields.ts';
import { NotPermitted, RedisProblem } from '../connection/problem.ts';
import { RawConnection } from '../connection/raw-connection.ts';
import type { RefusedRights } from '../rights/refused-rights.ts';
import { blockOf } from '../rights/rights-report.ts';
import { tryReads } from '../rights/try-reads.ts';

/** The connections of one feed. */
export type Connections = {
  readonly stream: RawConnection;
  /** The connection for reads: a second one at level `monitor`, else the stream itself. */
  readonly reader: RawConnection;
  readonly capabilities: Capabilities;
  /** Redis's ids of the connections. The stream's id is first. */
  readonly clientIds: readonly number[];
};

/** What is known about the rights of a user, and the watched names: globs, or none for all names. */
export type Permits = { readonly rights: RefusedRights; readonly match: readonly string[] };

/**
 * Connects, logs in (HELLO 3) and tries what reading needs. Rejects with the reason, with `NotPermitted` if rights are
 * missing, and leaves no connection open then. `room`: the memory that the stream reads into.
 */
export async function openConnections(
  url: RedisUrl,
  level: ObserveLevel,
  { rights, match }: Permits,
  room?: Buffer,
): Promise<Connections> {
  const hear = (connection: RawConnection) => {
    connection.onReply = (words, reply) => rights.heard(words, reply);
    return connection;
  };
  const requireRights = () => {
    const block = blockOf(rights, level, url.db);
    if (block) throw new NotPermitted(block);
  };
  const stream = hear(await RawConnection.open(url, room));
  rights.begin(loginOf(url));
  let reader = stream;
  try {
    const hello = await stream.greet(url);
    refuseSentinel(hello, url);
    await requireLoaded(stream, url);
    await tryReads((commands) => stream.pipeline(commands), rights, { db: url.db, match });
    requireRights();
    const capabilities = await capabilitiesOf(stream, hello, url);
    requireRights();
    const clientIds = [Number(hello.get('id'))];
    if (level === 'monitor') {
      reader = hear(await RawConnection.open(url));
      clientIds.push(Number((await reader.greet(url)).get('id')));
    }
    return { stream, reader, capabilities, clientIds };
  } catch (error) {
    stream.close();
    reader.close();
    throw error;
  }
}

/**
 * Rejects while a server loads its data: it answers HELLO and shows its lines, but refuses each read, so its locks
 * cannot be watched.
 */
async function requireLoaded(connection: RawConnection, url: RedisUrl): Promise<void> {
  const [info] = await connection.pipeline([['INFO', 'persistence']]);
  const fields = fieldsFromInfo(info);
  if (fields.get('loading') !== '1') return;
  const seconds = Number(fields.get('loading_eta_seconds') ?? Number.NaN);
  throw new RedisProblem(problem('loading', { where: url.displayUrl, ...(seconds > 0 ? { seconds } : undefined) }));
}
