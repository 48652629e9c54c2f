import { parseRedisUrl, type RedisUrl, redactUrl } from './redis-url.ts';
import { fail, ok, type Result } from './result.ts';

/** What to watch: one server, or a topology found through seed servers. Only `displayUrl` may be shown. */
export type WatchUrl =
  | { readonly kind: 'single'; readonly displayUrl: string; readonly server: RedisUrl }
  | {
      readonly kind: 'sentinel';
      readonly displayUrl: string;
      readonly seeds: readonly RedisUrl[];
      /** The name of the master in the Sentinels' configuration. */
      readonly master: string;
      readonly db: number;
    }
  | { readonly kind: 'cluster'; readonly displayUrl: string; readonly seeds: readonly RedisUrl[] };

type TopologyUrl = Exclude<WatchUrl, { kind: 'single' }>;

const FORM = /^(rediss?)\+(sentinel|cluster):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?$/is;
const DEFAULT_PORTS = { sentinel: 26_379, cluster: 6379 };
const MOST_SEEDS = 100;

/**
 * Reads the URL to watch. Fails with one line about what is wrong, which never contains the password.
 *
 *   redis+sentinel://[user:password@]host[:port],host…/master[/db]
 *   redis+cluster://[user:password@]host[:port],host…
 */
export function parseWatchUrl(text: string): Result<WatchUrl, string> {
  const trimmed = text.trim();
  const [, scheme = '', topology = '', authority = '', path = '', query = ''] = FORM.exec(trimmed) ?? [];
  const kind = topology.toLowerCase();
  if (kind !== 'sentinel' && kind !== 'cluster') {
    const server = parseRedisUrl(trimmed);
    return server.ok ? ok({ kind: 'single', displayUrl: server.value.displayUrl, server: server.value }) : server;
  }
  const shown = redactUrl(trimmed);
  const seeds = seedsOf(scheme.toLowerCase(), authority, DEFAULT_PORTS[kind], shown);
  if (!seeds.ok) return seeds;
  const displayed = `${scheme.toLowerCase()}+${kind}://${seeds.value.map(nodeOf).join(',')}`;
  const rest = { shown, displayed, seeds: seeds.value, path, db: new URLSearchParams(query).get('db') };
  return kind === 'sentinel' ? sentinelUrl(rest) : clusterUrl(rest);
}

type Rest = {
  readonly shown: string;
  readonly displayed: string;
  readonly seeds: readonly RedisUrl[];
  readonly path: string;
  readonly db: string | null;
};

function sentinelUrl({ shown, displayed, seeds, path, db: asked }: Rest): Result<TopologyUrl, string> {
  const [master = '', db = asked ?? '0', ...more] = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  const name = decoded(master);
  if (name === undefined || name === '') {
    return fail(`${shown} names no master. Write it after the hosts, as in redis+sentinel://host:26379/mymaster.`);
  }
  if (more.length > 0 || !/^\d{1,9}$/.test(db)) {
    return fail(`${shown}: the part after the master's name must be a database number, as in …/${master}/2.`);
  }
  const displayUrl = `${displayed}/${master}${Number(db) === 0 ? '' : `/${Number(db)}`}`;
  return ok({ kind: 'sentinel', displayUrl, seeds, master: name, db: Number(db) });
}

function clusterUrl({ shown, displayed, seeds, path, db }: Rest): Result<TopologyUrl, string> {
  if ((path !== '' && path !== '/' && path !== '/0') || (db !== null && Number(db) !== 0)) {
    return fail(`${shown}: a cluster has only one database. Remove the part after the hosts.`);
  }
  return ok({ kind: 'cluster', displayUrl: displayed, seeds });
}

/** Returns the URL of each host. All have the login that is before the first host. */
function seedsOf(scheme: string, authority: string, port: number, shown: string): Result<RedisUrl[], string> {
  const at = authority.lastIndexOf('@');
  const login = authority.slice(0, at + 1);
  const seeds: RedisUrl[] = [];
  for (const host of authority.slice(at + 1).split(',')) {
    const hasPort = /:\d+$/.test(host) && !/^[0-9A-Fa-f:]*::/.test(host);
    const seed = parseRedisUrl(`${scheme}://${login}${host}${hasPort ? '' : `:${port}`}`);
    if (host.trim() === '' || !seed.ok) {
      return fail(
        `${shown} has a host that cannot be read. Separate hosts by commas, as in host1:${port},host2:${port}.`,
      );
    }
    seeds.push(seed.value);
  }
  return seeds.length <= MOST_SEEDS
    ? ok(seeds)
    : fail(`${shown} has more than ${MOST_SEEDS} hosts. A few of them are enough.`);
}

/** Returns `host:port` of a server, or the path of its socket if it has one. */
export function nodeOf({ host, port, path }: RedisUrl): string {
  return path ?? nodeName(host, port);
}

/** Returns `host:port`, with brackets around an IPv6 address. */
export function nodeName(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the URL of another server with the login and TLS setting of `like`. */
export function serverLike(like: RedisUrl, host: string, port: number, db = 0): RedisUrl {
  const scheme = like.tls ? 'rediss' : 'redis';
  const displayUrl = `${scheme}://${nodeName(host, port)}${db === 0 ? '' : `/${db}`}`;
  return { ...like, scheme, host, port, path: null, db, displayUrl };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
