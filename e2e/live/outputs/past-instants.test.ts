import { afterAll, beforeAll, expect, test } from 'vitest';
import { locksBody } from '../../../shared/wire/http.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { trendsBody } from '../../../shared/wire/trends.ts';
import { windowBody } from '../../../shared/wire/window.ts';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let redis: RunningRedis;
let lockscope: Lockscope;
let apps: App[];

beforeAll(async () => {
  redis = await startRedis();
  lockscope = await startLockscope(redis.url);
  apps = await Promise.all(Array.from({ length: 4 }, () => connectApp(redis.url)));
});

afterAll(async () => {
  await Promise.all((apps ?? []).map((app) => app.close()));
  await lockscope?.stop();
  await redis?.stop();
});

async function listed(query = ''): Promise<{ at: number; locks: Lock[] }> {
  const { body } = await lockscope.get(`/api/locks?limit=1000${query}`);
  return locksBody.parse(body);
}

/** A lock without the fields that CLIENT LIST or the clock may change later. */
function known({ holders, waiters, ...lock }: Lock): unknown {
  return {
    ...lock,
    holders: holders.map(({ id, letter, since, renewals, expiresAt }) => ({ id, letter, since, renewals, expiresAt })),
    waiters: waiters.map(({ id, letter, since, attempts }) => ({ id, letter, since, attempts })),
  };
}

/** The list of locks, once it contains everything that was done, at an instant without events. */
async function settledList(marker: string): Promise<{ at: number; locks: Lock[] }> {
  const [app] = apps;
  await app?.acquire(marker);
  return waitFor(`${marker} in the list`, async (missing) => {
    const list = await listed();
    if (list.locks.some(({ name, changedAt }) => name === marker && changedAt < list.at)) return list;
    return missing(`${list.locks.length} other locks`);
  });
}

test('the locks at a past instant are those that were listed then, and a window from this instant begins with the same holds', async () => {
  const moments: { at: number; locks: Lock[] }[] = [];
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      apps.map(async (app, index) => {
        for (let n = 0; n < 20; n++) {
          const lock = `orders:${(round * 7 + index * 3 + n) % 12}`;
          await app.acquire(lock);
          if ((n + index + round) % 3 !== 0) await app.release(lock);
        }
      }),
    );
    moments.push(await settledList(`round:${round}`));
  }
  for (const { at, locks } of moments) {
    const then = await listed(`&at=${at}`);
    expect(then.at).toBe(at);
    expect(then.locks.map(known)).toEqual(locks.map(known));
    const held = locks.filter((lock) => lock.held).map(({ name }) => name);
    expect((await listed(`&at=${at}&held=true`)).locks.map(({ name }) => name)).toEqual(held);
    const window = windowBody.parse((await lockscope.get(`/api/window?from=${at}&limit=1`)).body);
    const busy = window.locks.filter(({ holders }) => holders.length > 0).map(({ name }) => name);
    expect(busy.sort()).toEqual(held.sort());
  }
});

test('an instant before the memory is refused with the oldest instant in memory, and a future instant is refused too', async () => {
  const { body, status } = await lockscope.get('/api/locks?at=1');
  expect(status).toBe(410);
  expect(body).toMatchObject({ error: { code: 'forgotten', values: { oldestAt: expect.any(Number) } } });
  const { oldestAt } = (body as { error: { values: { oldestAt: number } } }).error.values;
  expect((await lockscope.get(`/api/locks?at=${oldestAt}`)).status).toBe(200);
  expect((await lockscope.get(`/api/locks?at=${oldestAt - 1}`)).status).toBe(410);
  const future = await lockscope.get(`/api/locks?at=${Date.now() * 1000 + 60_000_000}`);
  expect(future).toMatchObject({ status: 400, body: { error: { field: 'at' } } });
});

test('trends count every refusal that the events have, and a figure is missing only in bins that were not watched', async () => {
  const readTrends = async () => trendsBody.parse((await lockscope.get('/api/trends?bins=300')).body);
  // A bin counts as watched only if it was watched to its end. Until then, the whole test may lie within one bin.
  await waitFor('a bin that was watched', async () => (await readTrends()).bins.some(({ seen }) => seen === 'watched'));
  const trends = await readTrends();
  const events = await lockscope.eventsAfter(0);
  const refusals = trends.bins.reduce((sum, bin) => sum + (bin.refusals ?? 0), 0);
  expect(refusals).toBe(events.filter(({ type }) => type === 'lock.refused').length);
  expect(refusals).toBeGreaterThan(0);
  expect(trends.bins.filter(({ seen }) => seen === 'watched').length).toBeGreaterThan(0);
  for (const { seen, waiters } of trends.bins)
    expect(waiters === null).toBe(seen === 'forgotten' || seen === 'unwatched');
});
