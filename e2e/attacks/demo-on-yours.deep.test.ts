import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/* `lockscope demo --redis URL` on a Redis with an application's keys. */

const PREFIX = 'lockscope-demo:';
const ACTIONS = [
  ...['lock', 'tryLock', 'unlock', 'forceUnlock', 'delete', 'trySetPermits', 'acquire', 'tryAcquire', 'release'],
  ...['trySetCount', 'countDown', 'await'],
];

const KINDS = [undefined, 'fair-lock', 'semaphore', 'latch', 'write-lock'];

let redis: RunningRedis;
let demo: Lockscope;
const act = (action: string, body: object, thread = 'A/threads/1') =>
  demo.post(`/api/demo/clients/${thread}/${action}?wait=1`, body);

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

/** Starts the demo on a Redis that has only the keys of an application. */
const startDemo = async () => {
  await redis.command('FLUSHALL');
  await redis.command('CONFIG', 'RESETSTAT'); // only calls of the demo are counted
  await redis.command('HSET', 'production:lock', '00000009-d89d-4cda-962c-c6e370a8fee0:1', '1');
  await redis.command('HSET', 'production:hash', 'a', 'b');
  await redis.command('SET', 'production:value', '7');
  await redis.command('RPUSH', 'redisson_lock_queue:{production:lock}', 'x');
  await redis.command('SET', 'orders:42', 'precious');
  demo = await launchLockscopeProcess('demo', ['--redis', redis.url]);
};
const stopDemo = () => demo?.stop();

/** Every key with its content. */
async function contents(): Promise<Record<string, string>> {
  const keys = ((await redis.command('KEYS', '*')) as string[]).sort();
  const pairs = keys.map(async (key) => [
    key,
    JSON.stringify(await redis.command('OBJECT', 'ENCODING', key)) + (await contentOf(key)),
  ]);
  return Object.fromEntries(await Promise.all(pairs));
}

async function contentOf(key: string): Promise<string> {
  const read: Record<string, string[]> = {
    hash: ['HGETALL', key],
    list: ['LRANGE', key, '0', '-1'],
    string: ['GET', key],
  };
  return JSON.stringify(await redis.command(...(read[String(await redis.command('TYPE', key))] ?? ['TYPE', key])));
}

describe('a running demo', () => {
  beforeAll(startDemo);
  afterAll(stopDemo);

  test('a body that names a key without the prefix gets a 400 with the field, and no key changes', async () => {
    const before = await contents();
    const names = [
      ...['production:lock', 'production:hash', 'production:value', 'orders:42', PREFIX, `x${PREFIX}y`, '*', ' '],
      ...['redisson_lock_queue:{production:lock}', `{production:lock}${PREFIX}`, `${PREFIX}{production:lock}`],
      ...[`${PREFIX}a\r\nFLUSHALL`, `${PREFIX}${'x'.repeat(400)}`, `${PREFIX.toUpperCase()}a`],
    ];
    for (const [n, lock] of names.entries()) {
      for (const [m, action] of ACTIONS.entries()) {
        const kind = KINDS[(n + m) % KINDS.length]; // so that each name is used with each action and with each kind
        const { status, body } = await act(action, { lock, waitMs: 0, ...(kind && { kind }) });
        expect({ lock, action, kind, status, body }).toMatchObject({ status: 400, body: { error: { field: 'lock' } } });
      }
    }
    expect(await contents()).toEqual(before);
  });

  test('a body of another form reaches no key without the prefix', async () => {
    const before = await contents();
    const bodies = [
      { server: 'redis://127.0.0.1:1', members: [{ lock: 'production:lock' }] },
      { own: { uuids: ['00000009-d89d-4cda-962c-c6e370a8fee0'], ends: [] }, lock: `${PREFIX}a` },
      { __proto__: { lock: 'production:lock' }, action: 'delete' },
    ];
    for (const body of bodies)
      for (const action of ['tryLock', 'unlock', 'forceUnlock', 'delete']) await act(action, body);
    await demo.post('/api/demo/scenarios/two-threads/start', { lock: 'production:lock' });
    await demo.post('/api/demo/stop', { lock: 'production:lock' });
    expect(await contents()).toEqual(before);
  });
});

