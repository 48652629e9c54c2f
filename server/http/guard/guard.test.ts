import { describe, expect, test } from 'vitest';
import { setCookieText } from './cookies.ts';
import { createGuard, type Visitor } from './guard.ts';

const ADDRESS = '127.0.0.1';

function visitor(headers: Visitor['headers'], rest: Partial<Visitor> = {}): Visitor {
  const usual = { method: 'GET', url: '/', address: ADDRESS, isHandshake: false };
  return { ...usual, headers: { host: 'localhost:4680', ...headers }, ...rest };
}

const open = createGuard({ host: '127.0.0.1', token: undefined });
const locked = createGuard({ host: '0.0.0.0', token: 's3cret' });

describe('Host', () => {
  test.each(['localhost', 'LocalHost:4680', '127.0.0.1:4680', '127.1.2.3', '[::1]:4680'])('%s is accepted', (host) => {
    expect(open(visitor({ host }))).toEqual({ ok: true });
  });

  test.each([
    'evil.example',
    'evil.example:4680',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example#localhost',
    '',
    'local host',
    'localhost:',
    '10.0.0.1',
  ])('%j is refused', (host) => {
    expect(open(visitor({ host }))).toMatchObject({ ok: false, status: 403, problem: { code: 'host-refused' } });
  });

  test('a request without Host is refused', () => {
    expect(open({ method: 'GET', url: '/', headers: {}, address: ADDRESS, isHandshake: false })).toMatchObject({
      status: 403,
    });
  });

  test('the configured host is accepted in upper or lower case', () => {
    const guard = createGuard({ host: 'Locks.example', token: undefined });
    expect(guard(visitor({ host: 'locks.example:80' })).ok).toBe(true);
    expect(guard(visitor({ host: 'other.example' })).ok).toBe(false);
  });

  test('with a token, any Host is accepted', () => {
    expect(locked(visitor({ host: 'any.example', authorization: 'Bearer s3cret' })).ok).toBe(true);
  });
});

describe('Origin', () => {
  const post = { method: 'POST' };
  test.each([
    ['http://localhost:4680', true],
    ['https://localhost:4680', true],
    ['http://localhost:4681', false],
    ['http://127.0.0.1:4680', false],
    ['http://evil.example', false],
    ['http://localhost:4680.evil.example', false],
    ['http://localhost:4680/path', false],
    ['null', false],
    ['', false],
  ])('a POST from %j is allowed: %s', (origin, isAllowed) => {
    expect(open(visitor({ origin }, post)).ok).toBe(isAllowed);
    expect(open(visitor({ origin }, { isHandshake: true })).ok).toBe(isAllowed);
  });

  test('default ports may be left out', () => {
    expect(open(visitor({ host: 'localhost', origin: 'http://localhost:80' }, post)).ok).toBe(true);
    expect(open(visitor({ host: 'localhost:443', origin: 'https://localhost' }, post)).ok).toBe(true);
    expect(open(visitor({ host: 'localhost:443', origin: 'http://localhost' }, post)).ok).toBe(false);
  });

  test('is not required from scripts, nor for a visit to the page', () => {
    expect(open(visitor({}, post)).ok).toBe(true);
    expect(open(visitor({ origin: 'http://evil.example' })).ok).toBe(true);
    expect(open(visitor({ origin: 'http://evil.example' }, { url: '/api/locks' })).ok).toBe(false);
  });
});

