import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { type WatchedRedis, watchRedis } from '../support/watched-redis.ts';

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
])(
  '[K8] at level events by %s (%s), %s is reported as the end of every lock in the database',
  async (by, flags, flush) => {
    watched = await watchRedis({ 'notify-keyspace-events': flags }, ['--observe', 'events']);
    const { app, lockscope } = watched;
    for (const lock of LOCKS) await app.acquire(lock, { leaseMs: LEASE_MS });
    await waitFor(
      'the locks',
      async () => (await lockscope.locks()).filter(({ held }) => held).length === LOCKS.length,
    );
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
  },
);

test('[K8] at level events, a flush of another database ends nothing', async () => {
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
  const told = await watched.eventsUntil('a', 'lock.released');
  expect(told.at(-1)).toMatchObject({ type: 'lock.released', how: 'unknown' });
  expect((await lockscope.locks()).filter(({ held }) => held)).toHaveLength(LOCKS.length - 1);
});
