import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthBody } from '../../shared/wire/http.ts';
import { PrivatePostgres } from '../store/testing/private-postgres.ts';
import { json, LONG, linesOf, locksAt, useFleetBed, written } from './testing/fleet-bed.ts';

let postgres: PrivatePostgres;

beforeEach(async () => {
  postgres = await PrivatePostgres.start();
});
afterEach(() => postgres.stop());
// The programs of the bed end first: hooks after a test run in reverse order.
const bed = useFleetBed();

const stored = () => ({ LOCKSCOPE_STORE: postgres.url() });
const storeWriter = () => bed.part(['store'], stored());
const viewer = () => bed.part(['view', '--port', '0', '--no-open'], stored());

/** Run and lines of each block in the database. */
async function storedLines(): Promise<string[]> {
  return linesOf(await postgres.sql('SELECT run, first_seq, last_seq FROM blocks ORDER BY run, first_seq'));
}

async function allStored(): Promise<void> {
  await vi.waitFor(async () => expect(await storedLines()).toEqual(await bed.linesOnBus()), LONG);
}

test('after kills of the storing process and of the database, the database has each line of the bus once', async () => {
  const watching = bed.observer();
  await written(watching, 'out', '(active)');
  for (let n = 0; n < 3; n++) {
    const writer = storeWriter();
    await written(writer, 'out', 'lockscope stores');
    await bed.lockSome(100);
    if (n > 0) {
      await postgres.crash();
      await bed.lockSome(100);
      await written(writer, 'err', 'Nothing is stored now');
      await postgres.go();
      if (n === 1) await allStored();
    }
    await writer.kill();
  }
  const [first, second] = [storeWriter(), storeWriter()];
  await watching.end('SIGTERM'); // writes what is left
  await allStored();
  expect((await bed.linesOnBus()).length).toBeGreaterThan(3);
  // one of them writes, and the other one waits for its lease
  expect([first, second].filter(({ out }) => out.includes('lockscope stores'))).toHaveLength(1);
});

test('two viewers show the past beside the writing process, and one still answers while the database is unavailable', async () => {
  const watching = bed.observer();
  const writer = storeWriter();
  await written(writer, 'out', 'lockscope stores');
  await written(watching, 'err', 'observing at level monitor');
  await bed.app.call('SET', 'lock:orders', 'token-0123456789abcdef-1', 'NX', 'PX', 600_000);
  await bed.lockSome(20);
  const early = viewer();
  const heldAt = async (page: string, at?: number) =>
    (await locksAt(page, at)).locks.find(({ name }) => name === 'lock:orders')?.held;
  const first = await early.ready();
  await vi.waitFor(async () => expect(await heldAt(first)).toBe(true), LONG);
  const { at } = await locksAt(first);
  await allStored();
  await bed.app.call('DEL', 'lock:orders');
  await bed.lockSome(20);
  await allStored();

  // the bus loses everything: only the database has the past
  await bed.loseBlocks();
  const pages = await Promise.all([viewer().ready(), viewer().ready()]);
  for (const page of pages) await vi.waitFor(async () => expect(await heldAt(page, at)).toBe(true), LONG);

  await postgres.pause();
  const [page = ''] = pages;
  await vi.waitFor(async () => {
    const { store, status } = healthBody.parse(await json(`${page}/sources/one/api/health`));
    expect([status, store?.problem?.code]).toEqual(['degraded', 'store-unreadable']);
  }, LONG);
  await bed.lockSome(1);
  expect((await fetch(`${page}/sources/one/api/locks`)).status).toBe(200);
  await postgres.go();
  await vi.waitFor(async () => {
    const { store } = healthBody.parse(await json(`${page}/sources/one/api/health`));
    expect(store?.problem).toBeUndefined();
  }, LONG);
  expect(await heldAt(page, at)).toBe(true);
});

test('a viewer that begins after the bus lost lines shows from the database what was held', async () => {
  const watching = bed.observer();
  await written(storeWriter(), 'out', 'lockscope stores');
  await written(watching, 'err', 'observing at level monitor');
  await bed.app.call('SET', 'lock:orders', 'token-0123456789abcdef-1', 'NX', 'PX', 600_000);
  await bed.lockSome(20);
  await vi.waitFor(async () => expect(await bed.linesOnBus()).not.toEqual([]), LONG);
  await allStored();
  const before = (await storedLines()).length;
  await bed.loseBlocks();
  await bed.lockSome(20);
  await vi.waitFor(async () => expect((await storedLines()).length).toBeGreaterThan(before), LONG);

  const page = await viewer().ready();
  const { to } = (await postgres.sql('SELECT max(to_at) AS to FROM blocks'))[0] as { to: number };
  await vi.waitFor(async () => {
    const { store } = healthBody.parse(await json(`${page}/sources/one/api/health`));
    expect(store?.to).toBe(Number(to)); // the viewer asks every 5 s how far the store reaches
  }, LONG);
  const { locks } = await locksAt(page, Number(to));
  expect(locks.find(({ name }) => name === 'lock:orders')).toMatchObject({ held: true });
});
