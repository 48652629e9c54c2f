import { EventEmitter } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquired } from '../../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { soon } from '../../testing/soon.ts';
import { createApp } from '../app.ts';
import { createGuard } from '../guard/guard.ts';
import { OwnAnswers } from './own-answers.ts';

const MB = 1024 * 1024;
/** A list of locks has more bytes than the names in it. */
const NAME = 'x'.repeat(MB);

let server: Server;
let bounds: OwnAnswers;
let now: number;
/** Connections as the server sees them, and as the client does. */
let theirs: Socket[];
let ours: { socket: Socket; text: string; isClosed: boolean }[];
/** Answers of the application that a test sends. */
let held: ServerResponse[];
/** Internal errors of Lockscope. */
let mistakes: string[];
let observatory: MemoryObservatory;

/** An application, with a Lockscope under `/locks`. */
beforeEach(async () => {
  now = 0;
  [theirs, ours, held, mistakes] = [[], [], [], []];
  observatory = makeMemoryObservatory();
  for (let n = 0; n < 3; n++) observatory.record(acquired(`${n}${NAME}`, 'u1:1'));
  const limits = { answersEach: 4, bytes: 20 * MB, bytesAtMost: 40 * MB, stuckMs: 5000 };
  bounds = new OwnAnswers(limits, new EventEmitter(), () => now);
  const guard = createGuard({ host: '127.0.0.1', token: undefined });
  const report = (error: Error) => void mistakes.push(error.message);
  const fixed = { stage: undefined, version: '1', allowRelease: false, webDir: '/nowhere', report };
  const lockscope = createApp({ observatory, guard, connections: bounds, ...fixed });
  server = createServer((req, res) => {
    if (req.url?.startsWith('/locks/')) {
      req.url = req.url.slice('/locks'.length);
      return lockscope(req, res);
    }
    if (req.url === '/held') return void held.push(res);
    let bytes = 0;
    req.on('data', (piece: Buffer) => (bytes += piece.length));
    req.on('end', () => res.end(`[${bytes} bytes]`));
  });
  server.on('connection', (socket: Socket) => theirs.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const { socket } of ours) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(mistakes.filter((mistake) => mistake !== 'no memory')).toEqual([]);
});

/** A client on a new connection. `isReading` false: it reads nothing. */
function open(isReading = true) {
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  const client = { socket: connect(port, '127.0.0.1'), text: '', isClosed: false };
  client.socket.on('data', (data: Buffer) => (client.text += data.toString('latin1')));
  client.socket.on('error', () => undefined);
  client.socket.on('close', () => (client.isClosed = true));
  if (!isReading) client.socket.pause();
  ours.push(client);
  return client;
}