describe('Sec-Fetch-Site', () => {
  const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const verdict = (headers: Visitor['headers'], rest: Partial<Visitor> = {}) => open(visitor(headers, rest)).ok;

  test.each(['cross-site', 'same-site', 'Cross-Site', 'something-new', ''])('%j means another site', (site) => {
    for (const url of ['/api/health', '/api/recording', '/socket.io/?EIO=4', '/metrics', '/assets/a.js', '/']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
      expect(open(visitor(headers, { url })), url).toMatchObject({
        ok: false,
        status: 403,
        problem: { code: 'site-refused' },
      });
    }
  });

  test('a link on another site opens the page, and nothing else', () => {
    const headers = { 'sec-fetch-site': 'cross-site', ...visit };
    for (const url of ['/', '/?at=1', '/locks/orders%3A42', '/apish'])
      expect(verdict(headers, { url }), url).toBe(true);
    for (const url of ['/api', '/api/health', '/API/health', '/api?x', '/socket.io/', '/metrics']) {
      expect(verdict(headers, { url }), url).toBe(false);
    }
    expect(verdict(headers, { method: 'POST' })).toBe(false);
    expect(verdict({ ...headers, 'sec-fetch-dest': 'iframe' })).toBe(false);
    expect(verdict({ ...headers, 'sec-fetch-mode': 'no-cors' })).toBe(false);
  });

  test('requests of our own page, of a typed URL, and of programs without the header are allowed', () => {
    for (const site of ['same-origin', 'none']) {
      expect(verdict({ 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' }, { url: '/api/locks' }), site).toBe(true);
    }
    expect(verdict({}, { url: '/api/locks' })).toBe(true);
  });

  test('a handshake from another site needs our own Origin', () => {
    const handshake = { url: '/socket.io/', isHandshake: true };
    expect(verdict({ 'sec-fetch-site': 'cross-site' }, handshake)).toBe(false);
    expect(verdict({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:4680' }, handshake)).toBe(true);
  });
});

describe('token', () => {
  test.each([
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 's3cret' },
    { authorization: 'Bearer ' },
    { cookie: 'lockscope=s3cret; a=b' },
  ])('is required: %j', (headers) => {
    expect(locked(visitor(headers))).toMatchObject({ ok: false, status: 401, problem: { code: 'token-required' } });
    expect(locked(visitor(headers, { isHandshake: true })).ok).toBe(false);
  });

  const cookieFrom = (guard: typeof locked, url: string) => {
    const first = guard(visitor({}, { url }));
    const [cookie] = first.ok ? (first.cookies ?? []) : [];
    if (!cookie) throw new Error('no cookie was set');
    return setCookieText(cookie, '');
  };

  test('in the URL is exchanged for a cookie, which is enough afterwards', () => {
    const given = cookieFrom(locked, '/locks?token=s3cret&x=1');
    expect(given).toMatch(/; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(given).not.toContain('s3cret');
    const cookie = `other=1; ${given.split(';')[0]}`;
    expect(locked(visitor({ cookie }))).toEqual({ ok: true });
    expect(locked(visitor({ cookie }, { isHandshake: true }))).toEqual({ ok: true });
    expect(createGuard({ host: 'x', token: 'other' })(visitor({ cookie })).ok).toBe(false);
  });

  test('the name of the cookie contains the port, and its value differs between servers with the same token', () => {
    const guards = [4680, 4681].map((port) => createGuard({ host: '127.0.0.1', token: 's3cret', port }));
    const [first, second] = guards.map((guard) => cookieFrom(guard, '/?token=s3cret').split(/[=;]/));
    expect([first?.[0], second?.[0]]).toEqual(['lockscope-4680', 'lockscope-4681']);
    expect(first?.[1]).not.toBe(second?.[1]);
  });

  test('may be replaced once by a code that opens the page', () => {
    const guard = createGuard({ host: '127.0.0.1', token: 's3cret', openCode: 'once' });
    expect(guard(visitor({}, { url: '/?code=twice' })).ok).toBe(false);
    const cookie = cookieFrom(guard, '/?code=once').split(';')[0] ?? '';
    expect(guard(visitor({ cookie })).ok).toBe(true);
    expect(guard(visitor({}, { url: '/?code=once' })).ok).toBe(false);
  });

  describe('ten wrong tokens', () => {
    let now = 0;
    const wrong = (guard: typeof locked, address: string, times: number) => {
      for (let n = 0; n < times; n += 1) {
        expect(guard(visitor({ authorization: `Bearer guess-${n}` }, { address }))).toMatchObject({ status: 401 });
      }
    };
    const right = { authorization: 'Bearer s3cret' };
    const guardNow = () => createGuard({ host: '0.0.0.0', token: 's3cret', now: () => now });

    const paused = { ok: false, status: 429, problem: { code: 'too-many-tries' }, retryAfterSeconds: 60 };

    test('start a pause for wrong tokens from their address, while the right token always passes', () => {
      const guard = guardNow();
      wrong(guard, '10.0.0.1', 10);
      const guess = { authorization: 'Bearer guess' };
      for (let n = 0; n < 20; n += 1) {
        expect(guard(visitor(guess, { address: '10.0.0.1' }))).toMatchObject(paused);
        expect(guard(visitor({}, { address: '::ffff:10.0.0.1', url: '/?token=guess' }))).toMatchObject(paused);
        expect(guard(visitor(right, { address: '10.0.0.1' })).ok).toBe(true);
        expect(guard(visitor({}, { address: '10.0.0.1', url: '/?token=s3cret' })).ok).toBe(true);
      }
      expect(guard(visitor(guess, { address: '10.0.0.2' }))).toMatchObject({ status: 401 });
      now += 60_000;
      expect(guard(visitor(guess, { address: '10.0.0.1' }))).toMatchObject({ status: 401 });
    });

    test('do not lock out a page that has the cookie, and wrong cookies are not counted', () => {
      const guard = guardNow();
      const cookie = cookieFrom(guard, '/?token=s3cret').split(';')[0] ?? '';
      for (let n = 0; n < 20; n += 1) guard(visitor({ cookie: `lockscope-0=${n}` }));
      expect(guard(visitor(right)).ok).toBe(true);
      wrong(guard, ADDRESS, 10);
      expect(guard(visitor({ cookie })).ok).toBe(true);
      expect(guard(visitor({}))).toMatchObject({ status: 401 });
    });

    test('are counted together if they come from the same IPv6 /64', () => {
      const guard = guardNow();
      wrong(guard, '2001:db8:1:2::1', 5);
      wrong(guard, '2001:db8:1:2:ffff:1:2:3', 5);
      const guess = { authorization: 'Bearer guess' };
      expect(guard(visitor(guess, { address: '2001:DB8:1:2::9' }))).toMatchObject({ status: 429 });
      expect(guard(visitor(guess, { address: '2001:db8:1:3::1' }))).toMatchObject({ status: 401 });
    });
  });

  test('a wrong token in the URL is refused', () => {
    expect(locked(visitor({}, { url: '/?token=s3cre' })).ok).toBe(false);
    expect(locked(visitor({}, { url: '/?token=' })).ok).toBe(false);
  });

  test('a foreign Origin is refused even with the token', () => {
    const headers = { authorization: 'Bearer s3cret', origin: 'http://evil.example' };
    expect(locked(visitor(headers, { method: 'POST' }))).toMatchObject({
      status: 403,
      problem: { code: 'origin-refused' },
    });
  });
});
