import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { type HubBed, namesOn, startHub } from '../testing/hub-bed.ts';
import { acquired, released } from '../testing/make-events.ts';
import type { TestPage } from '../testing/open-page.ts';
import { soon } from '../testing/soon.ts';

let bed: HubBed;

beforeEach(async () => {
  bed = await startHub();
});

afterEach(() => bed.end());

describe('a new page', () => {
  test('gets the current state, then new events', async () => {
    bed.observatory.record(acquired('a', 'u1:1'), acquired('b', 'u1:2'), released('b', 'u1:2'));
    const page = await bed.livePage();
    expect(page.snapshot).toMatchObject({ v: 1, seq: 3, truncated: false, sources: [{ id: 'main' }] });
    expect(page.snapshot?.locks.map((lock) => [lock.name, lock.held])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    const recorded = bed.observatory.record(released('a', 'u1:1'), acquired('c', 'u2:1'));
    await soon(() => expect(page.seq).toBe(5));
    expect(page.events).toEqual(recorded);
    expect(namesOn(page)).toEqual(['a', 'b', 'c']);
    expect(page.locks.get('main/0/a')?.held).toBe(false);
  });

  test('is sent how many locks there are if it gets only a part of them', async () => {
    for (let n = 0; n < 1200; n++) bed.observatory.record(acquired(`lock:${n}`, 'u1:1'), released(`lock:${n}`, 'u1:1'));
    bed.observatory.record(acquired('held', 'u1:2'));
    const { snapshot } = await bed.livePage();
    expect(snapshot).toMatchObject({ truncated: true, total: 1201, totalHeld: 1 });
    expect(snapshot?.locks).toHaveLength(1000);
  });

  test('is sent nothing before its hello', async () => {
    const silent = await bed.openPage();
    const live = await bed.livePage();
    bed.observatory.record(acquired('a', 'u1:1'));
    await soon(() => expect(live.seq).toBe(1));
    expect(silent.received).toEqual([]);
  });

  test('is sent many events in few batches, each lock once per batch', async () => {
    const page = await bed.livePage();
    for (let n = 0; n < 500; n += 1) bed.observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'));
    await soon(() => expect(page.seq).toBe(1000));
    expect(page.seqs).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
    expect(page.batches.length).toBeLessThan(5);
    for (const batch of page.batches) expect(batch.locks).toHaveLength(1);
  });

  test('still gets events when a client with thousands of locks is seen to be connected', async () => {
    const names = Array.from({ length: 3000 }, (_, n) => `lock:${n}`);
    bed.observatory.record(...names.map((name) => acquired(name, 'u1:1')));
    const page = await bed.livePage();
    const client = { client: 'u1:1', name: null, library: 'redisson', addresses: [], since: redisTime(1) };
    bed.observatory.record({ type: 'client.connected', lock: '', ...client });
    await soon(() => expect(page.seq).toBe(3001));
    expect(page.types).toEqual(['snapshot', 'batch']);
    expect(page.batches[0]?.locks).toHaveLength(3000);
    expect(page.batches[0]?.locks[0]?.holders[0]?.presence).toBe('connected');
  });

  test('gets changes without events, removed locks, and changes of sources', async () => {
    bed.observatory.record(acquired('a', 'u1:1'), acquired('b', 'u1:1'));
    const page = await bed.livePage();
    bed.observatory.touch('main/0/a');
    bed.observatory.forget('main/0/b');
    bed.observatory.setSource({ status: 'reconnecting' });
    await soon(() => expect(page.batches.at(-1)?.sources?.[0]?.status).toBe('reconnecting'));
    expect(namesOn(page)).toEqual(['a']);
    expect(page.seq).toBe(2);
    expect(page.seqs).toEqual([]);
  });
});

describe('compression', () => {
  /** Bytes the server wrote for 1,000 events, and their JSON. */
  const bytesFor = async (options: Record<string, unknown>) => {
    const page = await bed.livePage(options);
    const [connection] = opened.splice(0);
    const before = connection?.bytesWritten ?? 0;
    for (let n = 0; n < 500; n += 1) bed.observatory.record(acquired('a', 'u1:1'), released('a', 'u1:1'));
    await soon(() => expect(page.events).toHaveLength(1000));
    return { bytes: (connection?.bytesWritten ?? 0) - before, json: JSON.stringify(page.events).length };
  };
  const opened: import('node:net').Socket[] = [];
  beforeEach(() => {
    opened.splice(0);
    bed.server.on('connection', (socket) => opened.push(socket));
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
    bed.observatory.record(acquired('a', 'u1:1'));
    const first = await bed.livePage();
    const { run } = first.snapshot ?? {};
    first.socket.disconnect();
    bed.observatory.record(...Array.from({ length: 5000 }, (_, n) => acquired(`lock:${n % 10}`, 'u1:1')));
    bed.observatory.forget('main/0/lock:0');

    const page = await bed.openPage();
    page.socket.emit('hello', { v: 1, after: 1, ...(run === undefined ? {} : { run }) });
    bed.observatory.record(acquired('b', 'u1:1'));
    await soon(() => expect(page.seq).toBe(5002));
    expect(page.types).not.toContain('snapshot');
    expect(page.types).not.toContain('resync');
    expect(page.seqs).toEqual(Array.from({ length: 5001 }, (_, n) => n + 2));
    expect(page.batches.length).toBeGreaterThan(1);
    expect(page.batches.some((batch) => batch.skipped !== undefined)).toBe(false);
    expect(page.batches.flatMap((batch) => batch.gone)).toContain('main/0/lock:0');
    expect(namesOn(page).filter((name) => name.startsWith('lock:'))).toHaveLength(9);
    bed.observatory.record(acquired('c', 'u1:1'));
    await soon(() => expect(page.seqs.at(-1)).toBe(5003));
  });

  test('that missed nothing gets an empty batch', async () => {
    bed.observatory.record(acquired('a', 'u1:1'));
    const page = await bed.openPage();
    page.socket.emit('hello', { v: 1, after: 1 });
    await soon(() => expect(page.batches).toHaveLength(1));
    expect(page.batches[0]).toMatchObject({ fromSeq: 2, toSeq: 1, gone: [], sources: [{ id: 'main' }] });
    expect(page.seqs).toEqual([]);
  });

  test.each([
    ['its events are no longer in memory', { v: 1, after: 3 }],
    ['it has events that do not exist yet', { v: 1, after: 99_999 }],
    ['the server was restarted', { v: 1, after: 4999, run: 'another' }],
  ] as const)('starts again from a snapshot if %s', async (_why, hello) => {
    await bed.end();
    bed = await startHub({ historyBytes: 20_000 });
    bed.observatory.record(...Array.from({ length: 5000 }, (_, n) => acquired(`lock:${n % 20}`, 'u1:1')));
    const page = await bed.openPage();
    page.socket.emit('hello', hello);
    await soon(() => expect(page.types).toEqual(['resync', 'snapshot']));
    expect(page.snapshot?.seq).toBe(5000);
    expect(namesOn(page)).toHaveLength(20);
    bed.observatory.record(acquired('next', 'u1:1'));
    await soon(() => expect(page.seqs).toEqual([5001]));
  });
});

describe('a page that asks for less', () => {
  test('gets the locks it asked for, and blind spots, which affect every lock', async () => {
    const page = await bed.livePage();
    page.socket.emit('want', { locks: ['main/0/a'] });
    const all = await bed.livePage();
    all.socket.emit('want', { locks: [] });
    await soon(() => expect(bed.hub.pages()).toBe(2));
    // Messages of one socket are read in order: an answer to this message shows that the `want` before it was read.
    page.socket.emit('want', { events: 'broken' } as never);
    await soon(() => expect(page.types).toContain('problem'));
    bed.observatory.record(acquired('b', 'u1:1'), acquired('a', 'u1:1'), {
      type: 'blind-spot.began',
      lock: '',
      reason: 'connection-lost',
    });
    await soon(() => expect(page.seq).toBe(3));
    expect(page.events.map((event) => event.type)).toEqual(['lock.acquired', 'blind-spot.began']);
    expect(namesOn(page)).toEqual(['a']);
    await soon(() => expect(all.seqs).toEqual([1, 2, 3]));

    page.socket.emit('want', { locks: ['main/0/a', 'main/0/b'], events: false });
    await soon(() => expect(namesOn(page)).toEqual(['a', 'b']));
    page.socket.emit('want', { locks: [], events: true });
    await soon(() => expect(page.types.filter((type) => type === 'snapshot')).toHaveLength(2));
    bed.observatory.record(acquired('c', 'u1:1'));
    await soon(() => expect(namesOn(page)).toEqual(['a', 'b', 'c']));
  });
});

describe('a slow page', () => {
  const long = 'x'.repeat(4000);
  /** Records enough events to fill the kernel's buffer of a page that does not read, and for more than one batch. */
  const flood = async (fast: TestPage, until: () => boolean) => {
    for (let n = 0; !until(); n += 1) {
      bed.observatory.record(...Array.from({ length: 1000 }, (_, m) => acquired(`${long}${m}`, `u${n}:${m}`)));
      const seq = bed.observatory.history.nextSeq() - 1;
      await soon(() => expect(fast.seq).toBe(seq));
    }
  };

  test('gets fewer events and the number of those left out, ends with the same locks, and does not delay other pages', async () => {
    const fast = await bed.livePage();
    const slow = await bed.livePage({ perMessageDeflate: false }); // its connection fills up sooner
    slow.freeze();
    // The server's end of the connection: full once the kernel's buffer is full.
    const ends = () => [...connections].filter((socket) => socket.writableLength > 0);
    await flood(fast, () => ends().length > 0);
    const queued = ends()[0]?.writableLength ?? 0;
    const before = bed.observatory.history.nextSeq();
    await flood(fast, () => bed.observatory.history.nextSeq() > before + 3000);
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
    bed.server.on('connection', (socket) => connections.add(socket));
  });
});