const ask = ({ socket }: { socket: Socket }, path: string, more = '') =>
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`);
const upload = ({ socket }: { socket: Socket }, path: string, bytes: number) =>
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );

test('after a response of Lockscope, an upload to the application is not counted, and its connection stays open', async () => {
  const client = open();
  ask(client, '/locks/api/health');
  await soon(() => expect(client.text).toContain('"sources"'));
  expect(bounds.makeRoom()).toBe(0);
  upload(client, '/own', 60 * MB);
  client.socket.write(Buffer.alloc(59 * MB));
  await soon(() => expect(theirs[0]?.bytesRead).toBeGreaterThan(59 * MB));
  now += 60_000;
  expect(bounds.makeRoom()).toBe(0);
  client.socket.write(Buffer.alloc(MB));
  await soon(() => expect(client.text).toContain(`[${60 * MB} bytes]`));
  for (let n = 0; n < 60; n++) {
    client.text = '';
    upload(client, '/own', MB);
    client.socket.write(Buffer.alloc(MB));
    await soon(() => expect(client.text).toContain(`[${MB} bytes]`));
  }
  expect(bounds.makeRoom()).toBe(0);
});

test('after a response of Lockscope, a download from the application that is not read is not counted', async () => {
  const client = open();
  ask(client, '/locks/api/health');
  await soon(() => expect(client.text).toContain('"sources"'));
  client.socket.pause();
  ask(client, '/held');
  await soon(() => expect(held).toHaveLength(1));
  held[0]?.end(Buffer.alloc(60 * MB));
  await soon(() => expect(theirs[0]?.writableLength).toBeGreaterThan(40 * MB));
  expect(bounds.makeRoom()).toBe(0);
  now += 60_000;
  expect(bounds.makeRoom()).toBe(0);
  expect(theirs[0]?.destroyed).toBe(false);
  client.socket.resume();
  await soon(() => expect(client.text.length).toBeGreaterThan(60 * MB));
});

test('responses of Lockscope that are not read are counted, and stalled ones are closed if too much is buffered', async () => {
  const clients = Array.from({ length: 20 }, () => open(false));
  for (const client of clients) ask(client, '/locks/api/locks');
  await soon(() => expect(bounds.makeRoom()).toBeGreaterThan(18 * MB));
  const other = open();
  await soon(() => {
    ask(other, '/locks/api/locks');
    expect(bounds.makeRoom()).toBeGreaterThan(20 * MB);
  });
  now += 5000;
  expect(bounds.makeRoom()).toBeLessThanOrEqual(20 * MB);
  expect(theirs.some(({ destroyed }) => destroyed)).toBe(true);
});

test('no connection is closed because responses of Lockscope wait behind a response of the application', async () => {
  const client = open(false);
  ask(client, '/held');
  await soon(() => expect(held).toHaveLength(1));
  for (let n = 0; n < 4; n++) ask(client, '/locks/api/locks');
  const others = Array.from({ length: 5 }, () => open(false));
  for (const other of others) {
    ask(other, '/held');
    for (let n = 0; n < 4; n++) ask(other, '/locks/api/locks');
  }
  await soon(() => expect(bounds.makeRoom()).toBeGreaterThan(20 * MB));
  now += 60_000;
  expect(bounds.makeRoom()).toBeGreaterThan(20 * MB);
  expect(theirs.filter(({ destroyed }) => destroyed)).toEqual([]);
  client.socket.resume();
  held[0]?.end('[own answer]');
  await soon(() => expect(client.text).toContain('[own answer]'));
});

test('a response of Lockscope that fails halfway ends only itself, not the response of the application before it', async () => {
  observatory.history.search = () => Promise.reject(new Error('no memory'));
  const client = open();
  ask(client, '/held');
  await soon(() => expect(held).toHaveLength(1));
  ask(client, '/locks/api/events/stream?after=0');
  await soon(() => expect(mistakes).toEqual(['no memory']));
  held[0]?.end('[own answer]');
  await soon(() => expect(client.text).toContain('[own answer]'));
});

test('if a connection has too many pending requests, the refusal leaves it open for the application', async () => {
  const client = open();
  for (let n = 0; n < 6; n++) ask(client, '/locks/api/locks');
  upload(client, '/own', 3);
  client.socket.write('abc');
  await soon(() => expect(client.text).toContain('[3 bytes]'));
  expect(client.text).toContain('HTTP/1.1 503');
  expect(client.isClosed).toBe(false);
});

test('for a request to Lockscope only its own bytes are counted, and not those that follow it', async () => {
  const client = open();
  upload(client, '/locks/api/sources/main/observe', 2 * MB);
  client.socket.write(Buffer.alloc(MB, ' '));
  await soon(() => expect(bounds.makeRoom()).toBeGreaterThan(0.9 * MB));
  expect(bounds.makeRoom()).toBeLessThan(1.1 * MB);
  client.socket.write(Buffer.concat([Buffer.alloc(MB - 21, ' '), Buffer.from('{"level":"snapshot" }')]));
  await soon(() => expect(client.text).toContain('HTTP/1.1 200'));
  expect(bounds.makeRoom()).toBe(0);
  // An endless answer of ours, with an upload to the application behind it.
  ask(client, '/locks/api/events/stream');
  await soon(() => expect(client.text).toContain('text/event-stream'));
  upload(client, '/own', MB);
  client.socket.write(Buffer.alloc(MB));
  await soon(() => expect(theirs[0]?.bytesRead).toBeGreaterThan(3 * MB));
  expect(bounds.makeRoom()).toBeLessThan(1000);
});

test('a live channel of Lockscope is counted from its handshake on', async () => {
  const client = open();
  upload(client, '/own', MB);
  client.socket.write(Buffer.alloc(MB));
  await soon(() => expect(client.text).toContain(`[${MB} bytes]`));
  const [socket] = theirs;
  if (!socket) throw new Error('no connection');
  bounds.notePage(socket);
  expect(bounds.makeRoom()).toBe(0);
  client.socket.pause();
  socket.write(Buffer.alloc(30 * MB));
  await soon(() => expect(bounds.makeRoom()).toBeGreaterThan(20 * MB));
  now += 5000;
  expect(bounds.makeRoom()).toBe(0);
  expect(socket.destroyed).toBe(true);
});
