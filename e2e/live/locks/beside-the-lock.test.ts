import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * Keys beside a lock's hash, which are read together with it: a fair lock's queue and deadlines, a fenced lock's
 * counter.
 */

const LOCK = 'orders:42';
const QUEUE = `redisson_lock_queue:{${LOCK}}`;
const TIMEOUTS = `redisson_lock_timeout:{${LOCK}}`;
const TOKEN = `redisson_lock_token:{${LOCK}}`;
const PASSWORD = 'let-me-in';
let redis: RunningRedis;
let app: App;
let lockscope: Lockscope | undefined;

beforeAll(async () => {
  redis = await startRedis();
  app = await connectApp(redis.url);
});
afterEach(async () => {
  await lockscope?.stop();
  lockscope = undefined;
  await app.command('FLUSHALL');
});
afterAll(async () => {
  await app?.close();
  await redis?.stop();
});

async function heldLock(): Promise<void> {
  await app.command('HSET', LOCK, app.holder(1), '1');
  await app.command('PEXPIRE', LOCK, '600000');
}

/** Puts two threads in a fair lock's queue. Returns their deadlines, in ms since the epoch. */
async function queued(): Promise<[number, number]> {
  const deadlines: [number, number] = [Date.now() + 300_000, Date.now() + 600_000];
  for (const [index, deadline] of deadlines.entries()) {
    await app.command('RPUSH', QUEUE, app.holder(index + 2));
    await app.command('ZADD', TIMEOUTS, String(deadline), app.holder(index + 2));
  }
  return deadlines;
}

function lockWith(isFitting: (lock: NonNullable<Awaited<ReturnType<Lockscope['lock']>>>) => boolean) {
  return waitFor('the lock as it should be', async (missing) => {
    const lock = await lockscope?.lock(LOCK);
    return lock && isFitting(lock) ? lock : missing(JSON.stringify(lock));
  });
}

test.each(['monitor', 'events', 'snapshot'])(
  'level %s: a queue from before watching began is shown in order',
  async (level) => {
    await heldLock();
    const deadlines = await queued();
    lockscope = await startLockscope(redis.url, ['--observe', level]);
    const lock = await lockWith(({ waiters }) => waiters.length === 2);
    expect(lock.kind).toBe('fair-lock');
    expect(lock.kindKnown).toBeUndefined();
    expect(lock.waiters).toMatchObject([
      { id: app.holder(2), position: 1, deadline: deadlines[0] * 1000 },
      { id: app.holder(3), position: 2, deadline: deadlines[1] * 1000 },
    ]);
    const reported = await lockscope.eventsAfter(0, { lock: LOCK, type: 'waiter.queued' });
    expect(reported.map(({ certainty }) => certainty)).toEqual(['inferred', 'inferred']);
  },
);

test('a queue that a plain command deleted is reported with the client that sent the command', async () => {
  await heldLock();
  await queued();
  lockscope = await startLockscope(redis.url);
  await lockWith(({ waiters }) => waiters.length === 2);
  await app.command('DEL', QUEUE, TIMEOUTS);
  const reported = await waitFor('both events', async () => {
    const events = await lockscope?.eventsAfter(0, { lock: LOCK, type: 'waiter.dequeued' });
    return events?.length === 2 && events;
  });
  expect(reported).toMatchObject([
    { holder: app.holder(2), reason: 'deleted', command: 'DEL', certainty: 'observed' },
    { holder: app.holder(3), reason: 'deleted', command: 'DEL', certainty: 'observed' },
  ]);
});

test.each(['monitor', 'snapshot'])(
  'level %s: a counter from before watching began shows a fenced lock',
  async (level) => {
    await heldLock();
    await app.command('SET', TOKEN, '9007199254740993');
    lockscope = await startLockscope(redis.url, ['--observe', level]);
    const lock = await lockWith(({ fencingToken }) => fencingToken !== undefined);
    expect(lock).toMatchObject({ kind: 'fenced-lock', held: true, fencingToken: '9007199254740993' });
  },
);

test('if a lock has only a hash, its kind is not known until its first script', async () => {
  await heldLock();
  lockscope = await startLockscope(redis.url);
  const found = await lockWith(({ held }) => held);
  expect(found).toMatchObject({ kind: 'lock', kindKnown: false });
  await app.acquire(LOCK);
  const lock = await lockWith(({ holders }) => holders[0]?.holdCount === 2);
  expect(lock.kind).toBe('lock');
  expect(lock.kindKnown).toBeUndefined();
});

test('a user without rights on the keys beside a lock sees the lock', async () => {
  await heldLock();
  await queued();
  await app.command('ACL', 'SETUSER', 'watcher', 'on', `>${PASSWORD}`, '~orders:*', 'allchannels', '+@all');
  const url = redis.url.replace('redis://', `redis://watcher:${PASSWORD}@`);
  lockscope = await startLockscope(url);
  const lock = await lockWith(({ held }) => held);
  expect(lock.holders).toMatchObject([{ id: app.holder(1), holdCount: 1 }]);
  expect(lock.waiters).toEqual([]);
});
