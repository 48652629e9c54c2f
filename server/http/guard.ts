import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../loopback.ts';

/** What the guard looks at: the same for a request and for a socket's handshake. */
export type Visitor = {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** A handshake opens a two-way channel, so its Origin counts although it is a GET. */
  readonly isHandshake: boolean;
};

export type Verdict =
  | { readonly ok: true /** Set when the token came in the URL: remember it there. */; readonly cookie?: string }
  | {
      readonly ok: false;
      readonly status: 401 | 403;
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    };

/** Decides who may talk to us. */
export type Guard = (visitor: Visitor) => Verdict;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A guard for the address we listen on.
 *
 *   Host     stops DNS rebinding: a foreign name that resolves to this machine is not us
 *   Origin   stops other pages from sending commands or opening the socket in a visitor's name
 *   token    stops everybody else on the network
 *
 * With a token any Host will do (people reach us by many names, and the cookie belongs to one of them).
 */
export function createGuard(options: { host: string; token: string | undefined }): Guard {
  const { host, token } = options;
  const cookie = token === undefined ? undefined : tokenCookie(token);
  return ({ method, url, headers, isHandshake }) => {
    const visited = parseAuthority(headers.host);
    const known = visited !== undefined && (isLoopbackHost(visited.name) || visited.name === host.toLowerCase());
    if (visited === undefined || (token === undefined && !known)) {
      return refused(
        403,
        'host-refused',
        'This host name is not ours.',
        'Open the page by the address Lockscope printed.',
      );
    }
    const isChanging = isHandshake || !SAFE_METHODS.has(method);
    if (isChanging && headers.origin !== undefined && !isSameOrigin(headers.origin, visited.authority)) {
      return refused(403, 'origin-refused', 'Another site sent this request.', 'Use the page Lockscope serves itself.');
    }
    if (token === undefined || cookie === undefined) return { ok: true };
    if (sameText(bearerOf(headers.authorization), token)) return { ok: true };
    if (sameText(cookieOf(headers.cookie, cookie.name), cookie.value)) return { ok: true };
    if (sameText(tokenInUrl(url), token)) {
      return { ok: true, cookie: `${cookie.name}=${cookie.value}; Path=/; HttpOnly; SameSite=Strict` };
    }
    return refused(
      401,
      'token-required',
      'This Lockscope asks for a token.',
      'Add ?token=TOKEN to the address once, or send "Authorization: Bearer TOKEN".',
    );
  };
}

function refused(status: 401 | 403, code: string, message: string, hint: string): Verdict {
  return { ok: false, status, code, message, hint };
}

/** The Host header's name (lower case, no brackets) and the whole of it. */
export function parseAuthority(header: string | undefined): { name: string; authority: string } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(header?.toLowerCase() ?? '');
  return match?.[1] === undefined ? undefined : { name: match[1].replace(/^\[|\]$/g, ''), authority: match[0] };
}

/** True when the origin is the very address the visitor came to; a TLS proxy before us may make it https. */
function isSameOrigin(origin: string, authority: string): boolean {
  const match = /^(https?):\/\/([^/]+)$/.exec(origin.toLowerCase());
  if (!match) return false;
  const usualPort = match[1] === 'https' ? ':443' : ':80';
  const plain = (text: string) => (text.endsWith(usualPort) ? text.slice(0, -usualPort.length) : text);
  return plain(match[2] ?? '') === plain(authority);
}

/** The cookie that stands for the token: named after it, so that two Lockscopes on one host do not collide. */
function tokenCookie(token: string): { name: string; value: string } {
  const hash = createHash('sha256').update(`lockscope cookie ${token}`).digest('hex');
  return { name: `lockscope-${hash.slice(0, 8)}`, value: hash.slice(8) };
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

function tokenInUrl(url: string): string | undefined {
  const query = url.indexOf('?');
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query)).get('token') ?? undefined);
}

/** Compares in constant time, whatever the lengths. */
function sameText(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
