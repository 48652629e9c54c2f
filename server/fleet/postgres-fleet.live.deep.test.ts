import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { healthBody } from '../../shared/wire/http.ts';
import { Bus } from '../bus/bus.ts';
import { entryFrom } from '../bus/bus-entry.ts';
import { blocksKey } from '../bus/bus-keys.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { PrivatePostgres } from '../store/testing/private-postgres.ts';
import { Program } from '../testing/program.ts';

const LONG = { timeout: 60_000, interval: 100 };
const running: Program[] = [];
let watched: LocalRedis;
let busServer: LocalRedis;
let postgres: PrivatePostgres;
let app: CommandConnection;

beforeEach(async () => {
  [watched, busServer, postgres] = await Promise.all([startLocalRedis(), startLocalRedis(), PrivatePostgres.start()]);
  app = openCommandConnection({ url: watched.url });
  await app.whenReady(10_000);
});

afterEach(async () => {
  for (const program of running.splice(0)) await program.kill();
  app.close();
  await Promise.all([watched.stop(), busServer.stop(), postgres.stop()]);
});

function start(...words: string[]): Program {
  const program = new Program([...words, '--bus', busServer.url], { LOCKSCOPE_STORE: postgres.url() });
  running.push(program);
  return program;
}

const observer = () => start('observe', watched.url, '--observe', 'monitor', '--as', 'one');
const viewer = () => start('view', '--port', '0', '--no-open');

async function lockSome(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await app.call('SET', `lock:${n}`, `token-0123456789abcdef-${n}`, 'NX', 'PX', 600_000);
    await app.call('DEL', `lock:${n}`);
  }
}

/** Run and lines of each block in the database. */
async function storedLines(): Promise<string[]> {
  const rows = await postgres.sql('SELECT run, first_seq, last_seq FROM blocks ORDER BY run, first_seq');
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

async function allStored(): Promise<void> {
  await vi.waitFor(async () => expect(await storedLines()).toEqual(await linesOnBus()), LONG);
}

test('whatever is killed, the database has each line of the bus once', async () => {
  const watching = observer();
  await vi.waitFor(() => expect(watching.out).toContain('(active)'), LONG);
  for (let n = 0; n < 3; n++) {
    const writer = start('store');
    await vi.waitFor(() => expect(writer.out).toContain('lockscope stores'), LONG);
    await lockSome(100);
    if (n > 0) {
      await postgres.crash();
      await lockSome(100);
      await vi.waitFor(() => expect(writer.err).toContain('Nothing is stored now'), LONG);
      await postgres.go();
      if (n === 1) await allStored();
    }
    await writer.kill();
  }
  const [first, second] = [start('store'), start('store')];
  await watching.end('SIGTERM'); // writes what is left
  await allStored();
  expect((await linesOnBus()).length).toBeGreaterThan(3);
  // one of them writes, and the other one waits for its lease
  expect([first, second].filter(({ out }) => out.includes('lockscope stores'))).toHaveLength(1);
});

test('two viewers show the past beside the writer, and live pages go on while the database is gone', async () => {
  const watching = observer();
  const writer = start('store');
  await vi.waitFor(() => expect(writer.out).toContain('lockscope stores'), LONG);
  await vi.waitFor(() => expect(watching.err).toContain('observing at level monitor'), LONG);
  await app.call('SET', 'lock:orders', 'token-0123456789abcdef-1', 'NX', 'PX', 600_000);
  await lockSome(20);
  const json = async (path: string): Promise<unknown> => (await fetch(path)).json();
  const early = viewer();
  const locksOf = async (page: string, at?: number) => {
    const query = at === undefined ? '' : `?at=${at}`;
    return (await json(`${page}/sources/one/api/locks${query}`)) as {
      at: number;
      locks: { name: string; held: boolean }[];
    };
  };
  const heldAt = async (page: string, at?: number) =>
    (await locksOf(page, at)).locks.find(({ name }) => name === 'lock:orders')?.held;
  const first = await early.ready();
  await vi.waitFor(async () => expect(await heldAt(first)).toBe(true), LONG);
  const { at } = await locksOf(first);
  await allStored();
  await app.call('DEL', 'lock:orders');
  await lockSome(20);
  await allStored();

  // the bus loses everything: only the database has the past
  const admin = openCommandConnection({ url: busServer.url });
  await admin.whenReady(10_000);
  await admin.call('DEL', blocksKey('one'));
  admin.close();
  const pages = await Promise.all([viewer().ready(), viewer().ready()]);
  for (const page of pages) await vi.waitFor(async () => expect(await heldAt(page, at)).toBe(true), LONG);

  await postgres.pause();
  const [page = ''] = pages;
  await vi.waitFor(async () => {
    const { store, status } = healthBody.parse(await json(`${page}/sources/one/api/health`));
    expect([status, store?.problem?.code]).toEqual(['degraded', 'store-unreadable']);
  }, LONG);
  await lockSome(1);
  expect((await fetch(`${page}/sources/one/api/locks`)).status).toBe(200);
  await postgres.go();
  await vi.waitFor(async () => {
    const { store } = healthBody.parse(await json(`${page}/sources/one/api/health`));
    expect(store?.problem).toBeUndefined();
  }, LONG);
  expect(await heldAt(page, at)).toBe(true);
});
