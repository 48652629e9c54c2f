import { beforeEach, describe, expect, test } from 'vitest';
import { type AppGuardOptions, createAppGuard } from './app-guard.ts';
import { setCookieText } from './cookies.ts';
import type { Guard, Visitor } from './guard.ts';
import { TICKET_MS, type Ticket, Tickets } from './tickets.ts';

let now = 1_795_000_000_000;
let unknown: string[];
let renewed: Ticket[];

beforeEach(() => {
  [unknown, renewed] = [[], []];
});

function guardWith(options: Partial<AppGuardOptions> = {}): Guard {
  return createAppGuard({
    ...{ token: undefined, hasLogin: false, hosts: [], secret: undefined },
    tickets: new Tickets({ now: () => now }),
    onRenewed: (ticket) => renewed.push(ticket),
    onUnknownHost: (name) => unknown.push(name),
    ...options,
  });
}

function visitor(headers: Visitor['headers'], rest: Partial<Visitor> = {}): Visitor {
  const usual = { method: 'GET', url: '/api/locks', address: '10.0.0.1', isHandshake: false };
  return { ...usual, headers: { host: '127.0.0.1:3000', ...headers }, ...rest };
}

const handshake = { url: '/socket.io/', isHandshake: true };

/** The cookies that an answer sets, as the browser sends them back. */
function cookiesOf(guard: Guard, headers: Visitor['headers'] = {}, rest: Partial<Visitor> = {}): string {
  const verdict = guard(visitor(headers, rest));
  if (!verdict.ok) throw new Error(verdict.problem.code);
  return (verdict.cookies ?? []).map(({ name, value }) => `${name}=${value}`).join('; ');
}

describe('the host', () => {
  test.each([
    'localhost:3000',
    '127.0.0.1',
    '[::1]:3000',
    '10.0.0.7:3000',
    '192.168.1.2',
    '[fe80::1]',
    '[2001:db8::1]',
  ])('%s is accepted without a token or a login', (host) => expect(guardWith()(visitor({ host })).ok).toBe(true));

  test.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '1.2.3',
    'app',
    'ops.example.com.evil.example',
    '',
  ])('%j is refused, for a request and for a live channel', (host) => {
    const guard = guardWith({ hosts: ['ops.example.com'] });
    const refused = { ok: false, status: 403, problem: { code: 'host-refused' } };
    const cookie = cookiesOf(guard);
    expect(guard(visitor({ host }))).toMatchObject(refused);
    expect(guard(visitor({ host, origin: `http://${host}`, cookie }, handshake))).toMatchObject(refused);
    if (host !== '') expect(unknown).toContain(host.replace(':3000', ''));
  });

  test('may be a name that the application has set, or a name below it', () => {
    const guard = guardWith({ hosts: ['ops.example.com', '*.intern.example'] });
    for (const host of ['ops.example.com', 'OPS.example.com:8443', 'a.intern.example', 'a.b.intern.example'])
      expect(guard(visitor({ host })).ok, host).toBe(true);
    for (const host of ['intern.example', 'xintern.example', 'x.ops.example.com'])
      expect(guard(visitor({ host })).ok, host).toBe(false);
  });

  test('that a proxy reports is checked as well', () => {
    const guard = guardWith({ hosts: ['ops.example.com'] });
    const through = (host: string, forwarded: string) => guard(visitor({ host, 'x-forwarded-host': forwarded })).ok;
    expect(through('127.0.0.1:3000', 'ops.example.com')).toBe(true);
    expect(through('127.0.0.1:3000', 'ops.example.com, 10.0.0.1')).toBe(true);
    expect(through('127.0.0.1:3000', 'evil.example')).toBe(false);
    expect(through('evil.example', 'ops.example.com')).toBe(false);
    expect(through('evil.example', 'localhost')).toBe(false);
  });

  test('may be any with a token, or if the application decides about each channel', () => {
    const authorization = 'Bearer s3cret';
    expect(guardWith({ token: 's3cret' })(visitor({ host: 'any.example', authorization })).ok).toBe(true);
    expect(guardWith({ hasLogin: true })(visitor({ host: 'any.example' })).ok).toBe(true);
    expect(guardWith({ hasLogin: true })(visitor({ host: '' })).ok).toBe(false);
  });
});

