import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventsBody } from '../../../shared/wire/http.ts';
import { acquired, released } from '../../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { soon } from '../../testing/soon.ts';
import { StreamReader } from '../../testing/stream-reader.ts';
import { createApp } from '../app.ts';
import { createGuard } from '../guard/guard.ts';
import { createHttpServer } from '../http-server.ts';
import { Connections } from '../limits/connections.ts';
import { EventStreams } from './event-stream.ts';

const KB = 1024;
const PATH = '/api/events/stream';

let observatory: MemoryObservatory;
let server: Server;
let connections: Connections;
let streams: EventStreams;
let url: string;
const readers: StreamReader[] = [];
const mistakes: Error[] = [];

type Options = { most?: number; aliveMs?: number; stuckMs?: number; historyBytes?: number; token?: string };

async function serve({ historyBytes, token, ...limits }: Options = {}): Promise<void> {
  observatory = makeMemoryObservatory(historyBytes === undefined ? {} : { historyBytes });
  server = createHttpServer('127.0.0.1');
  connections = new Connections(server);
  streams = new EventStreams(limits);
  const guard = createGuard({ host: '127.0.0.1', token });
  const report = (error: Error) => void mistakes.push(error);
  const fixed = { stage: undefined, version: '1.2.3', allowRelease: false, webDir: '/nowhere', report };
  server.on('request', createApp({ observatory, guard, connections, streams, ...fixed }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has an AddressInfo
}

async function open(query = '', headers: Record<string, string> = {}): Promise<StreamReader> {
  const reader = await StreamReader.open(`${url}${PATH}${query}`, headers);
  readers.push(reader);
  return reader;
}

const stop = async () => {
  for (const reader of readers.splice(0)) reader.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

beforeEach(() => serve());
afterEach(async () => {
  await stop();
  expect(mistakes.splice(0)).toEqual([]);
});

/** Serves again, with other options. */
async function serveAgain(options: Options): Promise<void> {
  await stop();
  await serve(options);
}

/** Records this number of events of two locks. Each event is about 500 bytes of JSON. */
function recordMany(count: number): void {
  for (let n = 0; n < count; n += 2) {
    const lock = `${n % 4 === 0 ? 'a' : 'b'}${'x'.repeat(150)}`;
    observatory.record(acquired(lock, 'u1:1'), released(lock, 'u1:1'));
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

describe('a stream', () => {
  test('sends what is in memory after a seq, then each new event, as /api/events answers them', async () => {
    observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'));
    const reader = await open('?after=0');
    expect(reader.response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    await soon(() => expect(reader.seqs).toEqual([1, 2]));
    observatory.record(acquired('b\nid: 9\n\nc', 'u1:1'));
    await soon(() => expect(reader.seqs).toEqual([1, 2, 3]));
    const { events } = eventsBody.parse(await (await fetch(`${url}/api/events?after=0`)).json());
    expect(reader.events).toEqual(events);
    expect(reader.sent.map(({ id, event }) => [id, event])).toEqual(events.map(({ seq, type }) => [String(seq), type]));
  });

  test('without a seq begins with new events', async () => {
    recordMany(4);
    const reader = await open();
    await soon(() => expect(reader.comments).toBe(1));
    observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(reader.seqs).toEqual([5]));
  });

  test('sends thousands of events without a gap, while more are added', async () => {
    recordMany(3000);
    const reader = await open('?after=10');
    for (let n = 0; n < 30; n += 1) {
      recordMany(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await soon(() => expect(reader.seqs.at(-1)).toBe(6000));
    expect(reader.seqs).toEqual(range(11, 6000));
  });

  test('continues after the Last-Event-ID or, if the id is empty, after the seq of the query', async () => {
    recordMany(6);
    const reader = await open('?after=0', { 'Last-Event-ID': '4' });
    await soon(() => expect(reader.seqs).toEqual([5, 6]));
    const newcomer = await open('?after=5', { 'Last-Event-ID': '' });
    await soon(() => expect(newcomer.seqs).toEqual([6]));
    const refused = await fetch(url + PATH, { headers: { 'Last-Event-ID': 'x' } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { field: 'last-event-id', values: { where: 'header' } } });
  });

  test('sends only the events that match every filter', async () => {
    const sent = async (query: string) => {
      const reader = await open(`?after=0&${query}`);
      await soon(() => expect(reader.seqs).toContain(5));
      return reader.seqs;
    };
    observatory.record(acquired('orders:1', 'u1:1'), acquired('stock', 'u1:1'), released('orders:1', 'u1:1'));
    observatory.record(acquired('orders:1', 'u2:1'), released('orders:1', 'u2:1'));
    expect(await sent('lock=orders%3A1')).toEqual([1, 3, 4, 5]);
    expect(await sent('type=lock.released')).toEqual([3, 5]);
    expect(await sent('holder=u2:1')).toEqual([4, 5]);
    expect(await sent('lockPart=ORDERS&holder=u2:1&type=lock.released')).toEqual([5]);
    expect((await fetch(`${url}${PATH}?type=nothing`)).status).toBe(400);
  });

  test('sends comments while nothing happens, with the id of events that do not match', async () => {
    await serveAgain({ aliveMs: 20 });
    const reader = await open('?lock=a&after=0');
    await soon(() => expect(reader.comments).toBeGreaterThan(3));
    expect(reader.sent).toEqual([]);
    observatory.record(acquired('b', 'u1:1'), released('b', 'u1:1'));
    await soon(() => expect(reader.sent).toEqual([{ id: '2' }]));
    const before = reader.comments;
    await soon(() => expect(reader.comments).toBeGreaterThan(before + 2));
    expect(reader.sent).toEqual([{ id: '2' }]);
  });

  test('for a HEAD request ends at once', async () => {
    const { status, headers } = await fetch(url + PATH, { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(streams.size).toBe(0);
  });

  test('is refused without the token', async () => {
    await serveAgain({ token: 's3cret' });
    expect((await fetch(url + PATH)).status).toBe(401);
    const reader = await open('', { Authorization: 'Bearer s3cret' });
    expect(reader.response.statusCode).toBe(200);
  });
});

describe('a gap', () => {
  test('is reported before the oldest events in memory are sent', async () => {
    await serveAgain({ historyBytes: 256 * KB });
    recordMany(20_000);
    const oldestSeq = observatory.history.oldestSeq();
    expect(oldestSeq).toBeGreaterThan(100);
    const reader = await open('?after=50');
    await soon(() => expect(reader.seqs.at(-1)).toBe(20_000));
    expect(reader.sent[0]).toEqual({ event: 'resync', data: JSON.stringify({ oldestSeq, nextSeq: 20_001 }) });
    expect(reader.seqs).toEqual(range(oldestSeq, 20_000));
    const exact = await open(`?after=${oldestSeq - 1}`);
    await soon(() => expect(exact.seqs.at(-1)).toBe(20_000));
    expect(exact.sent[0]).toMatchObject({ id: String(oldestSeq) });
  });

  test('is reported to a reader from before a restart, whose seq does not exist yet', async () => {
    recordMany(2);
    const reader = await open('?after=500');
    await soon(() => expect(reader.seqs).toEqual([1, 2]));
    expect(reader.sent[0]).toEqual({ event: 'resync', data: '{"oldestSeq":1,"nextSeq":3}' });
    const exact = await open('?after=2');
    observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(exact.sent.map(({ id }) => id)).toEqual(['3']));
  });
});

describe('a reader that does not read', () => {
  /** More than the buffers of the system take: about 10 MB. */
  const MANY = 20_000;

  test('costs little memory, and gets every event when it reads again', async () => {
    const slow = await open('?after=0');
    slow.response.pause();
    for (let n = 0; n < MANY / 1000; n += 1) {
      recordMany(1000);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(connections.makeRoom()).toBeLessThan(300 * KB);
    }
    await soon(() => expect(connections.makeRoom()).toBeGreaterThan(16 * KB));
    slow.response.resume();
    await soon(() => expect(slow.seqs.at(-1)).toBe(MANY));
    expect(slow.seqs).toEqual(range(1, MANY));
    expect(slow.sent).toHaveLength(MANY);
  });

  test('gets a resync where events were dropped meanwhile, and all events before and after', async () => {
    await serveAgain({ historyBytes: 256 * KB });
    recordMany(100);
    const slow = await open('?after=0');
    await soon(() => expect(slow.seqs).toHaveLength(100));
    slow.response.pause();
    for (let n = 0; n < 2 * (MANY / 250); n += 1) {
      recordMany(250);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const last = 100 + 2 * MANY;
    slow.response.resume();
    await soon(() => expect(slow.seqs.at(-1)).toBe(last));
    // A busy machine may fall behind more than once. Each gap is reported, and nothing else is missing.
    let next = 1;
    let gaps = 0;
    for (const { event, id, data } of slow.sent) {
      if (data === undefined) continue; // only keeps the connection open, after 15 s
      if (event === 'resync') {
        const { oldestSeq } = JSON.parse(data) as { oldestSeq: number };
        expect(oldestSeq).toBeGreaterThan(next);
        next = oldestSeq;
        gaps += 1;
      } else expect(Number(id)).toBe(next++);
    }
    expect(next).toBe(last + 1);
    expect(gaps).toBeGreaterThan(0);
  });

  test('is disconnected after a while', async () => {
    await serveAgain({ stuckMs: 100 });
    const slow = await open('?after=0');
    slow.response.pause();
    recordMany(MANY);
    await soon(() => expect(streams.size).toBe(0));
    slow.response.resume();
    await soon(() => expect(slow.isClosed).toBe(true));
    expect(slow.isEnded).toBe(false);
  });
});

describe('open streams', () => {
  test('are limited in number, and a closed stream makes room', async () => {
    await serveAgain({ most: 2 });
    const [first] = [await open(), await open()];
    const refused = await fetch(url + PATH);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ error: { code: 'too-many-streams', values: { most: 2 } } });
    first?.close();
    await soon(() => expect(streams.size).toBe(1));
    expect(observatory.listeners()).toBe(1);
    expect((await open()).response.statusCode).toBe(200);
  });

  test('end after a whole event when they are closed', async () => {
    const all = [await open(), await open('?after=0')];
    observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(all.map(({ seqs }) => seqs)).toEqual([[1], [1]]));
    streams.close();
    await soon(() => expect(all.map(({ isEnded }) => isEnded)).toEqual([true, true]));
    expect(all.map(({ response }) => response.complete)).toEqual([true, true]);
    expect([streams.size, observatory.listeners()]).toEqual([0, 0]);
  });

  test('are included in the limit of memory only if their requests are large', async () => {
    await open();
    expect(connections.makeRoom()).toBe(0);
    await open(`?lock=${'a'.repeat(100 * KB)}`);
    expect(connections.makeRoom()).toBeGreaterThan(100 * KB);
  });
});
