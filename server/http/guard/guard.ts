import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { cookieIn, type SetCookie } from './cookies.ts';
import { isFromOtherSite, isVisitToPage } from './foreign-site.ts';
import { isLoopbackHost } from './loopback.ts';
import { isSameText } from './same-text.ts';
import { TokenTries } from './token-tries.ts';

/** What the guard checks, for a request or for a WebSocket handshake. */
export type Visitor = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The address at the other end of the connection. */
  readonly address: string;
  /** Whether the connection itself has TLS. If it has no TLS, the connection of the browser to a proxy may have TLS. */
  readonly hasTls?: boolean;
  /** A handshake opens a two-way channel, so its Origin is checked although it is a GET. */
  readonly isHandshake: boolean;
};

type Verdict =
  | {
      readonly ok: true;
      /** The cookies that the answer sets. */
      readonly cookies?: readonly SetCookie[];
    }
  | {
      readonly ok: false;
      readonly status: 401 | 403 | 429;
      readonly problem: Problem;
      readonly retryAfterSeconds?: number;
    };

/** Decides whether a request is allowed. */
export type Guard = (visitor: Visitor) => Verdict;

type GuardOptions = {
  readonly host: string;
  readonly token: string | undefined;
  /** The port we listen on. Browsers send cookies to every port of a host, so the cookie's name contains it. */
  readonly port?: number | string;
  /** Browsers reach this server only over TLS, so they need not send the cookie without TLS. */
  readonly hasTls?: boolean;
  /** A code that opens the page once, instead of the token. So the token never appears on a browser's command line. */
  readonly openCode?: string | undefined;
  /** A monotonic clock in ms. */
  readonly now?: () => number;
};

/** Query fields that grant access; the redirect removes them from the address. */
export const KEYS_IN_URL = ['token', 'code'] as const;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
export const KEY_SECONDS = 24 * 3600;

/**
 * Creates the guard for the address we listen on. It checks:
 *
 *   Host              stops DNS rebinding: a foreign host name that resolves to this machine
 *   Origin            stops other sites from sending commands or opening the WebSocket from a visitor's browser
 *   Sec-Fetch-Site    stops other sites from causing any request, except a link that opens the page
 *   token             stops everyone else on the network
 *
 * With a token, any Host is accepted: the server may have many names, and the cookie is valid for one of them only.
 */
export function createGuard(options: GuardOptions): Guard {
  const { host, token, port = 0, openCode, hasTls = false, now = () => performance.now() } = options;
  const [name, value] = [`lockscope-${port}`, randomBytes(32).toString('hex')];
  const cookieFor = () => ({ name, value, maxAgeSeconds: KEY_SECONDS, isSecure: hasTls, isOwnPath: false });
  const keys = { value, names: [name], cookieFor, openCode, tries: new TokenTries(now) };
  const keyGuard = token === undefined ? undefined : keyCheck({ ...keys, token });
  return (visitor) => {
    const visited = parseAuthority(visitor.headers.host);
    const isKnown = visited !== undefined && (isLoopbackHost(visited.name) || visited.name === host.toLowerCase());
    if (visited === undefined || (token === undefined && !isKnown)) return refused(403, problem('host-refused'));
    return foreign(visitor, [visited.authority]) ?? keyGuard?.(visitor) ?? { ok: true };
  };
}

/**
 * Why a request is refused because of the site that it is from; undefined: it is from our own page, it opens the page,
 * or it is not from a browser. `names`: the hosts by which browsers reach us.
 */
export function foreign({ method, url, headers, isHandshake }: Visitor, names: readonly string[]): Verdict | undefined {
  const { origin } = headers;
  const isOurs = origin !== undefined && names.some((name) => isSameOrigin(origin, name));
  const isVisit = isVisitToPage(method, url, headers);
  const isOriginAsked = isHandshake || !SAFE_METHODS.has(method) || !isVisit;
  if (isOriginAsked && origin !== undefined && !isOurs) return refused(403, problem('origin-refused'));
  // Browsers disagree on whether ws:// and http:// of one host are the same site. The Origin is reliable.
  const isSiteCertain = isHandshake && isOurs;
  if (!isSiteCertain && !isVisit && isFromOtherSite(headers)) return refused(403, problem('site-refused'));
  return undefined;
}

type Keys = {
  readonly token: string;
  /** The value of the cookie that a browser gets in exchange for the token, and the names that the cookie may have. */
  readonly value: string;
  readonly names: readonly string[];
  readonly cookieFor: (visitor: Visitor) => SetCookie;
  readonly openCode?: string | undefined;
  readonly tries: TokenTries;
};

/**
 * Checks the cookie, the code and the token.
 *
 * - The right token always passes: many people may share an address behind a proxy.
 * - Wrong tokens are counted. After ten within a minute, their address has to wait.
 * - Wrong cookies are not counted, because a cookie is random and cannot be guessed.
 */
export function keyCheck({ token, value, names, cookieFor, openCode, tries }: Keys): Guard {
  let codeLeft = openCode;
  return (visitor) => {
    const { url, headers, address } = visitor;
    if (names.some((name) => isSameText(cookieIn(headers, name), value))) return { ok: true };
    if (codeLeft !== undefined && isSameText(fieldInUrl(url, 'code'), codeLeft)) {
      codeLeft = undefined;
      return { ok: true, cookies: [cookieFor(visitor)] };
    }
    const inHeader = bearerOf(headers.authorization);
    const inUrl = fieldInUrl(url, 'token');
    if (isSameText(inHeader, token)) return { ok: true };
    if (isSameText(inUrl, token)) return { ok: true, cookies: [cookieFor(visitor)] };
    if (inHeader === undefined && inUrl === undefined) return TOKEN_REQUIRED;
    const seconds = tries.pauseOf(address);
    if (seconds > 0) return tooManyTries(seconds);
    tries.noteWrong(address);
    return TOKEN_REQUIRED;
  };
}

const TOKEN_REQUIRED = refused(401, problem('token-required'));

function tooManyTries(seconds: number): Verdict {
  return { ...refused(429, problem('too-many-tries', { seconds })), retryAfterSeconds: seconds };
}

export function refused(status: 401 | 403 | 429, problem: Problem) {
  return { ok: false, status, problem } as const;
}

/** The host name in a Host header (no brackets) and the whole header, both in lower case. `undefined` if malformed. */
export function parseAuthority(header: string | undefined): { name: string; authority: string } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '');
  return match?.[1] === undefined ? undefined : { name: match[1].replace(/^\[|\]$/g, ''), authority: match[0] };
}

/** True if the origin has the host and port of the request. It may be https: a TLS proxy may be in front of us. */
function isSameOrigin(origin: string, authority: string): boolean {
  const match = /^(https?):\/\/([^/]+)$/.exec(origin.toLowerCase());
  if (!match) return false;
  const usualPort = match[1] === 'https' ? ':443' : ':80';
  const plain = (text: string) => (text.endsWith(usualPort) ? text.slice(0, -usualPort.length) : text);
  return plain(match[2] ?? '') === plain(authority);
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

function fieldInUrl(url: string, name: (typeof KEYS_IN_URL)[number]): string | undefined {
  const query = url.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query)).get(name) ?? undefined);
}
