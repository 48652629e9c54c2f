import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, connectApp, listenFor } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { patientClient } from '../../support/lockscope/patient-client.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/* What is shown of locks that were held before watching began. Each test uses other locks of one Redis. */

const LEASE = { leaseMs: 600_000 };
/** Two reads of the end of a lease may be this far apart. */
const SAME_END_MS = 3000;
let redis: RunningRedis;
let holder: App;
let waiter: App;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis();
  [holder, waiter] = [await connectApp(redis.url), await connectApp(redis.url)];
});
afterEach(() => lockscope?.stop());
afterAll(async () => {
  await holder?.close();
  await waiter?.close();
  await redis?.stop();
});

/**
 * One client holds a lock twice, and another one waits for it, asleep. Returns a function that ends its subscription.
 */
async function heldAndWaitedFor(lock: string): Promise<() => Promise<void>> {
  await holder.acquire(lock, LEASE);
  await holder.acquire(lock, LEASE);
  await waiter.acquire(lock, { ...LEASE, thread: 2 });
  const stopListening = await listenFor(redis.url, lock);
  await waiter.acquire(lock, { ...LEASE, thread: 2 });
  return stopListening;
}

/** Watches, and waits until the whole server has been read once. */
async function attach(...flags: string[]): Promise<void> {
  lockscope = await startLockscope(redis.url, flags);
  await waitFor('the first read', async (missing) => {
    const [source] = (await lockscope.health()).sources;
    const isRead = source !== undefined && source.snapshotAt !== null && source.missing?.firstScan === undefined;
    return isRead || missing(JSON.stringify(source));
  });
}

const eventsOf = async (lock: string) => lockscope.eventsAfter(0, { lock });

test.each(['monitor', 'events', 'snapshot'])(
  'level %s: a lock that was held before watching began is shown after the first read, with count and expiry',
  async (level) => {
    const lock = `held-before:${level}`;
    const stopListening = await heldAndWaitedFor(lock);
    await attach('--observe', level);
    const shown = await lockscope.lock(lock);
    await stopListening();
    expect(shown).toMatchObject({ held: true, db: 0, kind: 'lock', subscribers: 1 });
    expect(shown?.holders).toMatchObject([
      // the beginning of this hold was not seen
      { id: holder.holder(), client: holder.uuid, thread: '1', holdCount: 2, since: null },
    ]);
    const [[seconds], leftMs] = (await redis.command(
      'EVAL',
      `return {redis.call('time'), redis.call('pttl', KEYS[1])}`,
      '1',
      lock,
    )) as [string[], number];
    const endsAtMs = Number(seconds) * 1000 + leftMs;
    expect(Math.abs((shown?.lease.expiresAt ?? 0) / 1000 - endsAtMs)).toBeLessThan(SAME_END_MS);
  },
);

test('a waiter from before watching began is known after its next attempt, with the cause of its acquisition', async () => {
  const lock = 'waited-for';
  const stopListening = await heldAndWaitedFor(lock);
  await attach('--observe', 'monitor');
  expect(await lockscope.lock(lock)).toMatchObject({ held: true, waiters: [] });
  await waiter.acquire(lock, { ...LEASE, thread: 2 });
  await waitFor('the waiter to be known', async () => (await lockscope.lock(lock))?.waiters.length === 1);
  expect((await lockscope.lock(lock))?.waiters).toMatchObject([{ id: waiter.holder(2), presumedGone: false }]);
  for (const _ of [1, 2]) await holder.release(lock, LEASE);
  await waiter.acquire(lock, { ...LEASE, thread: 2 });
  await stopListening();
  const events = await waitFor('the waiter to acquire', async () => {
    const all = await eventsOf(lock);
    return all.some(({ type }) => type === 'lock.acquired') && all;
  });
  const acquired = events.find(({ type }) => type === 'lock.acquired');
  const published = events.find(({ type }) => type === 'wakeup.published');
  expect(acquired).toMatchObject({ holder: waiter.holder(2), holdCount: 1, because: [published?.seq] });
  expect(events.filter(({ type }) => type === 'drift.healed')).toEqual([]);
});

