import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { fleetBody } from '../../shared/wire/fleet/fleet.ts';
import { healthBody } from '../../shared/wire/http.ts';
import { Bus } from '../bus/bus.ts';
import { entryFrom } from '../bus/bus-entry.ts';
import { blocksKey } from '../bus/bus-keys.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { openSqlite } from '../store/sqlite.ts';
import { Program } from '../testing/program.ts';

const LONG = { timeout: 60_000, interval: 100 };
const running: Program[] = [];
let watched: LocalRedis;
let busServer: LocalRedis;
let app: CommandConnection;
let folder = '';
let file = '';

beforeEach(async () => {
  [watched, busServer] = await Promise.all([startLocalRedis(), startLocalRedis()]);
  app = openCommandConnection({ url: watched.url });
  await app.whenReady(10_000);
  folder = mkdtempSync(join(tmpdir(), 'lockscope-fleet-'));
  file = join(folder, 'fleet.store');
});

afterEach(async () => {
  for (const program of running.splice(0)) await program.kill();
  app.close();
  await Promise.all([watched.stop(), busServer.stop()]);
  rmSync(folder, { recursive: true });
});

function start(...words: string[]): Program {
  const program = new Program([...words, '--bus', busServer.url]);
  running.push(program);
  return program;
}

const observer = () => start('observe', watched.url, '--observe', 'monitor', '--as', 'one');

async function lockSome(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await app.call('SET', `lock:${n}`, `token-0123456789abcdef-${n}`, 'NX', 'PX', 600_000);
    await app.call('DEL', `lock:${n}`);
  }
}

/** Run and lines of each block in the file. */
async function storedLines(): Promise<string[]> {
  const database = await openSqlite(file);
  if (!database.ok) throw new Error('the store cannot be opened');
  const rows = database.value.all('SELECT run, first_seq, last_seq FROM blocks ORDER BY run, first_seq');
  database.value.close();
  return rows.map((row) => `${row.run} ${row.first_seq}-${row.last_seq}`);
}

async function linesOnBus(): Promise<string[]> {
  const url = parseRedisUrl(busServer.url);
  if (!url.ok) throw new Error(url.error);
  const bus = new Bus(url.value);
  await bus.connection.whenReady(10_000);
  const entries = (await bus.range(blocksKey('one'), '-', 10_000)).flatMap((raw) => entryFrom(raw) ?? []);
  bus.close();
  return entries.map(({ run, first, last }) => `${run} ${first}-${last}`);
}

test('a store that is killed again and again has each line of the bus once', async () => {
  const watching = observer();
  await vi.waitFor(() => expect(watching.out).toContain('(active)'), LONG);
  for (let n = 0; n < 4; n++) {
    const store = start('store', '--store', file);
    await vi.waitFor(() => expect(store.out).toContain('lockscope stores'), LONG);
    await lockSome(100);
    await store.kill();
  }
  await watching.end('SIGTERM'); // writes what is left
  const store = start('store', '--store', file);
  await vi.waitFor(() => expect(store.out).toContain('lockscope stores'), LONG);
  const expected = await linesOnBus();
  expect(expected.length).toBeGreaterThan(4);
  await store.end('SIGTERM');
  await vi.waitFor(async () => expect(await storedLines()).toEqual(expected), LONG);
});

test('a viewer with a store shows what happened before its memory begins', async () => {
  const watching = observer();
  await vi.waitFor(() => expect(watching.err).toContain('observing at level monitor'), LONG);
  const first = start('view', '--store', file, '--port', '0', '--no-open');
  const json = async (path: string): Promise<unknown> => (await fetch(path)).json();
  let seen = await first.ready();
  await app.call('SET', 'lock:orders', 'token-0123456789abcdef-1', 'NX', 'PX', 600_000);
  const locksOf = async (at?: number) => {
    const query = at === undefined ? '' : `?at=${at}`;
    return (await json(`${seen}/sources/one/api/locks${query}`)) as {
      at: number;
      locks: { name: string; held: boolean }[];
    };
  };
  await vi.waitFor(
    async () => expect((await locksOf()).locks).toMatchObject([{ name: 'lock:orders', held: true }]),
    LONG,
  );
  const { at } = await locksOf();
  const newestStored = async () => {
    const { store } = healthBody.parse(await json(`${seen}/sources/one/api/health`));
    return store;
  };
  await vi.waitFor(async () => expect((await newestStored())?.from).toBeGreaterThan(0), LONG);
  await app.call('DEL', 'lock:orders');
  await vi.waitFor(
    async () => expect((await locksOf()).locks).toMatchObject([{ name: 'lock:orders', held: false }]),
    LONG,
  );
  await lockSome(50);
  await first.end('SIGTERM');
  // the bus loses everything: only the file has the past
  const admin = openCommandConnection({ url: busServer.url });
  await admin.whenReady(10_000);
  await admin.call('DEL', blocksKey('one'));
  admin.close();
  const second = start('view', '--store', file, '--port', '0', '--no-open');
  seen = await second.ready();
  await vi.waitFor(async () => expect(fleetBody.parse(await json(`${seen}/api/fleet`)).sources).toHaveLength(1), LONG);
  await vi.waitFor(
    async () => expect((await locksOf(at)).locks).toMatchObject([{ name: 'lock:orders', held: true }]),
    LONG,
  );
});
