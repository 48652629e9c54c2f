import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGuard } from '../http/guard.ts';
import { acquired, released } from '../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { TestPage } from '../testing/open-page.ts';
import { type Hub, openHub } from './hub.ts';

let observatory: MemoryObservatory;
let server: Server;
let hub: Hub;
let url: string;
const pages: TestPage[] = [];

beforeEach(async () => {
  observatory = makeMemoryObservatory({ historyCap: 100_000 });
  server = createServer();
  hub = openHub({ server, observatory, guard: createGuard({ host: '127.0.0.1', token: undefined }) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has an AddressInfo
});

afterEach(async () => {
  for (const page of pages.splice(0)) page.socket.disconnect();
  await hub.close();
});

async function openPage(packed: boolean): Promise<TestPage> {
  const page = new TestPage(url);
  pages.push(page);
  await page.connected();
  page.socket.emit('hello', { v: 1, packed });
  await vi.waitFor(() => expect(page.snapshot).toBeDefined());
  return page;
}

/** Records events until a page gets packed messages: the hub decides when a page joins the stream. */
async function untilPacked(page: TestPage): Promise<void> {
  const before = page.received.length;
  await vi.waitFor(
    () => {
      observatory.record(acquired('join', 'u9:1'), released('join', 'u9:1'));
      expect(page.received.slice(before).some(({ type }) => type === 'packed')).toBe(true);
    },
    { timeout: 20_000, interval: 60 },
  );
}

/** Waits until a page has everything that was recorded. */
async function caughtUp(page: TestPage): Promise<void> {
  await vi.waitFor(() => expect(page.seq).toBe(observatory.history.nextSeq() - 1), { timeout: 20_000 });
}

const actual = () => new Map(observatory.locks().map((lock) => [lock.id, lock]));
const packed = (page: TestPage) => page.received.flatMap((each) => (each.type === 'packed' ? [each] : []));

test('a page that cannot read packed messages gets none', async () => {
  const [plain, reader] = [await openPage(false), await openPage(true)];
  await untilPacked(reader);
  await caughtUp(plain);
  expect(plain.types).not.toContain('packed');
  expect(plain.locks).toEqual(actual());
});

test('pages in the stream have the current state of every lock, and every event once', async () => {
  observatory.record(acquired('old', 'u1:1'));
  const [plain, one] = [await openPage(false), await openPage(true)];
  await untilPacked(one);
  observatory.record(released('old', 'u1:1'), acquired('new', 'u2:1'));
  await caughtUp(one);
  const two = await openPage(true);
  await untilPacked(two);
  observatory.forget('main/0/old');
  observatory.record(acquired('old', 'u3:1'), released('new', 'u2:1'), acquired('new', 'u3:1'));
  observatory.touch('main/0/new');
  for (const page of [plain, one, two]) await caughtUp(page);
  for (const page of [plain, one, two]) expect(page.locks).toEqual(actual());
  expect(one.events).toEqual(plain.events);
  // when the second page joined, the stream started again for both
  expect(packed(one).filter(({ isFresh }) => isFresh).length).toBeGreaterThanOrEqual(2);
  expect(packed(two)[0]?.isFresh).toBe(true);
});

test('a forgotten lock is reported as gone', async () => {
  const page = await openPage(true);
  await untilPacked(page);
  observatory.record(acquired('a', 'u1:1'));
  await vi.waitFor(() => expect(page.locks.has('main/0/a')).toBe(true));
  observatory.forget('main/0/a');
  await vi.waitFor(() => expect(page.locks.has('main/0/a')).toBe(false));
});

test('a page that fell behind leaves the stream, misses nothing, and joins again', async () => {
  const connections: import('node:net').Socket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  const [slow, quick] = [await openPage(true), await openPage(true)];
  await untilPacked(slow);
  await untilPacked(quick);
  slow.freeze();
  let n = 0;
  // until the kernel's buffer for it is full
  while (!connections.some((socket) => socket.writableLength > 0)) {
    observatory.record(acquired('big', `u1:${n++}${'x'.repeat(100_000)}`));
    await caughtUp(quick);
  }
  observatory.record(acquired('a', 'u1:1'), acquired('big', 'u1:1'));
  await caughtUp(quick);
  const seqBefore = slow.seq;
  slow.thaw();
  await caughtUp(slow);
  expect(slow.seq).toBeGreaterThan(seqBefore);
  expect(slow.received.findLast(({ type }) => type === 'batch')).toBeDefined();
  await untilPacked(slow);
  observatory.record(released('big', 'u1:1'));
  await caughtUp(slow);
  await caughtUp(quick);
  expect(slow.events.map(({ seq }) => seq)).toEqual(quick.events.map(({ seq }) => seq));
  expect(slow.locks).toEqual(actual());
  expect(quick.locks).toEqual(actual());
}, 60_000);
