import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthBody, locksBody } from '../../../shared/wire/http.ts';
import { windowBody } from '../../../shared/wire/window.ts';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let folder = '';
let redis: RunningRedis;
let app: App;
let lockscope: LockscopeProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-store-'));
  redis = await startRedis();
  app = await connectApp(redis.url);
});

afterAll(async () => {
  await app?.close();
  await lockscope?.stop();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = () => startLockscopeProcess(redis.url, ['--observe', 'monitor', '--store', join(folder, 'a.store')]);

test('after a kill, the events in the store are kept, and the time until the next start is shown as not watched', async () => {
  lockscope = await start();
  const first = lockscope;
  await app.acquire('kept');
  const work = async () => {
    for (let n = 0; n < 60; n++) {
      await app.acquire(`orders:${n % 10}`);
      await app.release(`orders:${n % 10}`);
    }
  };
  await work();
  const newest = await waitFor('the last release to be reported', async (missing) => {
    const events = await first.eventsAfter(0);
    const released = events.filter(({ type }) => type === 'lock.released');
    return released[59] ?? missing(`${released.length} releases`);
  });
  await waitFor('all of it in the file', async (missing) => {
    const { store } = healthBody.parse((await first.get('/api/health')).body);
    return (store?.to ?? 0) >= newest.at ? true : missing(JSON.stringify(store));
  });
  await work();
  const events = await first.eventsAfter(0);
  process.kill(first.pid, 'SIGKILL');

  lockscope = await start();
  const at = events.findLast(({ lock, type }) => lock === 'orders:5' && type === 'lock.acquired')?.at ?? 0;
  const then = locksBody.parse((await lockscope.get(`/api/locks?at=${events[20]?.at}`)).body);
  expect(then.locks.find(({ name }) => name === 'kept')).toMatchObject({ held: true });
  expect(at).toBeGreaterThan(0);

  const window = await waitFor('the end of the gap in the store', async (missing) => {
    const { body } = (await lockscope?.get(`/api/window?from=${events[0]?.at}&limit=5000`)) ?? {};
    const read = windowBody.parse(body);
    return read.events.some(({ type }) => type === 'blind-spot.ended') ? read : missing(`${read.events.length} events`);
  });
  const gap = window.events.find((event) => event.type === 'blind-spot.began' && event.reason === 'not-running');
  const stored = window.events.filter(({ seq }) => seq < (gap?.seq ?? 0));
  expect(stored).toEqual(events.slice(0, stored.length));
  expect(stored.length).toBeGreaterThanOrEqual(events.findIndex(({ seq }) => seq === newest.seq) + 1);
  expect(gap?.at).toBeGreaterThan(stored.at(-1)?.at ?? Number.POSITIVE_INFINITY);
  expect(window.events.find(({ type }) => type === 'blind-spot.ended')).toMatchObject({ from: gap?.at });
});

test('a second Lockscope does not open the same store', async () => {
  await expect(start()).rejects.toThrow('another program has that file open, probably another Lockscope');
});

test('a store is not used for another database under the same source', async () => {
  await lockscope?.stop();
  const other = startLockscopeProcess(`${redis.url}/5`, ['--store', join(folder, 'a.store')]);
  await expect(other).rejects.toThrow(`that file has the locks of ${redis.url} as source redis`);
});
