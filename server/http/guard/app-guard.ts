import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { foreign, type Guard, KEY_SECONDS, keyCheck, parseAuthority, refused, type Visitor } from './guard.ts';
import { isAddress, isLoopbackHost } from './loopback.ts';
import { hashOf, type Ticket, type Tickets } from './tickets.ts';
import { TokenTries } from './token-tries.ts';

/** The refusal of a live channel that has no ticket, or that the application does not allow. */
export const LOGIN_REQUIRED = refused(401, problem('login-required'));

export type AppGuardOptions = {
  /** What every visitor needs in addition to the login. */
  readonly token: string | undefined;
  /** The application decides about each live channel itself, so it has a login. */
  readonly hasLogin: boolean;
  /** Names of the application, in lower case: `ops.example.com`, or `*.example.com` for all below it. */
  readonly hosts: readonly string[];
  /** What copies of the application share. */
  readonly secret: string | undefined;
  readonly tickets: Tickets;
  /** Called for each request that has passed the login, with the ticket of its page. */
  readonly onRenewed: (ticket: Ticket) => void;
  /** Called with a host name that is not known. */
  readonly onUnknownHost: (name: string) => void;
  /** A monotonic clock in ms. */
  readonly now?: () => number;
};

/**
 * Creates the guard of a Lockscope inside an application, whose login is in front of its requests. A live channel does
 * not pass that login: it needs a ticket, which the answers to other requests set.
 *
 * Without a token, a site could point its own name to this machine (DNS rebinding), and a login by address would let it
 * pass. So the host must be a name that is known, or an address. A proxy may replace the Host: browsers cannot be made
 * to send `X-Forwarded-Host` to another site, so a site cannot name us there instead.
 */
export function createAppGuard(options: AppGuardOptions): Guard {
  const { token, hasLogin, hosts, tickets, onRenewed, onUnknownHost, now = () => performance.now() } = options;
  const isAnyHost = token !== undefined || hasLogin;
  const keyGuard = token === undefined ? undefined : tokenGuard({ ...options, token, now });
  return (visitor) => {
    const { headers, isHandshake } = visitor;
    const visited = parseAuthority(headers.host);
    if (!visited) return refused(403, problem('host-refused'));
    const forwarded = forwardedHost(headers);
    for (const { name } of forwarded ? [visited, forwarded] : [visited]) {
      if (isAnyHost || isKnownHost(name, hosts)) continue;
      onUnknownHost(name);
      return refused(403, problem('host-refused'));
    }
    const refusal = foreign(visitor, [visited.authority, forwarded?.authority ?? '']);
    if (refusal) return refusal;
    const key = keyGuard?.(visitor) ?? { ok: true };
    if (!key.ok) return key;
    if (isHandshake) return tickets.of(headers) ? { ok: true } : LOGIN_REQUIRED;
    const { ticket, cookie } = tickets.renew(headers, isOverTls(visitor));
    onRenewed(ticket);
    return { ok: true, cookies: [...(key.cookies ?? []), ...(cookie ? [cookie] : [])] };
  };
}

/** The guard that asks for the token. The browser then keeps a key in a cookie instead. */
function tokenGuard({ token, secret, tickets, now }: AppGuardOptions & { token: string; now: () => number }): Guard {
  const value = (secret === undefined ? randomBytes(32) : hashOf(secret, `key ${token}`)).toString('hex');
  const nameFor = (isSecure: boolean) => tickets.nameFor(isSecure).replace('lockscope-', 'lockscope-key-');
  const cookieFor = (visitor: Visitor) => {
    const isSecure = isOverTls(visitor);
    return { name: nameFor(isSecure), value, maxAgeSeconds: KEY_SECONDS, isSecure, isOwnPath: true };
  };
  return keyCheck({ token, value, names: [nameFor(true), nameFor(false)], cookieFor, tries: new TokenTries(now) });
}

function isKnownHost(name: string, hosts: readonly string[]): boolean {
  if (isLoopbackHost(name) || isAddress(name)) return true;
  return hosts.some((host) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host));
}

/** The host that the browser requested, as a proxy reports it; undefined if no proxy does. */
function forwardedHost({ 'x-forwarded-host': forwarded }: IncomingHttpHeaders) {
  return parseAuthority(firstOf(forwarded));
}

/**
 * Whether the browser used TLS, perhaps as a proxy reports it. A wrong report spoils only the cookie of its own sender.
 */
function isOverTls({ hasTls = false, headers }: Visitor): boolean {
  return hasTls || firstOf(headers['x-forwarded-proto']).toLowerCase() === 'https';
}

/** Of several proxies, the browser reached the first. */
function firstOf(header: string | string[] | undefined): string {
  return (
    String(header ?? '')
      .split(',')[0]
      ?.trim() ?? ''
  );
}