test('hold counts continue from the counts in the first snapshot', async () => {
  const lock = 'held-twice';
  await holder.acquire(lock, LEASE);
  await holder.acquire(lock, LEASE);
  await attach('--observe', 'monitor');
  await holder.acquire(lock, LEASE);
  await holder.release(lock, LEASE);
  const events = await waitFor('both events', async () => {
    const all = await eventsOf(lock);
    return all.some(({ type }) => type === 'lock.partially-released') && all;
  });
  expect(events[0]).toMatchObject({ type: 'lock.found', holders: [{ holder: holder.holder(), holdCount: 2 }] });
  expect(events.find(({ type }) => type === 'lock.reentered')).toMatchObject({ holdCount: 3 });
  expect(events.find(({ type }) => type === 'lock.partially-released')).toMatchObject({ holdCount: 2 });
});

test('hashes that only slightly resemble locks are not shown as locks', async () => {
  await holder.command('HSET', 'a-user', 'name', 'Ada', 'visits', '3');
  await holder.command('HSET', 'half-a-lock', holder.holder(), '1', 'owner', 'x');
  await holder.command('HSET', 'no-count', holder.holder(), 'many');
  await holder.command('HSET', 'a-lock', holder.holder(), '1');
  await attach('--observe', 'monitor');
  const names = (await lockscope.locks()).map(({ name }) => name);
  expect(names).toContain('a-lock');
  for (const name of ['a-user', 'half-a-lock', 'no-count']) expect(names).not.toContain(name);
});

test('a free fair lock is found by the waiters in its queue, even if they are dead', async () => {
  const dead = '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62';
  const deadline = Date.now() + 300_000;
  await redis.command('RPUSH', 'redisson_lock_queue:{jobs}', dead);
  await redis.command('ZADD', 'redisson_lock_timeout:{jobs}', String(deadline), dead);
  await attach('--observe', 'monitor', '--match', 'jobs');
  expect((await lockscope.locks()).map(({ name }) => name)).toEqual(['jobs']);
  expect(await lockscope.lock('jobs')).toMatchObject({
    ...{ kind: 'fair-lock', held: false, waiters: [{ id: dead, position: 1 }] },
  });
  const [queued] = await eventsOf('jobs');
  expect(queued).toMatchObject({ type: 'waiter.queued', certainty: 'inferred', deadline: deadline * 1000 });
});

test.each(['monitor', 'events'])(
  'level %s: a read-write lock that a writer waits for is shown once, in its database, even if the URL names another one',
  async (level) => {
    const lock = `catalog:${level}`;
    await holder.command('HSET', lock, 'mode', 'read', holder.holder(), '1');
    await holder.command('PEXPIRE', lock, '600000');
    const writer = patientClient({ url: redis.url });
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.subscribe(`redisson_rwlock:{${lock}}`, () => undefined);
    lockscope = await startLockscope(`${redis.url}/3`, ['--observe', level]);
    await waitFor(
      'the first scan',
      async () => (await lockscope.health()).sources[0]?.missing?.firstScan === undefined,
    );
    const shown = (await lockscope.locks()).filter(({ name }) => name === lock);
    writer.destroy();
    expect(shown).toMatchObject([{ db: 0, kind: 'read-write-lock', held: true }]);
  },
);

test('a lock with hundreds of readers is found with all its readers', async () => {
  const readers = Array.from({ length: 300 }, (_, n) => holder.holder(n + 1));
  await holder.command('HSET', 'catalog', 'mode', 'read', ...readers.flatMap((reader) => [reader, '1']));
  await holder.command('PEXPIRE', 'catalog', '3600000');
  await attach('--observe', 'events');
  const lock = await lockscope.lock('catalog');
  expect(lock?.kind).toBe('read-write-lock');
  expect(new Set(lock?.holders.map(({ id }) => id))).toEqual(new Set(readers));
});
