import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Hub, openHub } from '../socket/hub.ts';
import { acquired } from '../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { TestPage } from '../testing/open-page.ts';
import { soon } from '../testing/soon.ts';
import { createApp } from './app.ts';
import { createGuard } from './guard/guard.ts';

const BASE = '/ops/locks';
const INDEX = '<html lang="en" data-base=""><script src="./assets/main.js"></script></html>';

let observatory: MemoryObservatory;
let server: Server;
let hub: Hub;
let webDir: string;
let url: string;

/** An application with a page and a WebSocket of its own, in which Lockscope is mounted. */
async function serve(token?: string): Promise<void> {
  observatory = makeMemoryObservatory();
  const guard = createGuard({ host: '127.0.0.1', token });
  const report = () => undefined;
  const context = { observatory, stage: undefined, guard, version: '1.2.3', allowRelease: false, webDir, report };
  const app = express();
  app.get('/', (_req, res) => void res.send('our own page'));
  app.use(BASE, createApp(context));
  server = createServer(app);
  server.on('upgrade', ({ url }, socket) => {
    if (url === '/our-own')
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: ours\r\nConnection: upgrade\r\n\r\n');
  });
  hub = openHub({ server, observatory, guard, basePath: BASE });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has an AddressInfo
}

beforeEach(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'lockscope-page-'));
  await writeFile(join(webDir, 'index.html'), INDEX);
});

afterEach(async () => {
  await hub.close();
  server.closeAllConnections();
  server.close();
  await rm(webDir, { recursive: true });
});

test('the page names its files and its base under the mount path', async () => {
  await serve();
  for (const path of ['', '/', '/events', '/locks/a%2Fb']) {
    const answer = await fetch(url + BASE + path, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(
      '<html lang="en" data-base="/ops/locks"><script src="/ops/locks/assets/main.js"></script></html>',
    );
  }
});

test('the API answers under the mount path only, and the pages of the application stay unchanged', async () => {
  await serve();
  observatory.record(acquired('a', 'u1:1'));
  const { locks } = (await (await fetch(`${url}${BASE}/api/locks`)).json()) as { locks: { name: string }[] };
  expect(locks.map(({ name }) => name)).toEqual(['a']);
  expect((await fetch(`${url}/api/locks`)).status).toBe(404);
  expect(await (await fetch(url)).text()).toBe('our own page');
});

test('the API description and its page contain the mount path', async () => {
  await serve();
  const { servers } = (await (await fetch(`${url}${BASE}/api/openapi.json`)).json()) as { servers: { url: string }[] };
  expect(servers).toEqual([{ url: '/ops/locks' }]);
  const page = await (await fetch(`${url}${BASE}/api`)).text();
  expect(page).toContain('href="/ops/locks/api-docs.css"');
  expect(page).toContain(`curl &#39;${url}/ops/locks/api/health&#39;`);
});

test('the live channel is under the mount path, and other upgrades are not touched', async () => {
  await serve();
  const page = new TestPage(url, { path: `${BASE}/socket.io` });
  await page.connected();
  page.socket.emit('hello', { v: 1 });
  await soon(() => expect(page.snapshot).toBeDefined());
  observatory.record(acquired('a', 'u1:1'));
  await soon(() => expect(page.locks.get('main/0/a')?.held).toBe(true));
  page.socket.disconnect();
  const status = await new Promise((resolve, reject) => {
    const call = request(`${url}/our-own`, { headers: { Connection: 'upgrade', Upgrade: 'ours' } });
    call.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    call.on('error', reject).end();
  });
  expect(status).toBe(101);
});

test('a request that offers HTTP/2 is answered like any other', async () => {
  await serve();
  const offer = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAEAAEAA' };
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const call = request(url + path, { headers: offer });
      call.on('response', ({ statusCode }) => resolve(statusCode));
      call.on('error', reject).end();
    });
  expect(await statusOf(`${BASE}/api/locks`)).toBe(200);
  expect(await statusOf(`${BASE}/api/none`)).toBe(404);
  expect(await statusOf(`${BASE}/socket.io/`)).toBe(400);
});

test('a socket of another site is refused under the mount path too', async () => {
  await serve();
  const options = { path: `${BASE}/socket.io`, extraHeaders: { Origin: 'https://evil.example' } };
  await expect(new TestPage(url, options).connected()).rejects.toThrow();
});

test('the redirect after a token stays under the mount path', async () => {
  await serve('s3cret');
  const answer = await fetch(`${url}${BASE}/events?token=s3cret&lock=a`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/ops/locks/events?lock=a']);
});
