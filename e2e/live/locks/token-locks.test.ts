import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { withoutVerdicts } from '../../support/lockscope/watched-redis.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const TOKEN = '8b6ead8ee54611f18a0402fc00000001';
const OTHER = '8f92d9c6e54611f18ae702fc00000001';
const RELEASE = `local token = redis.call('get', KEYS[1])
if not token or token ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1]) return 1`;
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

async function watched(...args: string[]): Promise<Lockscope> {
  lockscope = await startLockscope(redis.url, ['--observe', 'monitor', ...args]);
  return lockscope;
}

/** The event types of one lock, once there are `length` of them. */
function storyOf(name: string, length: number): Promise<string[]> {
  return waitFor(`${length} events of ${name}`, async (missing) => {
    const events = (await lockscope?.eventsAfter(0)) ?? [];
    const own = withoutVerdicts(events.filter(({ lock }) => lock === name)).map(({ type }) => type);
    return own.length >= length ? own : missing(JSON.stringify(own));
  });
}

test('a SET NX with a token is read from Redis and reported; an ordinary SET NX is not', async () => {
  const watching = await watched();
  await app.command('SET', 'seen:17', 'a secret', 'NX', 'PX', '60000');
  await app.command('SET', 'orders:42', TOKEN, 'NX', 'PX', '60000');
  await storyOf('orders:42', 1);
  expect(await watching.lock('orders:42')).toMatchObject({ kind: 'token-lock', library: 'redis-py', held: true });
  await app.command('SET', 'orders:42', OTHER, 'NX', 'PX', '60000');
  await app.command('EVAL', RELEASE, '1', 'orders:42', OTHER);
  await app.command('EVAL', RELEASE, '1', 'orders:42', TOKEN);
  expect(await storyOf('orders:42', 3)).toEqual(['lock.acquired', 'lock.refused', 'lock.released']);
  const lock = await watching.lock('orders:42');
  expect(lock).toMatchObject({ held: false });
  expect(lock?.kindKnown).toBeUndefined();
  expect(await watching.lock('seen:17')).toBeUndefined();
  expect(JSON.stringify(await watching.eventsAfter(0))).not.toContain('secret');
});

test('ShedLock: a late client that deletes the lock of another client is reported as lock.deleted', async () => {
  await watched();
  const late = await connectApp(redis.url);
  const name = 'job-lock:default:nightly';
  const value = (client: string) => `ADDED:2026-11-21T01:14:54.552Z@vm:b7a212db-12ce-422e-b486-c1e8fe72a47${client}`;
  await late.command('SET', name, value('a'), 'PX', '60000', 'NX');
  await storyOf(name, 1);
  await app.command('PEXPIRE', name, '50');
  await storyOf(name, 3);
  await app.command('SET', name, value('b'), 'PX', '60000', 'NX');
  await late.command('DEL', name);
  await late.close();
  const story = await storyOf(name, 5);
  expect(story).toEqual(['lock.acquired', 'lease.shortened', 'lease.expired', 'lock.acquired', 'lock.deleted']);
  const deleted = (await lockscope?.eventsAfter(0))?.find(({ type }) => type === 'lock.deleted');
  expect(deleted).toMatchObject({ holder: value('b'), late: value('a') });
});

test('a lock of no known library is shown if its name matches --match', async () => {
  const watching = await watched('--match', 'mutex:*');
  await app.command('SET', 'mutex:1', 'worker-1', 'NX', 'EX', '60');
  await storyOf('mutex:1', 1);
  const lock = await watching.lock('mutex:1');
  expect(lock).toMatchObject({ kind: 'token-lock', library: 'unknown', holders: [{ id: 'worker-1' }] });
});

test('a SET NX of no known library is offered as an application’s own lock, and shown or hidden on request', async () => {
  const watching = await watched();
  const own = async () => (await watching.health()).sources[0]?.ownLocks;
  const lockNames = async () => (await watching.locks()).map(({ name }) => name);
  const ask = (shown: unknown) => watching.post('/api/sources/redis/own-locks', { shown });
  await app.command('SET', 'l', 'token', 'NX', 'PX', '300000');
  await waitFor('l to be offered', async (missing) => (await own())?.count === 1 || missing('not offered'));
  expect(await own()).toEqual({ count: 1, isMore: false, names: ['l'], isShown: false });
  expect((await ask('yes')).status).toBe(400);
  expect((await ask(true)).status).toBe(200);
  await waitFor('l to be a lock', async (missing) => (await lockNames()).includes('l') || missing('no lock'));
  expect(await own()).toEqual({ count: 0, isMore: false, names: [], isShown: true });
  expect((await ask(false)).body).toMatchObject({ source: { ownLocks: { count: 1, names: ['l'], isShown: false } } });
  await waitFor('l to be hidden', async (missing) => !(await lockNames()).includes('l') || missing('still there'));
  expect((await watching.post('/api/sources/none/own-locks', { shown: true })).status).toBe(404);
});
