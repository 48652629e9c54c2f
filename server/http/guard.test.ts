import { describe, expect, test } from 'vitest';
import { createGuard, type Visitor } from './guard.ts';

function visitor(headers: Visitor['headers'], rest: Partial<Visitor> = {}): Visitor {
  return { method: 'GET', url: '/', headers: { host: 'localhost:4680', ...headers }, isHandshake: false, ...rest };
}

const open = createGuard({ host: '127.0.0.1', token: undefined });
const locked = createGuard({ host: '0.0.0.0', token: 's3cret' });

describe('Host', () => {
  test.each(['localhost', 'LocalHost:4680', '127.0.0.1:4680', '127.1.2.3', '[::1]:4680'])('%s is us', (host) => {
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
  ])('%j is not us', (host) => {
    expect(open(visitor({ host }))).toMatchObject({ ok: false, status: 403, code: 'host-refused' });
  });

  test('a request without Host is refused', () => {
    expect(open({ method: 'GET', url: '/', headers: {}, isHandshake: false })).toMatchObject({ status: 403 });
  });

  test('the configured host is us, whatever its case', () => {
    const guard = createGuard({ host: 'Locks.example', token: undefined });
    expect(guard(visitor({ host: 'locks.example:80' })).ok).toBe(true);
    expect(guard(visitor({ host: 'other.example' })).ok).toBe(false);
  });

  test('behind a token any Host will do', () => {
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
  ])('a change from %j: %s', (origin, isAllowed) => {
    expect(open(visitor({ origin }, post)).ok).toBe(isAllowed);
    expect(open(visitor({ origin }, { isHandshake: true })).ok).toBe(isAllowed);
  });

  test('usual ports may be left out', () => {
    expect(open(visitor({ host: 'localhost', origin: 'http://localhost:80' }, post)).ok).toBe(true);
    expect(open(visitor({ host: 'localhost:443', origin: 'https://localhost' }, post)).ok).toBe(true);
    expect(open(visitor({ host: 'localhost:443', origin: 'http://localhost' }, post)).ok).toBe(false);
  });

  test('scripts send none and may pass; reading needs none', () => {
    expect(open(visitor({}, post)).ok).toBe(true);
    expect(open(visitor({ origin: 'http://evil.example' })).ok).toBe(true);
  });
});

describe('token', () => {
  test.each([
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 's3cret' },
    { authorization: 'Bearer ' },
    { cookie: 'lockscope=s3cret; a=b' },
  ])('is asked for: %j', (headers) => {
    expect(locked(visitor(headers))).toMatchObject({ ok: false, status: 401, code: 'token-required' });
    expect(locked(visitor(headers, { isHandshake: true })).ok).toBe(false);
  });

  test('in the URL it becomes a cookie, and the cookie is enough afterwards', () => {
    const first = locked(visitor({}, { url: '/locks?token=s3cret&x=1' }));
    if (!first.ok || first.cookie === undefined) throw new Error('no cookie was set');
    expect(first.cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(first.cookie).not.toContain('s3cret');
    const cookie = `other=1; ${first.cookie.split(';')[0]}`;
    expect(locked(visitor({ cookie }))).toEqual({ ok: true });
    expect(locked(visitor({ cookie }, { isHandshake: true }))).toEqual({ ok: true });
    expect(createGuard({ host: 'x', token: 'other' })(visitor({ cookie })).ok).toBe(false);
  });

  test('a wrong token in the URL is refused', () => {
    expect(locked(visitor({}, { url: '/?token=s3cre' })).ok).toBe(false);
    expect(locked(visitor({}, { url: '/?token=' })).ok).toBe(false);
  });

  test('it does not excuse a foreign Origin', () => {
    const headers = { authorization: 'Bearer s3cret', origin: 'http://evil.example' };
    expect(locked(visitor(headers, { method: 'POST' }))).toMatchObject({ status: 403, code: 'origin-refused' });
  });
});
