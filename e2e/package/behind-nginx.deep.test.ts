import { createServer, type Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connect as connectLockscope } from '../../library/client.ts';
import { createLockscope, type Lockscope } from '../../library/lockscope.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import { chanceFrom, seedOfRun } from '../support/random/seeded.ts';
import { type RunningNginx, startNginx } from '../support/servers/nginx.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/*
 * An nginx keeps a few connections to the application. The requests of every user go over all of them, to Lockscope
 * and to the application itself.
 */

const MB = 1024 * 1024;
const SECONDS = Number(process.env.NGINX_SECONDS || 120);
const seed = seedOfRun();

let redis: RunningRedis;
let clients: App;
let lockscope: Lockscope;
let server: Server;
let nginx: RunningNginx;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'KEA' });
  clients = await connectApp(redis.url);
  lockscope = await createLockscope({ redis: redis.url, basePath: '/ops/locks', memory: '256mb' });
  server = createServer((req, res) => {
    const { url = '/' } = req;
    if (url === '/ops/locks' || url.startsWith('/ops/locks/')) return lockscope.router(req, res);
    if (url === '/download') {
      res.writeHead(200, { 'Content-Length': 60 * MB });
      for (let n = 0; n < 60; n++) res.write(Buffer.alloc(MB)); // an application that does not wait for `drain`
      return res.end();
    }
    let bytes = 0;
    req.on('data', (piece: Buffer) => (bytes += piece.length));
    req.on('end', () => res.end(String(bytes)));
  });
  server.keepAliveTimeout = 75_000;
  lockscope.attach(server);
  const sockets = new WebSocketServer({ server, path: '/own' });
  sockets.on('connection', (socket) => socket.on('message', (text) => socket.send(String(text))));
  await lockscope.start();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  nginx = await startNginx((server.address() as AddressInfo).port); // a server that listens on TCP has an AddressInfo
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await nginx?.stop();
  await lockscope?.close();
  server?.closeAllConnections();
  server?.close();
  await clients?.close();
  await redis?.stop();
});

const ownUrl = () => new URL(nginx.origin);

/** Uploads to the application, with a pause after each piece. Returns the answer of the application. */
async function upload(megabytes: number, pauseMs = 0): Promise<string> {
  const pieces = async function* () {
    for (let n = 0; n < megabytes; n++) {
      yield Buffer.alloc(MB);
      if (pauseMs > 0) await pause(pauseMs);
    }
  };
  const init = { method: 'POST', body: pieces(), duplex: 'half' } as unknown as RequestInit; // the types lack `duplex`
  const answer = await fetch(`${nginx.origin}/upload`, init);
  return `${answer.status} ${await answer.text()}`;
}

/** Downloads from the application, with a pause after each piece. Returns how many bytes arrived. */
function download(pauseMs: number): Promise<number> {
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(ownUrl().port), '127.0.0.1');
    let bytes = 0;
    socket.on('data', (data: Buffer) => {
      bytes += data.length;
      if (pauseMs === 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(bytes));
    socket.write('GET /download HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
  });
}

/** Echoes over a WebSocket of the application. Returns how many came back. */
async function echo(count: number, pauseMs = 0): Promise<number> {
  const socket = new WebSocket(`${nginx.origin.replace('http', 'ws')}/own`);
  let back = 0;
  socket.on('message', () => back++);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  for (let n = 0; n < count; n++) {
    socket.send(`message ${n}`);
    if (pauseMs > 0) await pause(pauseMs);
  }
  await waitFor('the echoes', (missing) => back === count || missing(`${back} of ${count}, ${socket.readyState}`));
  socket.close();
  return back;
}

/** Sends 18 requests to Lockscope at once, so that nginx uses several of its connections. Returns the statuses. */
async function useLockscope(): Promise<string> {
  const paths = ['health', 'locks', 'events', 'graph', 'openapi.json', 'nothing'].flatMap((path) => [path, path, path]);
  const all = paths.map(async (path) => {
    const answer = await fetch(`${nginx.origin}/ops/locks/api/${path}`);
    await answer.text();
    return answer.status;
  });
  return [...new Set(await Promise.all(all))].sort().join();
}

