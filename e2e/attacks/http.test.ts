import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { handshake, rawExchange, rawRequest } from '../support/lockscope/raw-request.ts';
import { untilWell } from '../support/lockscope/watched-redis.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';

let redis: RunningRedis;
let lockscope: Lockscope;
let own: string;

beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscopeProcess(redis.url, []);
  own = new URL(lockscope.url).host;
});

afterAll(async () => {
  await lockscope?.stop();
  await redis?.stop();
});

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(lockscope.url + path, { headers });
const observe = (headers: Record<string, string>, body: string | undefined, method = 'POST') =>
  rawRequest(`${lockscope.url}/api/sources/redis/observe`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
const level = async () => (await lockscope.health()).sources[0]?.level;
const codeOf = (body: string) => /"code":"([^"]+)"/.exec(body)?.[1];
const JSON_TYPE = { 'Content-Type': 'application/json' };
const MONITOR = '{"level":"monitor"}';

/** The headers that a browser sends for another site, for each kind of request. */
const SITE = { 'Sec-Fetch-Site': 'cross-site', Referer: 'http://evil.example/' };
const WAYS_OF_A_SITE: [string, Record<string, string>][] = [
  ['script', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' }],
  ['image', { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' }],
  ['fetch', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty', Origin: 'http://evil.example' }],
  ['iframe', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' }],
  ['link', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }],
];

describe('Host and Origin', () => {
  test.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '127.1',
    'localhost:80:80',
    'LOCALHOST.',
    "localhost'; script-src *",
    'a'.repeat(5000),
  ])('Host %j is refused, on the API, the page and the live channel', async (host) => {
    for (const path of ['/api/health', '/', '/socket.io/?EIO=4&transport=polling']) {
      expect([400, 403], path).toContain((await get(path, { Host: host })).status);
    }
    expect(await handshake(lockscope.url, { Host: host })).toMatch(/^HTTP\/1.1 40[03]/);
  });

  test('our own Hosts are accepted, but not a missing Host or an absolute URL of another host', async () => {
    for (const host of [own, 'LocalHost:1', '[::1]:80', '127.9.9.9']) {
      expect((await get('/api/health', { Host: host })).status, host).toBe(200);
    }
    expect(await rawExchange(lockscope.url, 'GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 403/);
    const absolute = 'GET http://evil.example/api/health HTTP/1.1\r\nHost: evil.example\r\n\r\n';
    expect(await rawExchange(lockscope.url, absolute)).toMatch(/^HTTP\/1.1 403/);
  });

  test('a request with another Origin, content type or method does not change the level', async () => {
    const suffix = `http://${own}.evil.example`;
    for (const origin of [
      'http://evil.example',
      'null',
      'http://localhost:1',
      suffix,
      `http://${own}@evil.example`,
      '',
    ]) {
      expect((await observe({ ...JSON_TYPE, Origin: origin }, MONITOR)).status, origin).toBe(403);
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; application/json']) {
      expect((await observe({ 'Content-Type': type }, MONITOR)).status, type).toBe(415);
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      expect((await observe(JSON_TYPE, MONITOR, method)).status, method).not.toBe(200);
    }
    const preflight = await observe(
      { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
      undefined,
      'OPTIONS',
    );
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(await level()).toBe('events');
  });
});

describe('another site', () => {
  test.each(WAYS_OF_A_SITE)('reads nothing of the API and opens no session by a %s', async (_way, headers) => {
    const asked = { ...SITE, ...headers };
    const paths = ['health', 'locks', 'events', 'spans', 'recording', 'events/1/signals'].map((name) => `/api/${name}`);
    const sessions = ['', '&j=0', '&sid=x', '&j=0&sid=x'].map((rest) => `/socket.io/?EIO=4&transport=polling${rest}`);
    for (const path of [...paths, ...sessions, '/metrics']) {
      expect((await get(path, asked)).status, path).toBe(403);
      expect((await get(path, { ...asked, 'Sec-Fetch-Site': 'same-site' })).status, path).toBe(403);
    }
  });

  test('can open the page only by a link', async () => {
    for (const [way, headers] of WAYS_OF_A_SITE) {
      const { status } = await get('/locks/orders%3A42', { ...SITE, ...headers, Accept: 'text/html' });
      expect(status === 403, way).toBe(way !== 'link');
    }
  });
});

describe('the live channel', () => {
  test('accepts our own Origin or a missing one, and no other', async () => {
    const taken = /^HTTP\/1.1 101/;
    expect(await handshake(lockscope.url)).toMatch(taken);
    expect(await handshake(lockscope.url, { Origin: lockscope.url })).toMatch(taken);
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', `https://${own}.evil`]) {
      expect(await handshake(lockscope.url, { Origin: origin }), origin).toMatch(/^HTTP\/1.1 403/);
    }
    expect(await handshake(lockscope.url, SITE)).toMatch(/^HTTP\/1.1 403/);
  });

  test('accepts only a new WebSocket', async () => {
    const odd = [
      'EIO=4&transport=polling',
      'EIO=4&transport=constructor',
      'EIO=4&transport=webtransport',
      'EIO=3&transport=websocket',
    ];
    const known = ['sid=__proto__', 'sid=x', 'sid=', 'j=0'].map((rest) => `EIO=4&transport=websocket&${rest}`);
    for (const query of [...odd, ...known, '', 'EIO[]=4&transport[]=websocket']) {
      expect(await handshake(lockscope.url, {}, query), query).toMatch(/^HTTP\/1.1 400/);
    }
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      const { status, body } = await rawRequest(`${lockscope.url}/socket.io/?EIO=4&transport=polling`, { method });
      expect([status, codeOf(body)], method).toEqual([400, 'websocket-only']);
    }
    expect(await handshake(lockscope.url, {}, '', '/api/health')).toMatch(/^HTTP\/1.1 400/);
  });

  test('lets no other connection take over an open session, and no other site send in it', async () => {
    const opened = await handshake(lockscope.url);
    const sid = /"sid":"([^"]+)"/.exec(opened)?.[1] ?? '';
    expect(sid).not.toBe('');
    const query = `EIO=4&transport=websocket&sid=${sid}`;
    expect(await handshake(lockscope.url, { Host: 'evil.example', Origin: 'http://evil.example' }, query)).toMatch(
      / 403 /,
    );
    expect(await handshake(lockscope.url, {}, query)).toMatch(/ 400 /);
  });

  test('has the strict headers in its responses, even in a refused upgrade', async () => {
    const answers = [
      await handshake(lockscope.url),
      await handshake(lockscope.url, { Origin: 'http://evil.example' }),
      await handshake(lockscope.url, {}, 'EIO=3'),
      await handshake(lockscope.url, {}, '', '/elsewhere'),
      await rawExchange(lockscope.url, `GET /socket.io/?j=0 HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`),
    ];
    for (const answer of answers) {
      expect(answer).toMatch(/^x-content-type-options: nosniff\r$/im);
      expect(answer).toMatch(/^cross-origin-resource-policy: same-origin\r$/im);
      expect(answer).toMatch(/^content-security-policy: default-src 'self'/im);
      expect(answer).toMatch(/^x-frame-options: DENY\r$/im);
      expect(answer).toMatch(/^referrer-policy: no-referrer\r$/im);
      expect(answer).not.toMatch(/^access-control/im);
    }
  });
});

describe('malicious requests', () => {
  test('that are too large, compressed or ambiguous are answered with an error', async () => {
    const url = `${lockscope.url}/api/sources/redis/observe`;
    const post = async (body: string | Buffer, headers = {}) =>
      (await fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(body) })).status;
    expect(await post(`{"x":"${'y'.repeat(3_000_000)}"}`)).toBe(413);
    expect(await post(gzipSync(Buffer.alloc(200 * 1024 * 1024, 32)), { 'Content-Encoding': 'gzip' })).toBe(415);
    expect(await post('['.repeat(1_000_000) + ']'.repeat(1_000_000))).toBe(400);
    expect((await get(`/api/locks/${'a'.repeat(3_900_000)}`)).status).toBe(404);
    const both = `POST /api/health HTTP/1.1\r\nHost: ${own}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(await rawExchange(lockscope.url, both)).toMatch(/^HTTP\/1.1 400/);
  });

  test('with bodies that have no valid level are refused, and the level stays', async () => {
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '{"level":"all"}',
      '{"level":"events","forMs":-1}',
      '{"level":"events","forMs":1e99}',
    ];
    for (const body of [
      ...bodies,
      '{"__proto__":{"level":"monitor"}}',
      '{"constructor":{"prototype":{"level":"monitor"}}}',
    ]) {
      const answer = await observe(JSON_TYPE, body);
      expect([400, 415], body).toContain(answer.status);
      expect(codeOf(answer.body), body).toBeDefined();
    }
    expect(await level()).toBe('events');
  });

  test('with wrong queries and paths are refused', async () => {
    const paths = [
      '/api/locks?limit=0',
      '/api/locks?limit=1e9',
      '/api/locks?cursor=9e99',
      '/api/locks?held=maybe',
      '/api/events?after=-1',
    ];
    for (const path of [
      ...paths,
      '/api/events?type=__proto__',
      '/api/spans?from=5&to=1',
      '/api/events/1e400/signals',
    ]) {
      expect((await get(path)).status, path).toBe(400);
    }
    for (const path of ['/api/locks/%', '/api/locks/%ff%fe', '/api/lock']) {
      expect([400, 404], path).toContain((await get(path)).status);
    }
  });

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/assets/%2e%2e%5c%2e%2e%5cpackage.json',
    '//etc/passwd',
    '/%00',
    '/.git/config',
  ])('of GET %s do not return a file', async (path) => {
    const answer = await rawExchange(
      lockscope.url,
      `GET ${path} HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 \d+/);
    expect(answer).not.toMatch(/"dependencies"|root:x:|\[core\]/);
  });

  test('leave Lockscope observing as before, without an internal error in the log', async () => {
    await untilWell(lockscope);
    expect(await level()).toBe('events');
    expect(lockscope.output()).not.toMatch(/internal error/i);
  });
});
