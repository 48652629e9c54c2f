import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGuard } from '../http/guard/guard.ts';
import { acquired, released } from '../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { TestPage } from '../testing/open-page.ts';
import { soon } from '../testing/soon.ts';
import { type Hub, openHub } from './hub.ts';
import { frameOf } from './shared-frame.ts';

let observatory: MemoryObservatory;
let server: Server;
let hub: Hub;
let url: string;
const pages: TestPage[] = [];
/** The bytes written to each connection, in the order in which they were opened. */
const written: Buffer[][] = [];
const frames = vi.spyOn(zlib, 'deflateRaw');
const streams = vi.spyOn(zlib, 'createDeflateRaw');

beforeEach(async () => {
  observatory = makeMemoryObservatory();
  server = createServer();
  server.on('connection', (socket) => written.push(bytesOf(socket)));
  hub = openHub({ server, observatory, guard: createGuard({ host: '127.0.0.1', token: undefined }) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has an AddressInfo
});

afterEach(async () => {
  for (const page of pages.splice(0)) page.socket.disconnect();
  await hub.close();
  server.closeAllConnections();
  server.close();
  written.splice(0);
});

function bytesOf(socket: Socket): Buffer[] {
  const chunks: Buffer[] = [];
  const write = socket.write.bind(socket) as (...words: unknown[]) => boolean;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    return write(chunk, ...rest);
  };
  return chunks;
}

async function livePage(options: Record<string, unknown> = {}, want?: Record<string, unknown>): Promise<TestPage> {
  const page = new TestPage(url, options);
  pages.push(page);
  await page.connected();
  if (want) page.socket.emit('want', want);
  page.socket.emit('hello', { v: 1 });
  await soon(() => expect(page.snapshot).toBeDefined());
  return page;
}

/** Records enough events at once for a message that is compressed. */
const recordMany = () => {
  for (let n = 0; n < 50; n++) observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'), acquired('b', 'u2:1'));
};
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('a message for several pages', () => {
  test('is compressed once, and each page is written the same bytes', async () => {
    const all = [await livePage(), await livePage(), await livePage()];
    frames.mockClear();
    for (const chunks of written) chunks.splice(0);
    recordMany();
    for (const page of all) await soon(() => expect(page.seqs).toEqual(numbers(1, 150)));
    const [first, ...others] = written.map((chunks) => chunks.at(-1));
    expect(first?.length).toBeGreaterThan(100);
    for (const other of others) expect(other).toBe(first);
    expect(frames).toHaveBeenCalledTimes(all[0]?.batches.length ?? 0);
    expect(streams).not.toHaveBeenCalled();
  });

  test('is made once for all pages that want the same, and each page gets each event exactly once', async () => {
    const all = [await livePage(), await livePage()];
    const plain = [await livePage({ perMessageDeflate: false }), await livePage({ perMessageDeflate: false })];
    const locks = ['main/0/a'];
    const some = [await livePage({}, { locks }), await livePage({}, { locks })];
    const plainSome = await livePage({ perMessageDeflate: false }, { locks });
    frames.mockClear();
    for (let n = 1; n <= 5; n++) {
      recordMany();
      for (const page of pages) await soon(() => expect(page.seq).toBe(n * 150));
    }
    for (const page of [...all, ...plain]) expect(page.seqs).toEqual(numbers(1, 750));
    const ofA = numbers(1, 750).filter((seq) => seq % 3 !== 0);
    for (const page of [...some, plainSome]) expect(page.seqs).toEqual(ofA);
    const messages = (all[0]?.batches.length ?? 0) + (some[0]?.batches.length ?? 0);
    expect(frames.mock.calls.length).toBeGreaterThan(0);
    expect(frames.mock.calls.length).toBeLessThanOrEqual(messages);
  });

  test('reaches a page that does not support compression', async () => {
    const page = await livePage({ perMessageDeflate: false });
    observatory.record(acquired('x'.repeat(200_000), 'u1:1'));
    await soon(() => expect(page.events[0]?.lock).toHaveLength(200_000));
  });

  test.each([
    ['wants a smaller window', { serverMaxWindowBits: 9 }],
    ['wants no message to refer to an earlier one', { serverNoContextTakeover: true }],
  ])('reaches a page that %s', async (_what, offer) => {
    const page = await livePage({ perMessageDeflate: offer });
    for (let n = 1; n <= 3; n++) {
      recordMany();
      await soon(() => expect(page.seqs).toEqual(numbers(1, n * 150)));
    }
  });

  test('ends the connection of its page if it cannot be compressed; a new connection gets the newest state', async () => {
    const page = await livePage();
    frames.mockImplementationOnce(((_payload: unknown, _options: unknown, ready: (failure: Error) => void) =>
      ready(new Error('out of memory'))) as never);
    recordMany();
    await soon(() => expect(page.socket.connected).toBe(false));
    await soon(() => expect(hub.pages()).toBe(0));
    const again = await livePage();
    expect(again.snapshot?.seq).toBe(150);
  });
});

test.each([
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 255, 255]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('the frame of %d bytes begins with its length', (length, head) => {
  const frame = frameOf(0x81, Buffer.alloc(length, 'x'));
  expect([...frame.subarray(0, head.length)]).toEqual(head);
  expect(frame.subarray(head.length).toString()).toBe('x'.repeat(length));
});