/** A request over HTTP/2 to the application, or to Lockscope. Returns its status. */
async function overHttp2(path: string, body?: Buffer): Promise<number> {
  const session = connectHttp2(nginx.secureOrigin, { rejectUnauthorized: false });
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({ ':path': path, ':method': body ? 'POST' : 'GET' });
      let status = 0;
      stream.on('response', (headers) => (status = Number(headers[':status'])));
      stream.on('error', reject).on('end', () => resolve(status));
      stream.resume();
      stream.end(body);
    });
  } finally {
    session.destroy();
  }
}

test('uploads, downloads, slow readers and WebSockets of the application work after requests to Lockscope', async () => {
  expect(await useLockscope()).toBe('200,404');
  const live = connectLockscope(`${nginx.origin}/ops/locks`).live({});
  ends.push(() => live.close());
  await waitFor('the live channel', () => live.link === 'live');
  const slow = Array.from({ length: 16 }, () => upload(3, 900));
  const readers = [download(0), download(5), download(5)];
  const echoes = [echo(500), echo(50, 100)];
  for (let n = 0; n < 80; n++) expect(await upload(1)).toBe(`200 ${MB}`);
  expect(await upload(100)).toBe(`200 ${100 * MB}`);
  expect(await Promise.all(slow)).toEqual(Array.from({ length: 16 }, () => `200 ${3 * MB}`));
  for (const bytes of await Promise.all(readers)) expect(bytes).toBeGreaterThanOrEqual(60 * MB);
  expect(await Promise.all(echoes)).toEqual([500, 50]);
  expect(live.link).toBe('live');
}, 600_000);

test('if nginx accepts HTTP/2, the application and Lockscope both answer', async () => {
  const body = Buffer.alloc(5 * MB);
  const asked = ['/own', '/ops/locks/api/health', '/ops/locks/api/locks', '/ops/locksX'];
  expect(await Promise.all(asked.map((path) => overHttp2(path)))).toEqual([200, 200, 200, 200]);
  expect(await Promise.all(Array.from({ length: 10 }, () => overHttp2('/own', body)))).toEqual(Array(10).fill(200));
}, 600_000);

test(
  `in ${SECONDS} s of all kinds of requests at once, no request of the application fails (SEED=${seed})`,
  async () => {
    const until = performance.now() + SECONDS * 1000;
    const failed: string[] = [];
    let done = 0;
    const worker = async (n: number) => {
      const chance = chanceFrom(seed, n);
      while (performance.now() < until && failed.length === 0) {
        const kind = chance.oneOf([
          'upload',
          'slow upload',
          'download',
          'slow download',
          'echo',
          'lockscope',
          'http2',
          'leave',
        ]);
        const megabytes = chance.whole(1, 30);
        const outcome = await perform(kind, megabytes, chance.whole(1, 3)).catch((error: unknown) => String(error));
        if (outcome !== true) failed.push(`${kind}: ${outcome}`);
        done++;
      }
    };
    const perform = async (kind: string, megabytes: number, few: number): Promise<unknown> => {
      switch (kind) {
        case 'upload':
          return (await upload(megabytes)) === `200 ${megabytes * MB}`;
        case 'slow upload':
          return (await upload(few, 700)) === `200 ${few * MB}`;
        case 'download':
          return (await download(0)) >= 60 * MB;
        case 'slow download':
          return (await download(few)) >= 60 * MB;
        case 'echo':
          return (await echo(megabytes * 10, few)) === megabytes * 10;
        case 'http2':
          return (await overHttp2('/own', Buffer.alloc(few * MB))) === 200;
        case 'leave': {
          // A client of Lockscope that leaves in the middle of its answer.
          const left = new AbortController();
          const gone = fetch(`${nginx.origin}/ops/locks/api/openapi.json`, { signal: left.signal }).catch(
            () => undefined,
          );
          setTimeout(() => left.abort(), few);
          await gone;
          return true;
        }
        default: {
          await clients.acquire(`orders:${megabytes}`);
          await clients.release(`orders:${megabytes}`);
          return (await useLockscope()) === '200,404';
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, n) => worker(n)));
    expect(failed).toEqual([]);
    expect(done).toBeGreaterThan(SECONDS);
    expect(nginx.log()).not.toMatch(/upstream prematurely closed|reset by peer/);
  },
  (SECONDS + 600) * 1000,
);
