import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquired } from '../../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { soon } from '../../testing/soon.ts';
import { createApp } from '../app.ts';
import { createGuard } from '../guard/guard.ts';
import { Connections, LIMITS } from './connections.ts';

const MB = 1024 * 1024;
const NAME = 'x'.repeat(MB);

let server: Server;
let observatory: MemoryObservatory;
let connections: Connections;
let now: number;
let port: number;
const clients: Client[] = [];

/** A client that sends bytes, and reads only on request of the test. */
class Client {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  constructor(isReading: boolean) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (data: Buffer) => (this.text += data.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => (this.isClosed = true));
    if (!isReading) this.socket.pause();
    clients.push(this);
  }

  ask(path: string, times = 1): void {
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(times));
  }

  get statuses(): string[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1] ?? '');
  }
}

const open = (isReading = true) => new Client(isReading);
/** The list of locks. One lock has a name of a megabyte, so the answer has more than that. */
const BIG = '/api/locks';

beforeEach(async () => {
  now = 0;
  observatory = makeMemoryObservatory();
  observatory.record(acquired(NAME, 'u1:1'));
  server = createServer({ maxHeaderSize: 4 * MB });
  const limits = { ...LIMITS, connections: 20, bytes: 20 * MB, bytesAtMost: 40 * MB, largeRequests: 12 };
  connections = new Connections(server, limits, () => now);
  const guard = createGuard({ host: '127.0.0.1', token: undefined });
  const report = (error: Error) => expect.fail(error.message);
  const fixed = { stage: undefined, version: '1', allowRelease: false, webDir: '/nowhere', report };
  server.on('request', createApp({ observatory, guard, connections, ...fixed }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port; // a server that listens on TCP has an AddressInfo
});

afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a connection', () => {
  test('with 50 requests at once gets four responses, then a refusal', async () => {
    const client = open();
    client.ask('/api/locks', 50);
    await soon(() => expect(client.isClosed).toBe(true));
    expect(client.statuses.slice(0, 5)).toEqual(['200', '200', '200', '200', '503']);
    expect(client.text).toContain('Retry-After: 5');
    expect(client.statuses.filter((status) => status === '200')).toHaveLength(4);
  });

  test('with 30 requests, one after another, gets 30 responses', async () => {
    const client = open();
    for (let n = 1; n <= 30; n += 1) {
      client.ask('/api/health');
      await soon(() => expect(client.statuses).toHaveLength(n));
    }
    expect(new Set(client.statuses)).toEqual(new Set(['200']));
  });

  test('counts the bytes of an unfinished request', async () => {
    const client = open();
    client.socket.write(`GET /${'a'.repeat(10_000)}`);
    await soon(() => expect(connections.makeRoom()).toBeGreaterThan(10_000));
    client.socket.write(' HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await soon(() => expect(client.statuses).toHaveLength(1));
    expect(connections.makeRoom()).toBe(0);
  });

  test('counts the bytes of a request until its response is read', async () => {
    for (let n = 0; n < 5; n += 1) observatory.record(acquired(`${n}${NAME}`, 'u1:1'));
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const client = open(false);
    client.ask(`${BIG}?${'a'.repeat(3 * MB)}`);
    const socket = await accepted;
    await soon(() => expect(socket.writableLength).toBeGreaterThan(MB));
    expect(connections.makeRoom() - socket.writableLength).toBeGreaterThan(3 * MB);
    client.socket.resume();
    await soon(() => expect(connections.makeRoom()).toBe(0));
  });
});

describe('many unfinished requests', () => {
  const begin = (bytes: number) => {
    const client = open();
    client.socket.write(`GET /${'a'.repeat(bytes)}`);
    return client;
  };
  const closed = () => clients.filter(({ isClosed }) => isClosed).length;
  const arrived = () => clients.every(({ socket }) => socket.destroyed || socket.writableLength === 0);

  test('together use at most the upper limit of memory, although no request has stopped', async () => {
    for (let n = 0; n < 12; n += 1) begin(3.9 * MB);
    await soon(() => expect(arrived() && closed() >= 2).toBe(true));
    expect(connections.makeRoom()).toBeLessThanOrEqual(40 * MB);
    expect(connections.makeRoom()).toBeGreaterThan(35 * MB);
    expect(closed()).toBe(2);
  });

  test('if more than 12 are large, the newest is closed, unless another request has already taken a second', async () => {
    const first = begin(100_000);
    await soon(() => expect(connections.makeRoom()).toBe(100_005));
    for (let n = 0; n < 11; n += 1) begin(100_000);
    await soon(() => expect(connections.makeRoom()).toBe(12 * 100_005));
    const quick = begin(100_000);
    await soon(() => expect(quick.isClosed).toBe(true));
    expect(closed()).toBe(1);
    now += 1000;
    const late = begin(100_000);
    await soon(() => expect(closed()).toBe(2));
    expect([first.isClosed, late.isClosed]).toEqual([true, false]);
  });
});

describe('many connections that do not read', () => {
  const stuck = async () => {
    for (let n = 0; n < 15; n += 1) {
      open(false).ask(BIG, 4);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  test('use little more than the limit of memory; further requests are refused, except health', async () => {
    await stuck();
    const most = 20 * MB + 2 * MB;
    await soon(() => expect(connections.makeRoom()).toBeGreaterThan(20 * MB));
    expect(connections.makeRoom()).toBeLessThan(most);
    const health = open();
    health.ask('/api/health');
    await soon(() => expect(health.statuses).toEqual(['200']));
    const other = open();
    other.ask('/api/locks');
    await soon(() => expect(other.statuses).toEqual(['503']));
  });

  test('are closed after five seconds without reading, if other connections need the memory', async () => {
    await stuck();
    await soon(() => expect(connections.makeRoom()).toBeGreaterThan(20 * MB));
    now += 5000;
    expect(connections.makeRoom()).toBeLessThanOrEqual(20 * MB);
    const other = open();
    other.ask('/api/locks');
    await soon(() => expect(other.statuses).toEqual(['200']));
  });
});

test('above the limit of connections the oldest idle connection is closed, but not the live channel of a page', async () => {
  const oldest = open();
  await soon(() => expect(oldest.socket.readyState).toBe('open'));
  const [channel] = await new Promise<[Socket]>((resolve) => {
    server.once('connection', (socket: Socket) => resolve([socket]));
    open();
  });
  connections.notePage(channel);
  for (let n = 0; n < 18; n += 1) open();
  await soon(() => expect(clients.every(({ socket }) => socket.readyState === 'open')).toBe(true));
  const last = open();
  last.ask('/api/health');
  await soon(() => expect(last.statuses).toEqual(['200']));
  await soon(() => expect(clients.map(({ isClosed }) => isClosed).indexOf(true)).toBe(0));
  open();
  await soon(() => expect(clients.filter(({ isClosed }) => isClosed)).toHaveLength(2));
  expect(clients[1]?.isClosed).toBe(false);
});
