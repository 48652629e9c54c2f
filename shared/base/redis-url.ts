import { fail, ok, type Result } from './result.ts';

/** The address and login of one Redis. Only `displayUrl` may appear in a log, a page or an error. */
export type RedisUrl = {
  readonly scheme: 'redis' | 'rediss' | 'unix';
  /** Empty for `unix`; IPv6 without brackets. */
  readonly host: string;
  /** 0 for `unix`. */
  readonly port: number;
  /** The socket file for `unix`, otherwise null. */
  readonly path: string | null;
  readonly db: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly tls: boolean;
  /** Without user and password. */
  readonly displayUrl: string;
};

const DEFAULT_PORT = 6379;

/** The Redis user of a connection with this URL: `default` if it has no password, since there is no login then. */
export function loginOf({ username, password }: RedisUrl): string {
  return password === null ? 'default' : (username ?? 'default');
}

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/;
/** A URL without a login and with a colon after its host. If such a URL cannot be read, its port is wrong. */
const NO_PORT = /^rediss?:\/\/(?:[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]):[^@/?#]*(?:[/?#][^@]*)?$/i;
const TOPOLOGY = /^redis(?:s)?\+(sentinel|cluster):\/\//i;

/** Reads a Redis URL. Fails with one line about what is wrong, which never contains the password. */
export function parseRedisUrl(text: string): Result<RedisUrl, string> {
  const trimmed = text.trim();
  const shown = redactUrl(trimmed);
  if (trimmed === '') return fail('The Redis URL is empty. Give one such as redis://127.0.0.1:6379.');
  if (/[\x00-\x20\x7f]/.test(trimmed))
    return fail('The Redis URL has spaces or control characters. Percent-encode them.');
  const topology = topologyOf(trimmed);
  if (topology) return fail(`${shown} is the URL of several servers. Give the redis:// URL of one of them.`);
  const scheme = /^(rediss?|unix):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    return fail(`${shown} is not a Redis URL. It starts with redis://, rediss:// or unix://, as in redis://host:6379.`);
  }
  const url = tryUrl(trimmed);
  if (!url && NO_PORT.test(trimmed)) return fail(`${shown}: the port must be a number from 1 to 65535.`);
  if (!url) return fail(`${shown} cannot be read. Percent-encode special characters in the user and password.`);
  if (url.hash !== '') return fail(`${shown} has a "#". In a password write it as %23.`);
  const user = decode(url.username);
  const password = decode(url.password);
  if (user === null || password === null) {
    return fail(`${shown} has a broken percent-encoding in its user or password. Write "%" itself as %25.`);
  }
  const login = {
    username: emptyToNull(user) ?? emptyToNull(url.searchParams.get('username')),
    password: emptyToNull(password) ?? emptyToNull(url.searchParams.get('password')),
  };
  return scheme === 'unix' ? socketUrl(url, login, shown) : hostUrl(url, login, shown, scheme === 'rediss');
}

/** Returns `sentinel` or `cluster` for a URL of such a topology, otherwise undefined. */
export function topologyOf(text: string): 'sentinel' | 'cluster' | undefined {
  const word = TOPOLOGY.exec(text.trim())?.[1]?.toLowerCase();
  return word === 'sentinel' || word === 'cluster' ? word : undefined;
}

/**
 * Removes everything that may be a user, password or query from a text that may be a URL, so that messages can show it.
 */
export function redactUrl(text: string): string {
  const schemeEnd = text.indexOf('://');
  const scheme = schemeEnd === -1 ? '' : text.slice(0, schemeEnd + 3);
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  // an "@" after a "?": the password may be on either side of it, so neither is shown
  if (at !== -1 && /[?#]/.test(rest.slice(0, at))) return `${scheme}…`;
  const shown = scheme + rest.slice(at + 1).replace(/[?#].*$/s, '');
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}

type Login = Pick<RedisUrl, 'username' | 'password'>;

function hostUrl(url: URL, login: Login, shown: string, tls: boolean): Result<RedisUrl, string> {
  const host = url.hostname === '' ? '127.0.0.1' : url.hostname;
  if (!HOST.test(host)) return fail(`${shown} has no readable host name.`);
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  if (port === 0) return fail(`${shown} has port 0. Redis usually listens on ${DEFAULT_PORT}.`);
  const db = parseDb(url.pathname.replace(/^\/|\/$/g, '') || url.searchParams.get('db'));
  if (db === null)
    return fail(`${shown}: the part after the host must be a database number, as in redis://host:6379/2.`);
  const scheme = tls ? 'rediss' : 'redis';
  const displayUrl = `${scheme}://${host}:${port}${db === 0 ? '' : `/${db}`}`;
  return ok({ scheme, host: host.replace(/^\[|\]$/g, ''), port, path: null, db, ...login, tls, displayUrl });
}

function socketUrl(url: URL, login: Login, shown: string): Result<RedisUrl, string> {
  const path = decode(url.pathname);
  if (url.hostname !== NO_HOST) return fail(`${shown}: a socket path has three slashes, as in unix:///run/redis.sock.`);
  if (path === null || path.length < 2 || path.includes('\0')) {
    return fail(`${shown} has no socket path. Write it as in unix:///run/redis.sock.`);
  }
  const db = parseDb(url.searchParams.get('db'));
  if (db === null) return fail(`${shown}: db must be a number, as in unix:///run/redis.sock?db=2.`);
  const displayUrl = `unix://${path}${db === 0 ? '' : `?db=${db}`}`;
  return ok({ scheme: 'unix', host: '', port: 0, path, db, ...login, tls: false, displayUrl });
}

/** Replaces the missing host of a socket URL: `URL` does not allow a login without a host. */
const NO_HOST = 'socket.invalid';

function tryUrl(text: string): URL | undefined {
  try {
    return new URL(text.replace(/^unix:\/\/([^/?#]*@)?\//i, (_all, login = '') => `unix://${login}${NO_HOST}/`));
  } catch {
    return undefined;
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function parseDb(text: string | null): number | null {
  if (text === null || text === '') return 0;
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function emptyToNull(text: string | null): string | null {
  return text === '' ? null : text;
}
