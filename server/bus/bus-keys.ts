import { hostname } from 'node:os';
import { parseWatchUrl } from '../../shared/base/topology-url.ts';

/**
 * All sources that were announced on the bus in the last week: a sorted set of their names, by the ms of their newest
 * pulse.
 */
export const SOURCES_KEY = 'lockscope:sources';

/** The lease of the only writer into a store. */
export const writerLeaseKey = (store: string) => `lockscope:writer:${store}`;

/** The lease of the active observer of a source. */
export const observerLeaseKey = (name: string) => `lockscope:observer:{${name}}`;

/** The observers of a source that wait for its lease: a sorted set, by the ms at which they were last seen. */
export const standbysKey = (name: string) => `lockscope:{${name}}:standbys`;

/** Blocks and gaps, in order; ids are `<run>-<last line>`. */
export const blocksKey = (name: string) => `lockscope:{${name}}:blocks`;

/** The whole state after a line, from time to time; ids are `<run>-<line>`. */
export const statesKey = (name: string) => `lockscope:{${name}}:states`;

/** A pulse each second, with the present state; ids are `<run>-<number>`. */
export const pulseKey = (name: string) => `lockscope:{${name}}:pulse`;

const LOOPBACK = /^(?:localhost|127\..*|::1)$/i;
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether a name of a source may be part of a key, of a path and of a file name. */
export function isSafeName(name: string): boolean {
  return SAFE_NAME.test(name);
}

/**
 * The name of what a URL watches: its host and port, such as `redis-1-6379`, or the name of the master that Sentinels
 * know. `127.0.0.1` is another server on each machine, so the name of the machine replaces it.
 */
export function nameOfUrl(url: string, machine = hostname()): string {
  const parsed = parseWatchUrl(url);
  if (!parsed.ok) throw new Error(parsed.error);
  if (parsed.value.kind === 'sentinel') return safe(`${parsed.value.master}-${parsed.value.db}`);
  const [server] = parsed.value.kind === 'single' ? [parsed.value.server] : parsed.value.seeds;
  const { host = '', port = 0, path = null, db = 0 } = server ?? {};
  const place = path === null ? `${LOOPBACK.test(host) ? machine : host}-${port}` : `${machine}-${path}`;
  return safe(db === 0 ? place : `${place}-${db}`);
}

function safe(text: string): string {
  const name = text
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return name === '' ? 'redis' : name.slice(0, 100);
}