describe('a live channel', () => {
  test('needs the ticket that a response has set, which expires', () => {
    const guard = guardWith();
    const needed = { ok: false, status: 401, problem: { code: 'login-required' } };
    expect(guard(visitor({}, handshake))).toMatchObject(needed);
    const cookie = cookiesOf(guard);
    expect(guard(visitor({ cookie }, handshake))).toEqual({ ok: true });
    expect(guardWith()(visitor({ cookie }, handshake))).toMatchObject(needed);
    now += TICKET_MS;
    expect(guard(visitor({ cookie }, handshake))).toMatchObject(needed);
  });

  test('does not renew its own ticket', () => {
    const guard = guardWith();
    const cookie = cookiesOf(guard);
    renewed = [];
    guard(visitor({ cookie }, handshake));
    expect(renewed).toEqual([]);
    guard(visitor({ cookie }));
    expect(renewed).toHaveLength(1);
  });

  test('may come from the host that a proxy reports, and from no other', () => {
    const guard = guardWith({ hosts: ['ops.example.com'] });
    const headers = {
      cookie: cookiesOf(guard),
      host: '10.0.0.7:3000',
      'x-forwarded-host': 'ops.example.com, 10.0.0.1',
    };
    expect(guard(visitor({ ...headers, origin: 'https://ops.example.com' }, handshake)).ok).toBe(true);
    for (const origin of ['https://evil.example', 'null', 'https://ops.example.com.evil.example'])
      expect(guard(visitor({ ...headers, origin }, handshake))).toMatchObject({ problem: { code: 'origin-refused' } });
  });

  test('needs token and ticket, if there is a token', () => {
    const guard = guardWith({ token: 's3cret' });
    const authorization = 'Bearer s3cret';
    expect(guard(visitor({}))).toMatchObject({ status: 401, problem: { code: 'token-required' } });
    const both = cookiesOf(guard, {}, { url: '/?token=s3cret' });
    const [key = '', ticket = ''] = both.split('; ');
    expect(key).toMatch(/^lockscope-key-/);
    expect(guard(visitor({ authorization }, handshake))).toMatchObject({ problem: { code: 'login-required' } });
    expect(guard(visitor({ cookie: key }, handshake))).toMatchObject({ problem: { code: 'login-required' } });
    expect(guard(visitor({ cookie: ticket }, handshake))).toMatchObject({ problem: { code: 'token-required' } });
    expect(guard(visitor({ cookie: both }, handshake)).ok).toBe(true);
    expect(guard(visitor({ cookie: ticket, authorization }, handshake)).ok).toBe(true);
    now += TICKET_MS;
    expect(guard(visitor({ cookie: both }, handshake)).ok).toBe(false);
    expect(guard(visitor({ cookie: both })).ok).toBe(true); // the page asks again, and has a ticket again
  });
});

describe('cookies', () => {
  const texts = (guard: Guard, headers: Visitor['headers'], rest: Partial<Visitor> = {}) => {
    const verdict = guard(visitor(headers, rest));
    return verdict.ok ? (verdict.cookies ?? []).map((cookie) => setCookieText(cookie, '/ops/locks')) : [];
  };

  test('go to the path of Lockscope only, and over TLS only if the browser used TLS', () => {
    const guard = guardWith();
    const rules = '; Max-Age=180; Path=/ops/locks; HttpOnly; SameSite=Strict';
    expect(texts(guard, {})[0]).toMatch(new RegExp(`${rules}$`));
    const secure = new RegExp(`-tls=\\S+${rules}; Secure$`);
    expect(texts(guard, {}, { hasTls: true })[0]).toMatch(secure);
    expect(texts(guard, { 'x-forwarded-proto': 'https' })[0]).toMatch(secure);
    expect(texts(guard, { 'x-forwarded-proto': 'HTTPS, http' })[0]).toMatch(secure);
    expect(texts(guard, { 'x-forwarded-proto': 'http, https' })[0]).not.toMatch(secure);
  });

  test('of a token do not contain the token, and are accepted by copies with the same secret', () => {
    const first = guardWith({
      token: 's3cret',
      secret: 'a secret of all copies',
      tickets: new Tickets({ secret: 'x' }),
    });
    const copy = guardWith({
      token: 's3cret',
      secret: 'a secret of all copies',
      tickets: new Tickets({ secret: 'x' }),
    });
    const other = guardWith({ token: 's3cret', tickets: new Tickets({ secret: 'x' }) });
    const cookie = cookiesOf(first, {}, { url: '/?token=s3cret' });
    expect(cookie).not.toContain('s3cret');
    expect([first, copy, other].map((guard) => guard(visitor({ cookie })).ok)).toEqual([true, true, false]);
  });
});