describe('a demo with keys of its own', () => {
  beforeEach(startDemo);
  afterEach(stopDemo);

  test('a key with the prefix that another client made is unchanged, during the demo and at its end', async () => {
    const [text, number, hash] = ['orders:42', 'permits:5', 'lock:9'].map((name) => PREFIX + name) as [
      string,
      string,
      string,
    ];
    await redis.command('SET', text, 'made by another client');
    await redis.command('SET', number, '5', 'PX', '3600000');
    await redis.command('HSET', hash, '00000009-d89d-4cda-962c-c6e370a8fee0:1', '1');
    const before = await contents();
    for (const lock of [text, number, hash]) {
      for (const action of [
        'forceUnlock',
        'delete',
        'unlock',
        'tryLock',
        'countDown',
        'tryAcquire',
        'release',
        'trySetCount',
      ]) {
        const { body } = await act(action, { lock });
        expect({ lock, action, body }).toMatchObject({ body: { ok: false } });
      }
    }
    expect(await demo.post('/api/demo/scenarios/two-threads/start', {})).toMatchObject({ status: 409 });
    expect(await contents()).toEqual(before);
    await demo.stop();
    expect(await contents()).toEqual(before);
    expect(demo.output()).toContain(text);
  });

  test('at the end every key of the demo is gone, and a key that another client made meanwhile is kept', async () => {
    const before = await contents();
    const names = ['plain', 'fair', 'read', 'fenced', 'permits', 'ids', 'latch', 'taken'].map((name) => PREFIX + name);
    const [plain, fair, read, fenced, permits, ids, latch, taken] = names;
    const lease = { leaseMs: 3_600_000 };
    await act('lock', { lock: plain, ...lease });
    await act('lock', { lock: taken, ...lease });
    await act('lock', { lock: fair, kind: 'fair-lock', ...lease });
    await demo.post('/api/demo/clients/B/threads/1/lock', { lock: fair, kind: 'fair-lock' });
    await act('lock', { lock: read, kind: 'read-lock', ...lease });
    await act('lock', { lock: fenced, kind: 'fenced-lock', ...lease });
    await act('trySetPermits', { lock: permits, permits: 3, kind: 'semaphore' });
    await act('trySetPermits', { lock: ids, permits: 3, kind: 'expirable-semaphore' });
    expect(await act('acquire', { lock: ids, kind: 'expirable-semaphore' })).toMatchObject({ body: { ok: true } });
    await act('trySetCount', { lock: latch, permits: 3, kind: 'latch' });
    await act('countDown', { lock: latch, kind: 'latch' });
    await waitFor('B to queue', async () => Number(await redis.command('LLEN', `redisson_lock_queue:{${fair}}`)) === 1);
    for (const counter of [permits, ids, latch, `redisson_lock_token:{${fenced}}`])
      expect(Number(await redis.command('PTTL', String(counter))), counter).toBeGreaterThan(60_000);
    await demo.post('/api/demo/clients/A/kill', {});
    await demo.post('/api/demo/clients/B/kill', {});
    await redis.command('DEL', String(taken));
    await redis.command('SET', String(taken), 'made later by another client');
    await demo.stop();
    expect(await contents()).toEqual({ ...before, [String(taken)]: '"embstr""made later by another client"' });
  });

  test('a scenario that is stopped in the middle leaves no key, and a key made after it is kept', async () => {
    const before = await contents();
    await demo.post('/api/demo/scenarios/two-threads/start', {});
    const lock = await waitFor('the lock', async () => {
      const { body } = await demo.get('/api/demo');
      return body as { lock: string; step: number };
    });
    expect(lock.lock).toBe(`${PREFIX}orders:42`);
    await waitFor('A to hold it', async () => (await redis.command('EXISTS', lock.lock)) === 1);
    await demo.post('/api/demo/stop', {});
    await waitFor('unlock latches to go', async () => JSON.stringify(await contents()) === JSON.stringify(before));
    await redis.command('SET', lock.lock, 'made later by another client');
    await demo.stop();
    expect(await redis.command('GET', lock.lock)).toBe('made later by another client');
    const calls = await redis.commandCalls();
    const never = ['flushall', 'flushdb', 'config|set', 'script|flush', 'swapdb', 'shutdown', 'debug', 'client|pause'];
    expect(never.filter((name) => calls.has(name))).toEqual([]);
  });
});
