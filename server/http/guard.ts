import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { isLoopbackHost } from '../loopback.ts';
import { isFromOtherSite, isVisitToPage } from './foreign-site.ts';
import { TokenTries } from './token-tries.ts';

/** What the guard checks, for a request or for a WebSocket handshake. */
export type Visitor = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The address at the other end of the connection. */
  readonly address: string;
  /** A handshake opens a two-way channel, so its Origin is checked although it is a GET. */
  readonly isHandshake: boolean;
};

export type Verdict =
  | { readonly ok: true /** `Set-Cookie`, if the sender needs it from now on. */; readonly cookie?: string }
  | {
      readonly ok: false;
      readonly status: 401 | 403 | 429;
      readonly problem: Problem;
      readonly retryAfterSeconds?: number;
    };

/** Decides whether a request is allowed. */
export type Guard = (visitor: Visitor) => Verdict;

export type GuardOptions = {
  readonly host: string;
  readonly token: string | undefined;
  /** The port we listen on. Browsers send cookies to every port of a host, so the cookie's name contains it. */
  readonly port?: number | string;
  /**
   * It is part of an application, which decides who may come. The application has names that we do not know, and perhaps a
   * proxy in front that replaces the Host: browsers cannot be made to send `X-Forwarded-Host` to another site. A WebSocket
   * does not pass the application's login, so it needs the cookie that every other answer sets.
   */
  readonly isInApplication?: boolean;
  /** Browsers reach it only by TLS, so its cookie is not sent without. */
  readonly hasTls?: boolean;
  /** Opens the page once, instead of the token. So the token never appears on a browser's command line. */
  readonly openCode?: string | undefined;
  /** A monotonic clock in ms. */
  readonly now?: () => number;
};

/** Query fields that grant access; the redirect removes them from the address. */
export const KEYS_IN_URL = ['token', 'code'] as const;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const COOKIE_SECONDS = 24 * 3600;

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
  const { host, token, port = 0, openCode, isInApplication = false, now = () => performance.now() } = options;
  const cookie = createCookie(port, options.hasTls);
  const isKeyRight =
    token !== undefined
      ? keyCheck({ token, cookie, openCode, tries: new TokenTries(now) })
      : isInApplication && passCheck(cookie);
  return (visitor) => {
    const { method, url, headers, isHandshake } = visitor;
    const visited = parseAuthority(headers.host);
    const known = visited !== undefined && (isLoopbackHost(visited.name) || visited.name === host.toLowerCase());
    if (visited === undefined || (token === undefined && !known && !isInApplication)) {
      return refused(403, problem('host-refused'));
    }
    const { origin } = headers;
    const names = isInApplication ? [visited.authority, forwardedHost(headers)] : [visited.authority];
    const isOurs = origin !== undefined && names.some((name) => isSameOrigin(origin, name));
    const isVisit = isVisitToPage(method, url, headers);
    const isOriginAsked = isHandshake || !SAFE_METHODS.has(method) || !isVisit;
    if (isOriginAsked && origin !== undefined && !isOurs) {
      return refused(403, problem('origin-refused'));
    }
    // Browsers disagree on whether ws:// and http:// of one host are the same site. The Origin is reliable.
    const isSiteCertain = isHandshake && isOurs;
    if (!isSiteCertain && !isVisit && isFromOtherSite(headers)) {
      return refused(403, problem('site-refused'));
    }
    return isKeyRight ? isKeyRight(visitor) : { ok: true };
  };
}

type Keys = { token: string; cookie: Cookie; openCode: string | undefined; tries: TokenTries };

/**
 * Checks the token. Wrong tokens are counted. Wrong cookies are not, because a cookie is random and cannot be guessed.
 * So a pause after wrong tokens never locks out a page that has the cookie.
 */
function keyCheck({ token, cookie, openCode, tries }: Keys): Guard {
  let codeLeft = openCode;
  return ({ url, headers, address }) => {
    if (cookie.isIn(headers)) return { ok: true };
    if (codeLeft !== undefined && sameText(fieldInUrl(url, 'code'), codeLeft)) {
      codeLeft = undefined;
      return { ok: true, cookie: cookie.header };
    }
    const inHeader = bearerOf(headers.authorization);
    const inUrl = fieldInUrl(url, 'token');
    if (inHeader === undefined && inUrl === undefined) return TOKEN_REQUIRED;
    const seconds = tries.pauseOf(address);
    if (seconds > 0) return tooManyTries(seconds);
    if (sameText(inHeader, token)) return { ok: true };
    if (sameText(inUrl, token)) return { ok: true, cookie: cookie.header };
    tries.noteWrong(address);
    return TOKEN_REQUIRED;
  };
}

/** Lets every request pass, because the application in front did, and a handshake if its sender has had an answer. */
function passCheck(cookie: Cookie): Guard {
  return ({ headers, isHandshake }) => {
    if (cookie.isIn(headers)) return { ok: true };
    return isHandshake ? TOKEN_REQUIRED : { ok: true, cookie: cookie.header };
  };
}

/** A random cookie, and the `Set-Cookie` for it. */
type Cookie = { readonly header: string; isIn(headers: IncomingHttpHeaders): boolean };

function createCookie(port: number | string, hasTls = false): Cookie {
  const name = `lockscope-${port}`;
  const value = randomBytes(32).toString('hex');
  return {
    header: `${name}=${value}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; SameSite=Strict${hasTls ? '; Secure' : ''}`,
    isIn: (headers) => sameText(cookieOf(headers.cookie, name), value),
  };
}

const TOKEN_REQUIRED = refused(401, problem('token-required'));

function tooManyTries(seconds: number): Verdict {
  return { ...refused(429, problem('too-many-tries', { seconds })), retryAfterSeconds: seconds };
}

function refused(status: 401 | 403 | 429, problem: Problem) {
  return { ok: false, status, problem } as const;
}

/** The host name in a Host header (no brackets) and the whole header, both in lower case. `undefined` if malformed. */
export function parseAuthority(header: string | undefined): { name: string; authority: string } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '');
  return match?.[1] === undefined ? undefined : { name: match[1].replace(/^\[|\]$/g, ''), authority: match[0] };
}

/** The host that the browser asked for, as a proxy reports it; empty if none does. */
function forwardedHost({ 'x-forwarded-host': forwarded }: IncomingHttpHeaders): string {
  const [first = ''] = String(forwarded ?? '').split(',');
  return parseAuthority(first.trim())?.authority ?? '';
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

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

function fieldInUrl(url: string, name: (typeof KEYS_IN_URL)[number]): string | undefined {
  const query = url.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query)).get(name) ?? undefined);
}

/** Compares in constant time, even if the lengths differ. */
function sameText(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
