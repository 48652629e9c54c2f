import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { Bus } from '../bus/bus.ts';
import { type BlockEntry, fieldsOfEntry, fieldsOfState, type StreamEntry } from '../bus/bus-entry.ts';
import { blocksKey, SOURCES_KEY, statesKey } from '../bus/bus-keys.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { DatabaseError } from '../store/database.ts';
import type { StoreLink } from '../store/store-link.ts';
import { linkHere } from '../store/testing/link-here.ts';
import { BusStore } from './bus-store.ts';

const NAME = 'one';
const SECOND = 1_000_000;
const BEGAN = 1_700_000_000 * SECOND;

let redis: LocalRedis;
let bus: Bus;
let folder = '';

beforeAll(async () => {
  redis = await startLocalRedis();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-bus-store-'));
  const url = parseRedisUrl(redis.url);
  if (!url.ok) throw new Error(url.error);
  bus = new Bus(url.value);
  await bus.connection.whenReady(10_000);
  await bus.connection.call('FLUSHALL');
  await bus.connection.call('ZADD', SOURCES_KEY, 1, NAME);
});
afterEach(() => {
  bus.close();
  rmSync(folder, { recursive: true });
});
afterAll(() => redis?.stop());

/** One event for each line. */
function block(run: number, first: number, last: number): BlockEntry {
  const [from, to] = [BEGAN + first * SECOND, BEGAN + last * SECOND];
  const lines = Array.from({ length: last - first + 1 }, (_, n) => {
    const about = { seq: first + n, at: BEGAN + (first + n) * SECOND, source: 'redis', db: 0, certainty: 'observed' };
    return JSON.stringify({ ...about, lock: 'a', kind: 'lock', type: 'lock.acquired', holder: `u:${first + n}` });
  });
  return { kind: 'block', run, first, last, from, to, event: last + 1, bytes: gzipSync(`${lines.join('\n')}\n`) };
}

async function add(entry: StreamEntry): Promise<void> {
  await bus.add(blocksKey(NAME), { run: entry.run, seq: entry.last }, fieldsOfEntry(entry));
}

async function openStore(): Promise<StoreLink> {
  const link = await linkHere({ path: join(folder, 'a.store'), retainMs: 1e15, mostBytes: 1e15 });
  if (!link.ok) throw new Error(link.error);
  return link.value;
}

/** Stores what is on the bus until the newest line is there, as one process does. */
async function store(run: number, seq: number, warn = vi.fn()): Promise<readonly string[]> {
  const link = await openStore();
  const end = new AbortController();
  const written = new BusStore(bus, link, warn).run(end.signal);
  await vi.waitFor(async () => {
    const { reach } = await link.ask({ ask: 'facts' });
    expect(reach).toMatchObject([{ source: NAME, run, seq }]);
  });
  end.abort();
  await written;
  await link.close();
  return warn.mock.calls.map(([line]) => String(line));
}

/** The kinds of parts that the store has, and the numbers of its events. */
async function stored(): Promise<{ kinds: string; seqs: number[] }> {
  const link = await openStore();
  const range = await link.ask({ ask: 'read', query: { source: NAME, from: BEGAN, to: BEGAN + 1e12, most: 1e6 } });
  await link.close();
  const parts = range?.parts ?? [];
  const lines = parts.flatMap((part) => (part.kind === 'block' ? part.text.trim().split('\n') : []));
  const seqs = lines.map((line) => (JSON.parse(line) as { seq: number }).seq);
  return { kinds: parts.map(({ kind }) => kind).join(' '), seqs };
}

test('each block is stored once, even if the storing process restarts', async () => {
  for (const [first, last] of [
    [1, 3],
    [4, 4],
    [5, 9],
  ] as const)
    await add(block(5, first, last));
  expect(await store(5, 9)).toEqual([]);
  await add(block(5, 10, 12));
  await add(block(8, 1, 2));
  expect(await store(8, 2)).toEqual([]);
  const { kinds, seqs } = await stored();
  expect(kinds).toBe('run block block block block run block end');
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2]);
});

test('lines that the bus dropped before they were read are a gap until the next state', async () => {
  await add(block(5, 1, 3));
  await store(5, 3);
  await add(block(5, 4, 6));
  await bus.connection.call('XTRIM', blocksKey(NAME), 'MAXLEN', '=', '0');
  await add(block(5, 7, 8));
  const state = { run: 5, seq: 8, at: BEGAN + 8 * SECOND, event: 9, bytes: gzipSync('state\n') };
  await bus.add(statesKey(NAME), state, fieldsOfState(state));
  const lines = await store(5, 8);
  expect(lines).toEqual(['one: lines 4 to 6 of run 5 are not stored: the bus dropped them before.']);
  expect((await stored()).kinds).toBe('run block run block checkpoint end');
});

test('lines that never reached the bus are a gap in the store, and a warning names them', async () => {
  await add(block(5, 1, 3));
  await add({ ...block(5, 4, 6), kind: 'gap', reason: 'bus-gone', state: 8 });
  await add(block(5, 7, 8));
  expect(await store(5, 8)).toEqual(['one: lines 4 to 6 of run 5 never reached the bus.']);
  expect((await stored()).kinds).toBe('run block run block end');
});

test('lines that the bus dropped are reported too if the next entry is a gap', async () => {
  await add(block(5, 1, 3));
  await store(5, 3);
  await add(block(5, 4, 6));
  await bus.connection.call('XTRIM', blocksKey(NAME), 'MAXLEN', '=', '0');
  await add({ ...block(5, 7, 8), kind: 'gap', reason: 'bus-gone', state: 10 });
  await add(block(5, 9, 10));
  expect(await store(5, 10)).toEqual([
    'one: lines 4 to 6 of run 5 are not stored: the bus dropped them before.',
    'one: lines 7 to 8 of run 5 never reached the bus.',
  ]);
});

/** Puts the same block of several sources on the bus, and begins to store them. */
async function storeSeveral(names: readonly string[], link: StoreLink) {
  for (const name of names) {
    await bus.connection.call('ZADD', SOURCES_KEY, 1, name);
    await bus.add(blocksKey(name), { run: 5, seq: 3 }, fieldsOfEntry(block(5, 1, 3)));
  }
  const end = new AbortController();
  return { end, written: new BusStore(bus, link, vi.fn()).run(end.signal) };
}

const sourcesIn = async (link: StoreLink) => (await link.ask({ ask: 'facts' })).reach.map(({ source }) => source);

test('blocks of several sources are stored in one transaction', async () => {
  const names = [NAME, 'three', 'two'];
  const link = await openStore();
  const ask = vi.spyOn(link, 'ask');
  const { end, written } = await storeSeveral(names, link);
  await vi.waitFor(async () => expect([...(await sourcesIn(link))].sort()).toEqual(names));
  end.abort();
  await written;
  expect(ask.mock.calls.filter(([{ ask: what }]) => what === 'write')).toHaveLength(1);
  await link.close();
});

test('a source that cannot be stored does not keep those before it from being stored', async () => {
  const link = await openStore();
  const asked = link.ask.bind(link);
  vi.spyOn(link, 'ask').mockImplementation((question) => {
    const isRefused = question.ask === 'write' && question.batch.packed?.blocks.some(({ source }) => source === 'two');
    return isRefused
      ? Promise.reject(new DatabaseError('in-use', 'another Lockscope writes two there'))
      : asked(question);
  });
  const { end, written } = await storeSeveral([NAME, 'three', 'two'], link);
  await vi.waitFor(async () => expect([...(await sourcesIn(link))].sort()).toEqual([NAME, 'three']));
  end.abort();
  await written;
  await link.close();
});
