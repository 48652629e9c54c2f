import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

/*
 * Keys that are hard to distinguish from locks, and locks that are hard to recognise, all in one Redis, some from
 * before watching began. Lockscope must not crash, and must not report anything false.
 */

const CROWD = 100_000;
const DEEP = 'deep';
const QUEUE = (name: string) => `redisson_lock_queue:${name.includes('{') ? name : `{${name}}`}`;
const TIMEOUTS = (name: string) => `redisson_lock_timeout:${name.includes('{') ? name : `{${name}}`}`;
/** Fills a fair lock's queue in one command. */
const FILL_QUEUE = `for n = 1, tonumber(ARGV[2]) do
redis.call('rpush', KEYS[1], ARGV[1] .. ':' .. -n)
redis.call('zadd', KEYS[2], tonumber(ARGV[3]) + n, ARGV[1] .. ':' .. -n) end`;
/** Does the same as trySetPermits. */
const SET_PERMITS = `if redis.call('get', KEYS[1]) == false then
redis.call('set', KEYS[1], ARGV[1]) redis.call('publish', KEYS[2], ARGV[1]) return 1 end return 0`;

let redis: RunningRedis;
let app: App;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis();
  app = await connectApp(redis.url);
  const { uuid } = app;
  const deadline = String(Date.now() + 300_000);
  await app.command('HSET', DEEP, app.holder(1), '1');
  await app.command('PEXPIRE', DEEP, '600000');
  await app.command('EVAL', FILL_QUEUE, '2', QUEUE(DEEP), TIMEOUTS(DEEP), uuid, String(CROWD), deadline);
  // not locks: a field that is not a holder, a value that is not a count, a holder among other fields
  await app.command('HSET', 'a-cart', 'apples', '3');
  await app.command('HSET', 'a-session', app.holder(1), 'logged in');
  await app.command('HSET', 'a-mixture', app.holder(1), '1', 'apples', '3');
  await app.command('SET', QUEUE('a-string-for-a-queue'), 'value');
  // locks with unusual holders
  await app.command('HSET', 'negative', `${uuid}:-7`, '2');
  await app.command('HSET', 'written', 'mode', 'write', `${uuid}:-7:write`, '1');
  await app.command('HSET', 'a{brace', app.holder(1), '1');
  await app.command('RPUSH', QUEUE('a{brace'), app.holder(2));
  await app.command('ZADD', TIMEOUTS('a{brace'), deadline, app.holder(2));
  for (const name of ['negative', 'written', 'a{brace', 'a-mixture']) await app.command('PEXPIRE', name, '600000');
  lockscope = await startLockscope(redis.url);
});

afterAll(async () => {
  await lockscope?.stop();
  await app?.close();
  await redis?.stop();
});

function lockOnce(name: string, isFitting: (lock: NonNullable<Awaited<ReturnType<Lockscope['lock']>>>) => boolean) {
  return waitFor(`${name} as it should be`, async (missing) => {
    const lock = await lockscope.lock(name);
    return lock && isFitting(lock) ? lock : missing(JSON.stringify(lock)?.slice(0, 500));
  });
}

async function expectNoDrift(): Promise<void> {
  const { sources } = await lockscope.health();
  expect(sources.map(({ drift }) => drift)).toEqual(sources.map(() => 0));
}

test('of 100,000 waiters in a queue, the first are listed in order and the others counted, in a small response', async () => {
  const lock = await lockOnce(DEEP, ({ waiters, moreWaiters = 0 }) => waiters.length + moreWaiters === CROWD);
  expect(lock.kind).toBe('fair-lock');
  expect(lock.waiters.length).toBe(1000);
  expect(lock.waiters.slice(0, 3).map(({ id, position }) => [id, position])).toEqual([
    [`${app.uuid}:-1`, 1],
    [`${app.uuid}:-2`, 2],
    [`${app.uuid}:-3`, 3],
  ]);
  const { body } = await lockscope.get(`/api/locks/${DEEP}`);
  expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
  await expectNoDrift();
});

test('hashes and strings that only look like locks are not shown as locks', async () => {
  await lockOnce('negative', () => true);
  const names = (await lockscope.locks()).map(({ name }) => name);
  for (const name of ['a-cart', 'a-session', 'a-mixture', 'a-string-for-a-queue']) expect(names).not.toContain(name);
});

test('threads with negative ids, writers, and names with a single brace are shown correctly', async () => {
  const negative = await lockOnce('negative', () => true);
  expect(negative.holders).toMatchObject([{ id: `${app.uuid}:-7`, client: app.uuid, thread: '-7', holdCount: 2 }]);
  const written = await lockOnce('written', () => true);
  expect(written.kind).toBe('read-write-lock');
  expect(written.holders).toMatchObject([{ id: `${app.uuid}:-7`, thread: '-7', mode: 'write' }]);
  const brace = await lockOnce('a{brace', ({ waiters }) => waiters.length > 0);
  expect(brace.kind).toBe('fair-lock');
  expect(brace.waiters).toMatchObject([{ id: app.holder(2), position: 1 }]);
});

describe('one name', () => {
  test('that two kinds of locks use in turn has the kind that used it last', async () => {
    await app.acquire('two-kinds');
    await lockOnce('two-kinds', ({ held }) => held);
    await app.release('two-kinds');
    await lockOnce('two-kinds', ({ held }) => !held);
    await app.command('EVAL', SET_PERMITS, '2', 'two-kinds', 'redisson_sc:{two-kinds}', '3');
    const lock = await lockOnce('two-kinds', ({ permits }) => permits !== undefined);
    expect(lock).toMatchObject({ kind: 'semaphore', permits: { available: 3 }, holders: [] });
    await expectNoDrift();
  });

  test('that is held as one kind keeps its kind and its holder when a script of another kind fails', async () => {
    await app.acquire('contested');
    await lockOnce('contested', ({ held }) => held);
    const attempt = app.command('EVAL', SET_PERMITS, '2', 'contested', 'redisson_sc:{contested}', '3');
    await expect(attempt).rejects.toThrow(/WRONGTYPE/);
    await app.acquire('after-contested');
    await lockOnce('after-contested', ({ held }) => held);
    const lock = await lockscope.lock('contested');
    expect(lock).toMatchObject({ kind: 'lock', held: true, holders: [{ id: app.holder(1), holdCount: 1 }] });
    expect(lock?.permits).toBeUndefined();
    await expectNoDrift();
  });
});

test('after the hostile keys of this file, Lockscope still watches', async () => {
  await app.acquire('afterwards');
  await lockOnce('afterwards', ({ held }) => held);
  expect((await lockscope.health()).sources).toMatchObject([{ status: 'observing' }]);
});
