import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { openCommandConnection, type RawCommandConnection } from '../redis/connection/command-connection.ts';
import { fieldsFromInfo, roleFromFields } from '../redis/connection/info-fields.ts';
import { idOf, type Place, placeOf, type RawEntry, rawEntriesFrom } from './bus-entry.ts';

/** What must be known about a server before it is used as a bus. */
export type BusServer = { readonly version: string; readonly runId: string | undefined; readonly problem?: string };

/** The first version whose XADD has MINID, and trims exactly. */
const LEAST_VERSION = [6, 2];

/** A connection to the Redis that is the bus. Commands reject with `ConnectionLost` while it is down. */
export class Bus {
  readonly connection: RawCommandConnection;
  readonly url: RedisUrl;
  readonly #ready = new Set<() => void>();

  constructor(url: RedisUrl, name = 'lockscope-bus') {
    this.url = url;
    this.connection = openCommandConnection({
      ...{ url, name },
      onReady: () => {
        for (const listener of this.#ready) listener();
      },
    });
  }

  /** Calls `listener` each time the connection is up. */
  onReady(listener: () => void): void {
    this.#ready.add(listener);
    if (this.connection.isReady()) listener();
  }

  /** Waits until the connection is up, or `signal` aborts. */
  async whenReady(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.connection.isReady()) {
      await this.connection.whenReady(1000).catch(() => undefined);
    }
  }

  async server(): Promise<BusServer> {
    const info = fieldsFromInfo(await this.connection.call('INFO').catch(() => ''));
    const version = info.get('redis_version') ?? '?';
    const found = { version, runId: info.get('run_id') };
    const { displayUrl } = this.url;
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const [leastMajor = 0, leastMinor = 0] = LEAST_VERSION;
    if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
      return { ...found, problem: `The bus ${displayUrl} has Redis ${version}. It needs 6.2 or newer.` };
    }
    if (roleFromFields(info) === 'replica') {
      return { ...found, problem: `The bus ${displayUrl} is a replica. Name its master with --bus.` };
    }
    return found;
  }

  /** Up to `count` entries of a stream, in order, beginning with the one at `from`. */
  async range(key: string, from: Place | '-', count: number): Promise<RawEntry[]> {
    const start = from === '-' ? from : idOf(from);
    return rawEntriesFrom(await this.connection.callRaw('XRANGE', key, start, '+', 'COUNT', count));
  }

  /** The newest entries of a stream, newest first. */
  async newest(key: string, count: number): Promise<RawEntry[]> {
    return rawEntriesFrom(await this.connection.callRaw('XREVRANGE', key, '+', '-', 'COUNT', count));
  }

  /** The place of the newest entry that a stream ever had; `undefined`: there is no such stream. */
  async lastPlace(key: string): Promise<Place | undefined> {
    const reply = await this.connection.call('XINFO', 'STREAM', key).catch(missing);
    if (!Array.isArray(reply)) return undefined;
    return placeOf(String(reply[reply.indexOf('last-generated-id') + 1]));
  }

  /** Adds an entry and drops those before `keepFrom`. */
  async add(key: string, place: Place, fields: (string | number | Buffer)[], keepFrom?: Place): Promise<void> {
    const trim = keepFrom ? ['MINID', '=', idOf(keepFrom)] : [];
    await this.connection.call('XADD', key, ...trim, idOf(place), ...fields);
  }

  close(): void {
    this.connection.close();
  }
}

function missing(error: unknown): undefined {
  if (error instanceof Error && /no such key/i.test(error.message)) return undefined;
  throw error;
}

/** Why the bus did not store an entry. `refused`: it has an entry with this id, or a later one. */
type Failure = 'gone' | 'full' | 'refused' | 'other';

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'other';
  if (error.name === 'ConnectionLost') return 'gone';
  if (/^OOM /.test(error.message)) return 'full';
  if (/equal or smaller/.test(error.message)) return 'refused';
  if (/^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|UNBLOCKED) /.test(error.message)) return 'gone';
  return 'other';
}
