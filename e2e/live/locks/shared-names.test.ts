import { afterAll, beforeAll, expect, test } from 'vitest';
import { type WatchedRedis, watchRedis } from '../../support/lockscope/watched-redis.ts';

/** Scripts of semaphores, latches and node-redlock, which do not check whether the key belongs to another kind. */
const TAKE_PERMIT = `local value = redis.call('get', KEYS[1])
if value ~= false and tonumber(value) >= tonumber(ARGV[1]) then redis.call('decrby', KEYS[1], ARGV[1]) return 1 end return 0`;
const GIVE_PERMIT = `local value = redis.call('incrby', KEYS[1], ARGV[1]) redis.call(ARGV[2], KEYS[2], value)`;
const COUNT_DOWN = `local v = redis.call('decr', KEYS[1]) if v <= 0 then redis.call('del', KEYS[1]) end
if v == 0 then redis.call(ARGV[2], KEYS[2], ARGV[1]) end`;
const TAKE_TOKEN = `if redis.call('exists', KEYS[1]) == 1 then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1`;
const TOKEN = 'd14d167a847171a0e60d1e858687fe25';

let watched: WatchedRedis;
beforeAll(async () => {
  watched = await watchRedis();
});
afterAll(() => watched.end());

/** Runs a script that may fail. MONITOR shows its commands in any case. */
const run = (...words: string[]) => watched.app.command('EVAL', ...words).catch(() => 'refused by Redis');
const count = async (name: string) => {
  await run(TAKE_PERMIT, '1', name, '1');
  await run(GIVE_PERMIT, '2', name, `redisson_sc:{${name}}`, '1', 'PUBLISH');
  await run(COUNT_DOWN, '2', name, `redisson_countdownlatch__channel__{${name}}`, '0', 'PUBLISH');
};
const storyOf = (name: string, length: number) => watched.story(name, (events) => events.length >= length);

test('a lock is still a lock when semaphore scripts use its name', async () => {
  const { app, lockscope } = watched;
  await app.acquire('orders');
  await count('orders');
  await app.release('orders');
  expect(await storyOf('orders', 3)).toEqual(['lock.acquired ×1', 'lock.released ×0', 'wakeup.published']);
  expect(await lockscope.lock('orders')).toMatchObject({ kind: 'lock', held: false });
});

test('a token lock keeps its kind until another kind of lock acquires the name', async () => {
  const { app, lockscope } = watched;
  await run(TAKE_TOKEN, '1', 'stock', TOKEN, '60000');
  await count('stock');
  await app.acquire('stock').catch(() => undefined);
  expect(await storyOf('stock', 2)).toEqual(['lock.acquired ×1', 'lock.refused error']);
  expect(await lockscope.lock('stock')).toMatchObject({ kind: 'token-lock', held: true, holders: [{ id: TOKEN }] });
  await app.command('DEL', 'stock');
  await app.acquire('stock');
  expect((await storyOf('stock', 5)).slice(-2)).toEqual(['lock.learned', 'lock.acquired ×1']);
  expect(await lockscope.lock('stock')).toMatchObject({ kind: 'lock', holders: [{ id: app.holder() }] });
});

test('a key that is not a lock has no holder', async () => {
  const { app, lockscope } = watched;
  await app.command('RPUSH', 'list', 'one');
  await app.command('HSET', 'settings', 'colour', 'red');
  await app.acquire('list').catch(() => undefined);
  await app.acquire('settings').catch(() => undefined);
  await run(TAKE_TOKEN, '1', 'list', TOKEN, '100');
  await storyOf('settings', 1);
  const held = (await lockscope.locks()).filter(({ name, held }) => held && ['list', 'settings'].includes(name));
  expect(held).toEqual([]);
  expect(JSON.stringify(await lockscope.eventsAfter(0))).not.toContain('colour');
  expect((await lockscope.health()).sources).toMatchObject([{ level: 'monitor', drift: 0, rejected: 0 }]);
});
