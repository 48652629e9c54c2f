import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fleetBody } from '../../shared/wire/fleet/fleet.ts';
import { healthBody } from '../../shared/wire/http.ts';
import { openSqlite } from '../store/sqlite.ts';
import { json, LONG, linesOf, locksAt, useFleetBed, written } from './testing/fleet-bed.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-fleet-'));
  file = join(folder, 'fleet.store');
});
afterEach(() => rmSync(folder, { recursive: true }));
// The programs of the bed end first: hooks after a test run in reverse order.
const bed = useFleetBed();

const writer = () => bed.part(['store', '--store', file]);
const viewer = () => bed.viewer('--store', file);

/** Run and lines of each block in the file. */
async function storedLines(): Promise<string[]> {
  const database = await openSqlite(file);
  if (!database.ok) throw new Error('the store cannot be opened');
  const rows = database.value.all('SELECT run, first_seq, last_seq FROM blocks ORDER BY run, first_seq');
  database.value.close();
  return linesOf(rows);
}

test('a storing process that is killed four times stores each line of the bus once', async () => {
  const watching = bed.observer();
  await written(watching, 'out', '(active)');
  for (let n = 0; n < 4; n++) {
    const store = writer();
    await written(store, 'out', 'lockscope stores');
    await bed.lockSome(100);
    await store.kill();
  }
  await watching.end('SIGTERM'); // writes what is left
  const store = writer();
  await written(store, 'out', 'lockscope stores');
  const expected = await bed.linesOnBus();
  expect(expected.length).toBeGreaterThan(4);
  await store.end('SIGTERM');
  await vi.waitFor(async () => expect(await storedLines()).toEqual(expected), LONG);
});

test('a viewer with a store shows what happened before its memory begins', async () => {
  const watching = bed.observer();
  await written(watching, 'err', 'observing at level monitor');
  const first = viewer();
  let seen = await first.ready();
  await bed.app.call('SET', 'lock:orders', 'token-0123456789abcdef-1', 'NX', 'PX', 600_000);
  const locksOf = (at?: number) => locksAt(seen, at);
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
  await bed.app.call('DEL', 'lock:orders');
  await vi.waitFor(
    async () => expect((await locksOf()).locks).toMatchObject([{ name: 'lock:orders', held: false }]),
    LONG,
  );
  await bed.lockSome(50);
  await first.end('SIGTERM');
  // the bus loses everything: only the file has the past
  await bed.loseBlocks();
  const second = viewer();
  seen = await second.ready();
  await vi.waitFor(async () => expect(fleetBody.parse(await json(`${seen}/api/fleet`)).sources).toHaveLength(1), LONG);
  await vi.waitFor(
    async () => expect((await locksOf(at)).locks).toMatchObject([{ name: 'lock:orders', held: true }]),
    LONG,
  );
});
