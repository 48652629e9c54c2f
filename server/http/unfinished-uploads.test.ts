import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import express, { type Request } from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { DumpStore } from '../dumps/dump-store.ts';
import { readDump } from '../dumps/read-dump.ts';
import { Store } from '../recordings/store.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { twoThreads } from '../testing/serve-recordings.ts';
import { soon } from '../testing/soon.ts';
import { serveTestApp, type TestApp } from '../testing/test-app.ts';
import { uploadOf } from './answer/upload.ts';
import { createApp } from './app.ts';
import { createGuard } from './guard/guard.ts';
import type { RecordingMount } from './recording-mount.ts';

const MB = 1024 * 1024;
const DUMP =
  'Full thread dump OpenJDK 64-Bit Server VM (21):\n\n"main" #1 prio=5 tid=0x1 nid=0x1 runnable\n\tat a.B.c(B.java:1)\n';
const sockets: Socket[] = [];
const servers: Server[] = [];
let app: TestApp | undefined;
let recordings: Store<RecordingMount> | undefined;

afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await app?.close();
  await recordings?.end();
  app = undefined;
});

async function serve(): Promise<TestApp> {
  const mount = (): RecordingMount => ({
    ...{ pages: () => 0, close: async () => undefined, answer: (_req, _res, next) => next() },
    ...{ channel: (_req, _res, next) => next(), upgrade: () => undefined },
  });
  recordings = new Store({ open: { most: 1, memoryEach: 0 }, records: undefined, mount });
  app = await serveTestApp(makeMemoryObservatory(), {
    dumps: new DumpStore(async (bytes) => readDump(bytes)),
    recordings,
  });
  return app;
}

/** Begins an upload of this length, and sends one byte of it. */
function begin({ base }: Pick<TestApp, 'base'>, path: string, length: number): { socket: Socket; text: () => string } {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString())).on('error', () => undefined);
  sockets.push(socket);
  const type = 'Content-Type: application/octet-stream';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}\r\nContent-Length: ${length}\r\n\r\nx`);
  return { socket, text: () => text };
}

const octets = { 'Content-Type': 'application/octet-stream' };

test('unfinished uploads reserve no memory: only bytes that have arrived are counted', async () => {
  const started = await serve();
  for (let n = 0; n < 60; n++) begin(started, '/api/thread-dumps', 20 * MB);
  for (let n = 0; n < 60; n++) begin(started, '/api/recordings?name=x', 256 * MB);
  const dump = { method: 'POST', headers: octets, body: DUMP };
  const recording = { method: 'POST', headers: octets, body: twoThreads() };
  for (let n = 0; n < 3; n++) {
    expect((await started.get('/api/thread-dumps', dump)).status).toBe(200);
    expect((await started.get('/api/recordings?name=x', recording)).status).toBe(200);
  }
});

test('thread dumps that have arrived in part are kept up to a limit', async () => {
  const started = await serve();
  const uploads = Array.from({ length: 4 }, () => begin(started, '/api/thread-dumps', 20 * MB));
  for (const { socket } of uploads) socket.write(Buffer.alloc(19 * MB, ' '));
  await soon(() => expect(uploads.filter(({ text }) => text().includes('507'))).toHaveLength(1));
  for (const { socket } of uploads) socket.destroy();
  await soon(async () => {
    expect((await started.get('/api/thread-dumps', { method: 'POST', headers: octets, body: DUMP })).status).toBe(200);
  });
});

test('of 60 recordings and 30 thread dumps that arrive at once, 50 and 20 are kept', async () => {
  const started = await serve();
  const recording = { method: 'POST', headers: octets, body: twoThreads() };
  const all = await Promise.all(Array.from({ length: 60 }, () => started.get('/api/recordings?name=x', recording)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(all.filter(({ status }) => status === 507)).toHaveLength(10);
  expect(recordings?.list()).toHaveLength(50);
  const dump = { method: 'POST', headers: octets, body: DUMP };
  const dumps = await Promise.all(Array.from({ length: 30 }, () => started.get('/api/thread-dumps', dump)));
  expect(dumps.filter(({ status }) => status === 200)).toHaveLength(20);
});

/** A request whose body a test sends piece by piece. */
function body() {
  const stream = new PassThrough();
  const headers = { 'content-length': '20000000', 'content-type': 'application/octet-stream' };
  const req = Object.assign(stream, { headers, is: () => 'application/octet-stream', complete: false });
  const { bytes } = uploadOf(req as unknown as Request, ['application/octet-stream'], undefined); // the code under test reads only these fields
  const pieces = bytes[Symbol.asyncIterator]();
  return { stream, next: () => pieces.next() };
}

test('an upload that stops, or becomes too slow, is refused; time in which the server does not read is not counted', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const still = body();
  const piece = still.next();
  vi.advanceTimersByTime(10_000);
  still.stream.write('x');
  expect((await piece).done).toBe(false);
  const slow = still.next();
  vi.advanceTimersByTime(2000);
  await expect(slow).rejects.toMatchObject({ status: 408, problem: { code: 'not-sent' } });
  const nothing = body().next();
  vi.advanceTimersByTime(11_000);
  await expect(nothing).rejects.toMatchObject({ status: 408, problem: { code: 'not-sent' } });

  const steady = body();
  for (let n = 0; n < 100; n++) {
    const next = steady.next();
    vi.advanceTimersByTime(1000);
    steady.stream.write(Buffer.alloc(16 * 1024));
    expect((await next).done).toBe(false);
    vi.advanceTimersByTime(60_000); // what has arrived is being written to a slow disk
  }
  steady.stream.end();
  expect((await steady.next()).done).toBe(true);
});

test('a thread dump is still read behind `express.json()` and `express.text()` of an application', async () => {
  const guard = createGuard({ host: '127.0.0.1', token: undefined });
  const observatory = makeMemoryObservatory();
  const dumps = new DumpStore(async (bytes) => readDump(bytes));
  const context = {
    observatory,
    guard,
    dumps,
    stage: undefined,
    version: '1',
    allowRelease: false,
    webDir: '/nowhere',
  };
  const lockscope = createApp({ ...context, report: (error) => expect.fail(error.message) });
  const outer = express();
  outer.use(express.json(), express.text(), express.raw());
  outer.use('/ops/locks', lockscope);
  const server = createServer(outer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops/locks/api`; // a server that listens on TCP has an AddressInfo
  const json = JSON.stringify({
    threads: [{ threadName: 'main', threadId: 1, threadState: 'RUNNABLE', stackTrace: [] }],
  });
  for (const [type, body] of [
    ['application/json', json],
    ['text/plain', DUMP],
    ['application/octet-stream', DUMP],
  ] as const) {
    const answer = await fetch(`${url}/thread-dumps`, { method: 'POST', headers: { 'Content-Type': type }, body });
    expect([type, answer.status]).toEqual([type, 200]);
  }
  const observe = await fetch(`${url}/sources/main/observe`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"level":"snapshot"}' },
  });
  expect(observe.status).toBe(200);
});
