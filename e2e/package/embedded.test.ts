import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { connect } from '../../library/client.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import { cookieOf } from '../support/lockscope/cookie-of.ts';
import { startPrefixProxy } from '../support/servers/prefix-proxy.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Program, startProgram } from './program.ts';

const home = inject('home');
const ADMIN = { authorization: `Basic ${Buffer.from('admin:change-me').toString('base64')}` };

let redis: RunningRedis;
let app: App;
const ends: (() => Promise<unknown> | undefined)[] = [];

beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'KEA' });
  app = await connectApp(redis.url);
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

afterAll(async () => {
  await app?.close();
  await redis?.stop();
});

function start(file: string, env: Record<string, string> = {}): Program {
  const program = startProgram(home, [file], { REDIS_URL: redis.url, PORT: '0', ...env });
  ends.push(() => program.end());
  return program;
}

/** Opens a live channel. `types` receives the type and the lock of each event. */
function follow(url: string, headers: Record<string, string>) {
  const types: string[] = [];
  const listener = {
    events: (events: readonly { type: string; lock: string }[]) =>
      types.push(...events.map(({ type, lock }) => `${type} ${lock}`)),
  };
  const client = connect(url, { headers });
  const live = client.live(listener);
  ends.push(async () => live.close());
  return { client, live, types };
}

/** The status of a handshake for a live channel; 101 if it is opened. */
function handshake(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/socket.io/?EIO=4&transport=websocket`, {
      headers: {
        ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
        ...{ 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers },
      },
    });
    call.on('upgrade', (_res, socket) => {
      socket.destroy();
      resolve(101);
    });
    call.on('response', ({ statusCode = 0 }) => resolve(statusCode));
    call.on('error', reject).end();
  });
}

/** The status of the answer to a request that offers to speak HTTP/2. */
function statusOfOffer(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const offer = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAEAAEAA' };
    const call = request(url, { headers: offer });
    call.on('response', ({ statusCode = 0 }) => resolve(statusCode));
    call.on('error', reject).end();
  });
}

for (const example of ['express', 'express-4']) {
  test(`${example}: page, API and live channel are behind the login of the application`, async () => {
    const program = start(`examples/${example}/server.mjs`);
    const url = await program.prints(/^ready (\S+)$/m);
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(`${url}/api/locks`)).status).toBe(401);
    expect(await handshake(url, {})).toBe(403);

    const page = await fetch(url, { headers: { ...ADMIN, accept: 'text/html' } });
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('data-base="/ops/locks"');
    const script = /src="(\/ops\/locks\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    expect((await fetch(new URL(script, url), { headers: ADMIN })).status).toBe(200);
    expect(await (await fetch(new URL('/', url))).text()).toBe('Our own page');
    // Java's HttpClient offers HTTP/2 with its first request.
    expect(await statusOfOffer(new URL('/', url))).toBe(200);
    expect(await statusOfOffer(new URL(url))).toBe(401);

    const { client, live, types } = follow(url, ADMIN);
    await waitFor('the live channel', () => live.link === 'live');
    await waitFor('Redis to be watched', async () => (await client.health()).sources[0]?.status === 'observing');
    await app.acquire(`${example}:42`);
    await waitFor('the acquisition', () => types.includes(`lock.acquired ${example}:42`));
    const lock = await (await fetch(`${url}/api/locks/${example}:42`, { headers: ADMIN })).json();
    expect(lock).toMatchObject({ name: `${example}:42`, held: true });

    expect((await program.end()).code).toBe(0);
  });
}

test('behind a proxy that removes a prefix and names its own host, links and live channel work', async () => {
  const program = start('examples/express/server.mjs');
  const inner = await program.prints(/^ready (\S+)$/m);
  const proxy = await startPrefixProxy({ prefix: '/tools', to: new URL(inner).origin });
  ends.push(proxy.end);
  const url = `${proxy.origin}/tools/ops/locks`;
  const html = await (await fetch(`${url}/events`, { headers: { ...ADMIN, accept: 'text/html' } })).text();
  expect(html).toContain('data-base="/tools/ops/locks"');
  const script = /src="(\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  expect((await fetch(new URL(script, url), { headers: ADMIN })).status).toBe(200);
  const change = { method: 'POST', body: '{"level":"snapshot"}' };
  const observe = (origin: string) =>
    fetch(`${url}/api/sources/redis/observe`, {
      ...change,
      headers: { ...ADMIN, 'content-type': 'application/json', origin },
    });
  // refused while Redis is not reached yet
  await waitFor('the level to be switched', async () => (await observe(proxy.origin)).status === 200);
  expect((await observe('https://evil.example')).status).toBe(403);
  const cookie = await cookieOf(url, ADMIN);
  expect(await handshake(url, { cookie, origin: proxy.origin })).toBe(101);
  expect(await handshake(url, { cookie, origin: 'https://evil.example' })).toBe(403);
});

test('node:http: two Lockscopes in one process are independent, and one requires its token', async () => {
  const program = start('examples/node-http/server.mjs');
  const orders = await program.prints(/^ready (\S+)$/m);
  const billing = orders.replace('orders', 'billing');
  expect((await fetch(`${orders}/api/health`)).status).toBe(200);
  expect((await fetch(`${billing}/api/health`)).status).toBe(401);
  const token = { authorization: 'Bearer a-token-of-their-own' };
  expect((await fetch(`${billing}/api/health`, { headers: token })).status).toBe(200);
  const cookie = await cookieOf(orders);
  expect(cookie).toMatch(/^lockscope-/);
  expect(await handshake(orders, { cookie })).toBe(101);
  expect(await handshake(billing, { cookie })).toBe(403);
  expect(await handshake(billing, token)).toBe(403); // a ticket is needed beside the token
  expect(await handshake(billing, { ...token, cookie: await cookieOf(billing, token) })).toBe(101);
  // Java's HttpClient offers HTTP/2 with its first request, also with a body.
  for (const path of ['/', '/locks/ordersX', '/locks/orderly'])
    expect(await statusOfOffer(new URL(path, orders)), path).toBe(200);
  for (const path of ['/locks/ordersX', '/locks/orders2/api/health'])
    expect(await (await fetch(new URL(path, orders))).text(), path).toBe('Our own page');
});
