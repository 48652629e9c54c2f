import { expect, onTestFinished, test } from 'vitest';
import { type App, connectApp } from '../support/clients/app.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Two sources in one thread: a fault of the first must not end the second. If the fault ends the thread, the second
 * source must end only once.
 */

const PRELOAD = new URL('./fault-threads.mjs', import.meta.url).href;
const LONG_MS = 600_000;
/** With this limit, there is one thread for both. */
const ONE_THREAD = ['--memory', '256mb'];
const [FAULTY, BESIDE] = ['redis-1', 'redis-2'];

type Bed = { readonly faulty: App; readonly beside: App; readonly lockscope: LockscopeProcess };

async function start(): Promise<Bed> {
  const [faultyRedis, besideRedis] = await Promise.all([startRedis(), startRedis()]);
  onTestFinished(async () => void (await Promise.all([faultyRedis.stop(), besideRedis.stop()])));
  const [faulty, beside] = await Promise.all([connectApp(faultyRedis.url), connectApp(besideRedis.url)]);
  onTestFinished(() => {
    faulty.close();
    beside.close();
  });
  const flags = [besideRedis.url, '--observe', 'monitor', ...ONE_THREAD];
  const lockscope = await startLockscopeProcess(faultyRedis.url, flags, {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    LOCKSCOPE_FAULT_PORT: new URL(faultyRedis.url).port,
  });
  onTestFinished(() => lockscope.stop());
  for (const app of [faulty, beside]) await app.acquire('held', { leaseMs: LONG_MS });
  await untilHeld(lockscope, [FAULTY, BESIDE]);
  return { faulty, beside, lockscope };
}

/** Waits until the lock `held` of these sources is shown as held. */
async function untilHeld(lockscope: LockscopeProcess, ids: readonly string[]): Promise<void> {
  await waitFor(`the locks of ${ids}`, async () => {
    const held = (await lockscope.locks()).filter((lock) => lock.held && lock.name === 'held');
    return ids.every((id) => held.some(({ source }) => source === id));
  });
}

async function blindSpots(lockscope: LockscopeProcess, id: string): Promise<string[]> {
  const events = await lockscope.eventsAfter(0);
  return events.filter(({ source, type }) => source === id && type.startsWith('blind-spot.')).map(({ type }) => type);
}

async function untilWatchedAgain(lockscope: LockscopeProcess, id: string, times: number): Promise<void> {
  await waitFor(`${times} blind spots of ${id} to have ended`, async () => {
    const found = await blindSpots(lockscope, id);
    return found.filter((type) => type === 'blind-spot.ended').length === times;
  });
}

const ONE_BLIND_SPOT = ['blind-spot.began', 'blind-spot.ended'];

test('a fault of one source leaves no blind spot in another source in the same thread', async () => {
  const { beside, lockscope } = await start();
  process.kill(lockscope.pid, 'SIGUSR2');
  let locks = 0;
  await waitFor('the fault, during traffic of the other source', async () => {
    await beside.acquire(`during-${locks++}`, { leaseMs: LONG_MS });
    return (await blindSpots(lockscope, FAULTY)).length > 0;
  });
  await untilWatchedAgain(lockscope, FAULTY, 1);
  await untilHeld(lockscope, [FAULTY, BESIDE]);
  await beside.acquire('last', { leaseMs: LONG_MS });
  const acquired = async () =>
    (await lockscope.eventsAfter(0, { type: 'lock.acquired' })).filter(({ source }) => source === BESIDE);
  await waitFor('the last lock', async () => (await acquired()).some(({ lock }) => lock === 'last'));

  const names = (await acquired()).map(({ lock }) => lock);
  expect(names).toEqual(['held', ...Array.from({ length: locks }, (_, n) => `during-${n}`), 'last']);
  expect(await blindSpots(lockscope, FAULTY)).toEqual(ONE_BLIND_SPOT);
  expect(await blindSpots(lockscope, BESIDE)).toEqual([]);
  expect(lockscope.output()).toContain('a fault of the test');
});

test('if one of two sources takes all memory twice and so ends its thread, the other source is ended only once', async () => {
  const { lockscope } = await start();
  process.kill(lockscope.pid, 'SIGWINCH');
  for (const id of [FAULTY, BESIDE]) await untilWatchedAgain(lockscope, id, 1);
  await untilHeld(lockscope, [FAULTY, BESIDE]);
  process.kill(lockscope.pid, 'SIGWINCH');
  await untilWatchedAgain(lockscope, FAULTY, 2);
  await untilHeld(lockscope, [FAULTY, BESIDE]);
  expect(await blindSpots(lockscope, FAULTY)).toEqual([...ONE_BLIND_SPOT, ...ONE_BLIND_SPOT]);
  expect(await blindSpots(lockscope, BESIDE)).toEqual(ONE_BLIND_SPOT);
});
