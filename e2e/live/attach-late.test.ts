import { afterEach, expect, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { type DemoProcess, startDemoProcess } from '../support/clients/demo-process.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import { startLockscopeProcess } from '../support/clients/lockscope-process.ts';
import { cpuSlowdown } from '../support/cpu-slowdown.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const WATCHDOG_MS = 9000;
/** Two reads of the end of a lease may be this far apart. */
const SAME_END_MS = 3000;
/** So long that no renewal comes before the first snapshot, however slow the machine is. */
const NO_RENEWAL_MS = 1_800_000;
const FIRST_ANSWER_MS = 5000;
const LOCK = 'long-since:held';
let redis: RunningRedis;
let lockscope: Lockscope | undefined;
let clients: DemoProcess[] = [];

afterEach(async () => {
  await Promise.all(clients.map((client) => client.kill()));
  clients = [];
  await lockscope?.stop();
  lockscope = undefined;
  await redis.stop();
});

async function client(name: string, watchdogMs: number): Promise<DemoProcess> {
  const started = await startDemoProcess({ name, redisUrl: redis.url, threads: 3, watchdogMs });
  clients.push(started);
  return started;
}

/** One client holds the lock twice, another one is asleep in its queue. */
async function heldAndWaitedFor(watchdogMs = WATCHDOG_MS): Promise<{ holder: DemoProcess; waiter: DemoProcess }> {
  redis = await startRedis();
  const [holder, waiter] = [await client('holder', watchdogMs), await client('waiter', watchdogMs)];
  await holder.ask({ thread: 1, action: 'lock', lock: LOCK });
  await holder.ask({ thread: 1, action: 'lock', lock: LOCK });
  void waiter.ask({ thread: 2, action: 'lock', lock: LOCK });
  await waitFor('the waiter to sleep', () => waiter.told.some((told) => 'attempt' in told && told.attempt === 2));
  return { holder, waiter };
}

test.each(['monitor', 'events', 'snapshot'])(
  'level %s: a lock held before watching began is shown within 5 s, with count and expiry',
  async (level) => {
    const { holder } = await heldAndWaitedFor(NO_RENEWAL_MS);
    const paceBefore = await cpuSlowdown();
    const started = performance.now();
    lockscope = await startLockscopeProcess(redis.url, ['--observe', level]);
    const lock = await waitFor('the lock', async () => lockscope?.lock(LOCK));
    const tookMs = performance.now() - started;
    expect(tookMs).toBeLessThan(FIRST_ANSWER_MS * Math.max(paceBefore, await cpuSlowdown()));
    expect(lock).toMatchObject({ held: true, db: 0, kind: 'lock', subscribers: 1 });
    expect(lock.holders).toMatchObject([{ id: `${holder.uuid}:1`, client: holder.uuid, thread: '1', holdCount: 2 }]);
    expect(lock.holders[0]?.since).toBeNull(); // its beginning was not seen
    const leftMs = Number(await redis.command('PTTL', LOCK));
    expect(Math.abs((lock.lease.expiresAt ?? 0) / 1000 - Date.now() - leftMs)).toBeLessThan(SAME_END_MS);
  },
);

test('a waiter from before watching began is known after its next attempt, and so is the cause of its acquisition', async () => {
  const { holder, waiter } = await heldAndWaitedFor();
  lockscope = await startLockscopeProcess(redis.url);
  await waitFor('the lock', async () => lockscope?.lock(LOCK));
  const lock = await waitFor('the waiter to be known', async () => {
    const seen = await lockscope?.lock(LOCK);
    return seen?.waiters.length === 1 && seen;
  });
  expect(lock.waiters).toMatchObject([{ id: `${waiter.uuid}:2`, presumedGone: false }]);
  for (const _ of [1, 2]) await holder.ask({ thread: 1, action: 'unlock', lock: LOCK });
  const events = await waitFor('the waiter to acquire', async () => {
    const all = await lockscope?.eventsAfter(0, { lock: LOCK });
    return all?.some((event) => event.type === 'lock.acquired') && all;
  });
  const acquired = events.find((event) => event.type === 'lock.acquired');
  const published = events.find((event) => event.type === 'wakeup.published');
  expect(acquired).toMatchObject({ holder: `${waiter.uuid}:2`, holdCount: 1, because: [published?.seq] });
  expect(events.filter((event) => event.type === 'drift.healed')).toEqual([]);
});

test('hold counts continue from the counts in the first snapshot', async () => {
  const { holder } = await heldAndWaitedFor(NO_RENEWAL_MS);
  lockscope = await startLockscopeProcess(redis.url);
  await waitFor('the lock', async () => lockscope?.lock(LOCK));
  await holder.ask({ thread: 1, action: 'lock', lock: LOCK });
  await holder.ask({ thread: 1, action: 'unlock', lock: LOCK });
  const events = await waitFor('both to be told', async () => {
    const all = await lockscope?.eventsAfter(0, { lock: LOCK });
    return all?.some((event) => event.type === 'lock.partially-released') && all;
  });
  expect(events[0]).toMatchObject({ type: 'lock.found', holders: [{ holder: `${holder.uuid}:1`, holdCount: 2 }] });
  expect(events.find((event) => event.type === 'lock.reentered')).toMatchObject({ holdCount: 3 });
  expect(events.find((event) => event.type === 'lock.partially-released')).toMatchObject({ holdCount: 2 });
});

test('hashes that only look a little like locks are not shown as locks', async () => {
  redis = await startRedis();
  const app = await connectApp(redis.url);
  await app.command('HSET', 'a-user', 'name', 'Ada', 'visits', '3');
  await app.command('HSET', 'half-a-lock', app.holder(), '1', 'owner', 'x');
  await app.command('HSET', 'no-count', app.holder(), 'many');
  await app.command('HSET', 'a-lock', app.holder(), '1');
  lockscope = await startLockscopeProcess(redis.url);
  await waitFor('the lock', async () => lockscope?.lock('a-lock'));
  expect((await lockscope.locks()).map(({ name }) => name)).toEqual(['a-lock']);
  await app.close();
});

test('a free fair lock is found by the waiters in its queue, even dead ones', async () => {
  redis = await startRedis();
  const waiter = '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62';
  const deadline = Date.now() + 300_000;
  await redis.command('RPUSH', 'redisson_lock_queue:{jobs}', waiter);
  await redis.command('ZADD', 'redisson_lock_timeout:{jobs}', String(deadline), waiter);
  lockscope = await startLockscopeProcess(redis.url, ['--match', 'jobs']);
  const lock = await waitFor('the fair lock', async () => lockscope?.lock('jobs'));
  expect(lock).toMatchObject({ kind: 'fair-lock', held: false, waiters: [{ id: waiter, position: 1 }] });
  const [queued] = await lockscope.eventsAfter(0, { lock: 'jobs' });
  expect(queued).toMatchObject({ type: 'waiter.queued', certainty: 'inferred', deadline: deadline * 1000 });
});

test('a lock with hundreds of readers is found with all of them', async () => {
  redis = await startRedis();
  const app = await connectApp(redis.url);
  const readers = Array.from({ length: 300 }, (_, n) => app.holder(n + 1));
  await app.command('HSET', 'catalog', 'mode', 'read', ...readers.flatMap((reader) => [reader, '1']));
  await app.command('PEXPIRE', 'catalog', '3600000');
  lockscope = await startLockscopeProcess(redis.url, ['--observe', 'events']);
  const lock = await waitFor('the lock', async () => lockscope?.lock('catalog'));
  expect(lock.kind).toBe('read-write-lock');
  expect(new Set(lock.holders.map(({ id }) => id))).toEqual(new Set(readers));
  await app.close();
});

test('among many keys, the source reports the progress of the first scan, which finds the lock', async () => {
  redis = await startRedis();
  const app = await connectApp(redis.url);
  await app.command('EVAL', `for n = 1, 150000 do redis.call('set', 'user:' .. n, 'x') end`, '0');
  await app.acquire('held-before', { leaseMs: 600_000 });
  await app.close();
  const watching = await startLockscopeProcess(redis.url, ['--observe', 'events']);
  lockscope = watching;
  const { missing, unseen = [] } = (await watching.health()).sources[0] ?? {};
  expect(missing?.firstScan).toBeLessThan(1);
  expect(unseen.map(({ code }) => code)).toContain('unseen-before-scan');
  await waitFor('the first scan to be complete', async (isMissing) => {
    const [source] = (await watching.health()).sources;
    return source?.missing === undefined || isMissing(JSON.stringify(source.missing));
  });
  expect(await watching.lock('held-before')).toMatchObject({ held: true });
});
