import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const TOKEN = '8b6ead8ee54611f18a0402fc00000001';
const UUID = '8279ce07-f671-4709-8a94-acb7da58f829';
const JOB = `ADDED:2026-11-21T01:14:54.552Z@vm:${UUID}`;
const RELEASE = `local token = redis.call('get', KEYS[1])
if not token or token ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1]) return 1`;

let redis: RunningRedis;
let app: App;
let lockscope: Lockscope;

beforeAll(async () => {
  redis = await startRedis();
  app = await connectApp(redis.url);
});
afterEach(async () => {
  await lockscope.stop();
  await app.command('FLUSHALL');
});
afterAll(async () => {
  await app?.close();
  await redis?.stop();
});

/** Starts Lockscope on a server that already has these strings, each with a TTL of ten minutes. */
async function attachTo(strings: Readonly<Record<string, string>>, ...flags: string[]): Promise<void> {
  for (const [name, value] of Object.entries(strings)) await app.command('SET', name, value, 'PX', '600000');
  lockscope = await startLockscope(redis.url, flags);
}

const found = async (name: string) => waitFor(name, () => lockscope.lock(name));
const names = async () => (await lockscope.locks()).map(({ name }) => name).sort();

const NO_LOCKS = {
  'orders:42': TOKEN,
  'session:9': UUID,
  'clock:17': UUID,
  'lock:settings': '{"door":"shut"}',
  'lock:visits': '17',
};

test.each(['monitor', 'events', 'snapshot'])(
  'level %s: strings that are locks are found, and other strings are not',
  async (level) => {
    const bull = 'bull:mail:17:lock';
    const spring = 'app-locks:orders';
    const job = 'job-lock:default:nightly';
    await attachTo({ ...NO_LOCKS, [bull]: `${UUID}:3`, [spring]: UUID, [job]: JOB }, '--observe', level);
    expect(await found(job)).toMatchObject({
      kind: 'token-lock',
      library: 'shedlock',
      held: true,
      holders: [{ id: JOB }],
    });
    expect((await found(job)).kindKnown).toBeUndefined();
    expect((await found(job)).keys).toEqual([{ key: job, role: 'token', type: 'string' }]);
    expect(await found(bull)).toMatchObject({ library: 'bullmq', kindKnown: false, held: true });
    expect(await found(spring)).toMatchObject({ library: 'unknown', kindKnown: false });
    expect((await found(spring)).lease.expiresAt).toBeGreaterThan((await lockscope.health()).at);
    expect(await names()).toEqual([spring, bull, job].sort());
    expect(JSON.stringify(await lockscope.eventsAfter(0))).not.toContain('shut');
  },
);

test('a hold that a read found is released like one whose beginning was seen', async () => {
  await attachTo({ 'lock:orders': TOKEN }, '--observe', 'monitor');
  expect(await found('lock:orders')).toMatchObject({ library: 'redis-py', kindKnown: false, held: true });
  await app.command('EVAL', RELEASE, '1', 'lock:orders', TOKEN);
  const story = await waitFor('the release', async () => {
    const types = (await lockscope.eventsAfter(0, { lock: 'lock:orders' })).map(({ type }) => type);
    return types.includes('lock.released') && types;
  });
  expect(story).toEqual(['lock.found', 'lock.released']);
  expect((await found('lock:orders')).kindKnown).toBeUndefined();
  expect((await lockscope.health()).sources).toMatchObject([{ drift: 0 }]);
});

test('a lock of no known library is found if its name matches --match', async () => {
  await attachTo({ 'mutex:1': 'worker-1', 'mutex:2': '17', 'other:1': 'worker-1' }, '--match', 'mutex:*');
  expect(await found('mutex:1')).toMatchObject({
    kind: 'token-lock',
    library: 'unknown',
    kindKnown: false,
    held: true,
  });
  expect(await names()).toEqual(['mutex:1']);
});
