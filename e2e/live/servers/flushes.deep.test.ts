import { afterEach, expect, test } from 'vitest';
import { type WatchedRedis, watchRedis } from '../../support/lockscope/watched-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const LOCKS = ['a', 'b', 'c'];
const LEASE_MS = 600_000;
let watched: WatchedRedis | undefined;
afterEach(async () => {
  await watched?.end();
  watched = undefined;
});

test.each([
  ['notifications', 'Eghxe', 'FLUSHDB'],
  ['notifications', 'Eghxe', 'FLUSHALL'],
  ['tracking', '', 'FLUSHDB'],
])('[K8] at level events by %s (%s), %s is reported for every lock of the database', async (by, flags, flush) => {
  watched = await watchRedis({ 'notify-keyspace-events': flags }, ['--observe', 'events']);
  const { app, lockscope } = watched;
  for (const lock of LOCKS) await app.acquire(lock, { leaseMs: LEASE_MS });
  await waitFor('the locks', async () => (await lockscope.locks()).filter(({ held }) => held).length === LOCKS.length);
  const { sources } = await lockscope.health();
  expect(sources).toMatchObject([{ level: 'events', keyEvents: by }]);
  const before = await lockscope.newestSeq();
  await app.command('SELECT', '1');
  await app.acquire('elsewhere', { leaseMs: LEASE_MS });
  await app.command('FLUSHDB');
  await app.command('SELECT', '0');
  await app.command(flush);

  await waitFor('the ends', async () => (await lockscope.locks()).every(({ held }) => !held));
  const events = (await lockscope.eventsAfter(before)).filter(({ lock }) => LOCKS.includes(lock));
  const ends = events.filter(({ type }) => type !== 'waiter.unsubscribed');
  const end = { type: 'db.flushed', holder: app.holder(), certainty: 'inferred' };
  expect(ends.sort((x, y) => x.lock.localeCompare(y.lock))).toMatchObject(LOCKS.map((lock) => ({ ...end, lock })));
});

const WAYS = [
  ['notifications', 'Eghxe'],
  ['tracking', ''],
] as const;
const COUNT_AND_FLUSH = `local count = redis.call('exists', unpack(KEYS)) redis.call('flushdb') return count`;
const SET_NUMBER = `redis.call('set', KEYS[1], ARGV[1]) redis.call('publish', KEYS[2], ARGV[2]) return 1`;

test.each(WAYS)(
  '[K8] by %s, a lease that would have ended soon after the flush is not reported as expired',
  async (_, flags) => {
    watched = await watchRedis({ 'notify-keyspace-events': flags }, ['--observe', 'events']);
    const { app, lockscope } = watched;
    const locks = Array.from({ length: 20 }, (_each, n) => `ends:${n}`);
    for (const lock of locks) await app.acquire(lock, { leaseMs: LEASE_MS });
    await waitFor(
      'the locks',
      async () => (await lockscope.locks()).filter(({ held }) => held).length === locks.length,
    );
    await Promise.all(locks.map((lock, n) => app.command('PEXPIRE', lock, String(300 + n * 150))));
    await watched.eventsUntil('ends:19', 'lease.shortened');
    const flushed = await app.command('EVAL', COUNT_AND_FLUSH, String(locks.length), ...locks);
    await waitFor('no lock to be held', async () => (await lockscope.locks()).every(({ held }) => !held));
    const expired = await lockscope.eventsAfter(0, { type: 'lease.expired' });
    expect(expired.length).toBeLessThanOrEqual(locks.length - Number(flushed)); // some leases end before a late flush
  },
);

test.each(WAYS)('[K8] by %s, semaphores and latches are reported as flushed', async (_, flags) => {
  watched = await watchRedis({ 'notify-keyspace-events': flags }, ['--observe', 'events']);
  const { app } = watched;
  await app.command('EVAL', SET_NUMBER, '2', 'permits', 'redisson_sc:{permits}', '3', '3');
  await app.command('EVAL', SET_NUMBER, '2', 'count', 'redisson_countdownlatch__channel__{count}', '2', '1');
  await watched.eventsUntil('permits', 'permits.set');
  await watched.eventsUntil('count', 'latch.set');
  await app.command('FLUSHDB');
  for (const lock of ['permits', 'count']) {
    const events = await watched.eventsUntil(lock, 'db.flushed');
    expect(events.at(-1)).toMatchObject({ type: 'db.flushed', certainty: 'inferred' });
    expect(events.filter(({ type }) => type === 'latch.opened' || type === 'lock.deleted')).toEqual([]);
  }
});

test('[K8] at level events, a flush of another database ends no hold', async () => {
  watched = await watchRedis({ 'notify-keyspace-events': '' }, ['--observe', 'events']);
  const { app, lockscope } = watched;
  for (const lock of LOCKS) await app.acquire(lock, { leaseMs: LEASE_MS });
  await waitFor('the locks', async () => (await lockscope.locks()).filter(({ held }) => held).length === LOCKS.length);
  const [{ snapshotAt: before } = { snapshotAt: 0 }] = (await lockscope.health()).sources;
  await app.command('SELECT', '1');
  await app.command('FLUSHDB');
  await app.command('SELECT', '0');
  await waitFor('the next round', async () => {
    const [source] = (await lockscope.health()).sources;
    return (source?.snapshotAt ?? 0) > (before ?? 0) + 1_000_000;
  });
  await app.command('DEL', 'a');
  const reported = await watched.eventsUntil('a', 'lock.released');
  expect(reported.at(-1)).toMatchObject({ type: 'lock.released', how: 'unknown' });
  expect((await lockscope.locks()).filter(({ held }) => held)).toHaveLength(LOCKS.length - 1);
});
