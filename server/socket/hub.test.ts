import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuard } from '../http/guard/guard.ts';
import { acquired, released } from '../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { TestPage } from '../testing/open-page.ts';
import { soon } from '../testing/soon.ts';
import { type Hub, openHub } from './hub.ts';

let observatory: MemoryObservatory;
let server: Server;
let hub: Hub;
let url: string;
const pages: TestPage[] = [];

async function serve(options: { historyBytes?: number; token?: string } = {}): Promise<void> {
  observatory = makeMemoryObservatory(options);
  server = createServer();
  hub = openHub({ server, observatory, guard: createGuard({ host: '127.0.0.1', token: options.token }) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has an AddressInfo
}

async function openPage(options: Record<string, unknown> = {}): Promise<TestPage> {
  const page = new TestPage(url, options);
  pages.push(page);
  await page.connected();
  return page;
}

async function livePage(options: Record<string, unknown> = {}): Promise<TestPage> {
  const page = await openPage(options);
  page.socket.emit('hello', { v: 1 });
  await soon(() => expect(page.snapshot).toBeDefined());
  return page;
}

const names = (page: TestPage) => [...page.locks.values()].map((lock) => lock.name).sort();

beforeEach(() => serve());

afterEach(async () => {
  for (const page of pages.splice(0)) page.socket.disconnect();
  await hub.close();
  server.closeAllConnections();
  server.close();
});

describe('a new page', () => {
  test('gets the current state, then new events', async () => {
    observatory.record(acquired('a', 'u1:1'), acquired('b', 'u1:2'), released('b', 'u1:2'));
    const page = await livePage();
    expect(page.snapshot).toMatchObject({ v: 1, seq: 3, truncated: false, sources: [{ id: 'main' }] });
    expect(page.snapshot?.locks.map((lock) => [lock.name, lock.held])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    const recorded = observatory.record(released('a', 'u1:1'), acquired('c', 'u2:1'));
    await soon(() => expect(page.seq).toBe(5));
    expect(page.events).toEqual(recorded);
    expect(names(page)).toEqual(['a', 'b', 'c']);
    expect(page.locks.get('main/0/a')?.held).toBe(false);
  });

  test('gets nothing before its hello', async () => {
    const silent = await openPage();
    const live = await livePage();
    observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(live.seq).toBe(1));
    expect(silent.received).toEqual([]);
  });

  test('gets many events in few batches, each lock once per batch', async () => {
    const page = await livePage();
    for (let n = 0; n < 500; n += 1) observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'));
    await soon(() => expect(page.seq).toBe(1000));
    expect(page.seqs).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
    expect(page.batches.length).toBeLessThan(5);
    for (const batch of page.batches) expect(batch.locks).toHaveLength(1);
  });

  test('gets changes without events, removed locks, and changes of sources', async () => {
    observatory.record(acquired('a', 'u1:1'), acquired('b', 'u1:1'));
    const page = await livePage();
    observatory.touch('main/0/a');
    observatory.forget('main/0/b');
    observatory.setSource({ status: 'reconnecting' });
    await soon(() => expect(page.batches.at(-1)?.sources?.[0]?.status).toBe('reconnecting'));
    expect(names(page)).toEqual(['a']);
    expect(page.seq).toBe(2);
    expect(page.seqs).toEqual([]);
  });
});

describe('compression', () => {
  /** Bytes the server wrote for 1,000 events, and their JSON. */
  const bytesFor = async (options: Record<string, unknown>) => {
    const page = await livePage(options);
    const [connection] = opened.splice(0);
    const before = connection?.bytesWritten ?? 0;
    for (let n = 0; n < 500; n += 1) observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'));
    await soon(() => expect(page.events).toHaveLength(1000));
    return { bytes: (connection?.bytesWritten ?? 0) - before, json: JSON.stringify(page.events).length };
  };
  const opened: import('node:net').Socket[] = [];
  beforeEach(() => {
    opened.splice(0);
    server.on('connection', (socket) => opened.push(socket));
  });

  test('an event takes less than a fifth of its JSON', async () => {
    const { bytes, json } = await bytesFor({});
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(json / 5);
  });

  test('a client that cannot decompress gets plain messages', async () => {
    const { bytes, json } = await bytesFor({ perMessageDeflate: false });
    expect(bytes).toBeGreaterThan(json);
  });
});

describe('a page that reconnects', () => {
  test('gets exactly what it missed, then new events', async () => {
    observatory.record(acquired('a', 'u1:1'));
    const first = await livePage();
    const { run } = first.snapshot ?? {};
    first.socket.disconnect();
    observatory.record(...Array.from({ length: 5000 }, (_, n) => acquired(`lock:${n % 10}`, 'u1:1')));
    observatory.forget('main/0/lock:0');

    const page = await openPage();
    page.socket.emit('hello', { v: 1, after: 1, ...(run === undefined ? {} : { run }) });
    observatory.record(acquired('b', 'u1:1'));
    await soon(() => expect(page.seq).toBe(5002));
    expect(page.types).not.toContain('snapshot');
    expect(page.types).not.toContain('resync');
    expect(page.seqs).toEqual(Array.from({ length: 5001 }, (_, n) => n + 2));
    expect(page.batches.length).toBeGreaterThan(1);
    expect(page.batches.some((batch) => batch.skipped !== undefined)).toBe(false);
    expect(page.batches.flatMap((batch) => batch.gone)).toContain('main/0/lock:0');
    expect(names(page).filter((name) => name.startsWith('lock:'))).toHaveLength(9);
    observatory.record(acquired('c', 'u1:1'));
    await soon(() => expect(page.seqs.at(-1)).toBe(5003));
  });

  test('and missed nothing gets an empty batch', async () => {
    observatory.record(acquired('a', 'u1:1'));
    const page = await openPage();
    page.socket.emit('hello', { v: 1, after: 1 });
    await soon(() => expect(page.batches).toHaveLength(1));
    expect(page.batches[0]).toMatchObject({ fromSeq: 2, toSeq: 1, gone: [], sources: [{ id: 'main' }] });
    expect(page.seqs).toEqual([]);
  });

  test.each([
    ['its events are no longer in memory', { v: 1, after: 3 }],
    ['it has events that do not exist yet', { v: 1, after: 99_999 }],
    ['the server was restarted', { v: 1, after: 4999, run: 'another' }],
  ] as const)('begins again when %s', async (_why, hello) => {
    await hub.close();
    await serve({ historyBytes: 20_000 });
    observatory.record(...Array.from({ length: 5000 }, (_, n) => acquired(`lock:${n % 20}`, 'u1:1')));
    const page = await openPage();
    page.socket.emit('hello', hello);
    await soon(() => expect(page.types).toEqual(['resync', 'snapshot']));
    expect(page.snapshot?.seq).toBe(5000);
    expect(names(page)).toHaveLength(20);
    observatory.record(acquired('next', 'u1:1'));
    await soon(() => expect(page.seqs).toEqual([5001]));
  });
});

describe('a page that asks for less', () => {
  test('gets the locks it asked for, and blind spots, which concern every lock', async () => {
    const page = await livePage();
    page.socket.emit('want', { locks: ['main/0/a'] });
    const all = await livePage();
    all.socket.emit('want', { locks: [] });
    await soon(() => expect(hub.pages()).toBe(2));
    // Messages of one socket are read in order: an answer to this one shows that the want before it was read.
    page.socket.emit('want', { events: 'broken' } as never);
    await soon(() => expect(page.types).toContain('problem'));
    observatory.record(acquired('b', 'u1:1'), acquired('a', 'u1:1'), {
      type: 'blind-spot.began',
      lock: '',
      reason: 'connection-lost',
    });
    await soon(() => expect(page.seq).toBe(3));
    expect(page.events.map((event) => event.type)).toEqual(['lock.acquired', 'blind-spot.began']);
    expect(names(page)).toEqual(['a']);
    await soon(() => expect(all.seqs).toEqual([1, 2, 3]));

    page.socket.emit('want', { locks: ['main/0/a', 'main/0/b'], events: false });
    await soon(() => expect(names(page)).toEqual(['a', 'b']));
    page.socket.emit('want', { locks: [], events: true });
    await soon(() => expect(page.types.filter((type) => type === 'snapshot')).toHaveLength(2));
    observatory.record(acquired('c', 'u1:1'));
    await soon(() => expect(names(page)).toEqual(['a', 'b', 'c']));
  });
});

describe('bad messages', () => {
  test.each([
    ['hello', undefined, 'bad-message'],
    ['hello', { v: 2 }, 'bad-message'],
    ['hello', { v: 1, after: -5 }, 'bad-message'],
    ['want', { locks: 'all' }, 'bad-message'],
    ['release', 'orders:42', 'unknown-message'],
  ])('%s %j is answered, and the connection stays open', async (name, message, code) => {
    const page = await openPage();
    page.socket.emit(name as 'hello', message as never);
    await soon(() => expect(page.received).toMatchObject([{ type: 'problem', message: { code } }]));
    page.socket.emit('hello', { v: 1 });
    await soon(() => expect(page.snapshot).toBeDefined());
  });
});

describe('a slow page', () => {
  const long = 'x'.repeat(4000);
  /** Enough events to fill the kernel's buffer of a page that does not read, and for more than one batch. */
  const flood = async (fast: TestPage, until: () => boolean) => {
    for (let n = 0; !until(); n += 1) {
      observatory.record(...Array.from({ length: 1000 }, (_, m) => acquired(`${long}${m}`, `u${n}:${m}`)));
      const seq = observatory.history.nextSeq() - 1;
      await soon(() => expect(fast.seq).toBe(seq));
    }
  };

  test('gets fewer events and their number, ends with the same locks, and delays no other page', async () => {
    const fast = await livePage();
    const slow = await livePage({ perMessageDeflate: false }); // its connection fills up sooner
    slow.freeze();
    // The server's end of the connection: full once the kernel's buffer is full.
    const ends = () => [...connections].filter((socket) => socket.writableLength > 0);
    await flood(fast, () => ends().length > 0);
    const queued = ends()[0]?.writableLength ?? 0;
    const before = observatory.history.nextSeq();
    await flood(fast, () => observatory.history.nextSeq() > before + 3000);
    expect(ends()[0]?.writableLength ?? 0).toBeLessThanOrEqual(queued);
    expect(fast.batches.some((batch) => batch.skipped !== undefined)).toBe(false);

    slow.thaw();
    await soon(() => expect(slow.seq).toBe(fast.seq));
    const skipped = slow.batches.reduce((sum, batch) => sum + (batch.skipped ?? 0), 0);
    expect(skipped).toBeGreaterThan(0);
    expect(slow.events.length + skipped).toBe(fast.events.length);
    expect([...slow.locks].sort()).toEqual([...fast.locks].sort());
    for (const [index, batch] of slow.batches.entries()) {
      expect(batch.fromSeq).toBe((slow.batches[index - 1]?.toSeq ?? 0) + 1);
    }
  });

  const connections = new Set<import('node:net').Socket>();
  beforeEach(() => {
    connections.clear();
    server.on('connection', (socket) => connections.add(socket));
  });
});

describe('access', () => {
  test.each([
    ['a foreign Origin', { extraHeaders: { Origin: 'http://evil.example' } }],
    ['a foreign Host', { extraHeaders: { Host: 'evil.example' } }],
    ['another site without an Origin', { extraHeaders: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['polling', { transports: ['polling'] }],
  ])('%s is refused', async (_what, options) => {
    await expect(openPage(options)).rejects.toThrow();
    expect(hub.pages()).toBe(0);
  });

  test('our own Origin is accepted', async () => {
    await openPage({ extraHeaders: { Origin: url } });
  });

  test('our own Origin is accepted even if the browser treats ws:// as another site', async () => {
    await openPage({ extraHeaders: { Origin: url, 'Sec-Fetch-Site': 'cross-site' } });
  });

  test('with a token, only clients that have it', async () => {
    await hub.close();
    await serve({ token: 's3cret' });
    await expect(openPage()).rejects.toThrow();
    await openPage({ extraHeaders: { Authorization: 'Bearer s3cret' } });
    await openPage({ query: { token: 's3cret' } });
  });

  test('100 pages have a place; one more is refused with a reason', async () => {
    // ten at once: on a busy machine, 100 do not all say hello in time
    for (let n = 0; n < 10; n += 1) await Promise.all(Array.from({ length: 10 }, () => livePage()));
    await expect(openPage()).rejects.toMatchObject({ message: 'Too many pages are open.' });
    pages.splice(0, 1)[0]?.socket.disconnect();
    await soon(() => expect(hub.pages()).toBe(99));
    await livePage();
  });

  test('200 connections without a hello keep no page out, and are closed to make room', async () => {
    let [opened, closed] = [0, 0];
    server.on('upgrade', () => (opened += 1));
    const silent = Array.from({ length: 200 }, () => new TestPage(url));
    for (const { socket } of silent) socket.on('disconnect', () => (closed += 1));
    pages.push(...silent);
    await soon(() => expect(opened).toBe(200));
    const page = await openPage();
    page.socket.emit('hello', { v: 1 });
    await soon(() => expect(page.snapshot).toBeDefined());
    // the others are closed after 5 s: `places.test.ts`
    await soon(() => expect(closed).toBeGreaterThanOrEqual(100));
  });

  test('a page that sends hundreds of messages at once is closed, other pages are not', async () => {
    const other = await livePage();
    const loud = await livePage();
    for (let n = 0; n < 300; n += 1) loud.socket.emit('hello', { v: 1 });
    await soon(() => expect(loud.socket.connected).toBe(false));
    expect(other.socket.connected).toBe(true);
  });

  test('a message of brackets is not parsed, and its page is closed', async () => {
    const [page, other] = [await livePage(), await livePage()];
    const parse = vi.spyOn(JSON, 'parse');
    page.socket.io.engine.send(`42["want",${'['.repeat(2_000_000)}`);
    await soon(() => expect(page.socket.connected).toBe(false));
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(10_000);
    observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(names(other)).toEqual(['a']));
  });

  test('closing ends every connection and stops listening to the observatory', async () => {
    const page = await livePage();
    expect(observatory.listeners()).toBe(1);
    await hub.close();
    await soon(() => expect(page.socket.connected).toBe(false));
    expect(observatory.listeners()).toBe(0);
    const late = new TestPage(url);
    pages.push(late);
    await expect(late.connected()).rejects.toThrow();
    expect(server.listening).toBe(true);
  });
});
