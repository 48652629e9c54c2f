import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { patientClient } from '../../support/lockscope/patient-client.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const LOCK = 'catalog';
const CHANNEL = `redisson_rwlock:{${LOCK}}`;
let redis: RunningRedis;
let app: App;
let lockscope: Lockscope | undefined;
let stopListening = () => {};

beforeAll(async () => {
  redis = await startRedis();
  app = await connectApp(redis.url);
});
afterEach(async () => {
  await lockscope?.stop();
  lockscope = undefined;
  stopListening();
  stopListening = () => {};
  await app.command('FLUSHALL');
});
afterAll(async () => {
  await app?.close();
  await redis?.stop();
});

/** Two readers from before watching begins, one with hold count 2. */
async function twoReaders(): Promise<void> {
  await app.command('HSET', LOCK, 'mode', 'read', app.holder(1), '2', app.holder(2), '1');
  await app.command('PEXPIRE', LOCK, '600000');
}

function lockWith(isFitting: (lock: NonNullable<Awaited<ReturnType<Lockscope['lock']>>>) => boolean) {
  return waitFor('the lock as it should be', async (missing) => {
    const lock = await lockscope?.lock(LOCK);
    return lock && isFitting(lock) ? lock : missing(JSON.stringify(lock));
  });
}

test.each(['monitor', 'events', 'snapshot'])(
  'level %s: a lock with readers from before watching began is shown with its readers and listeners',
  async (level) => {
    await twoReaders();
    const listener = patientClient({ url: redis.url });
    await listener.connect();
    stopListening = () => listener.destroy();
    await listener.subscribe(CHANNEL, () => undefined);
    lockscope = await startLockscope(redis.url, ['--observe', level]);
    const lock = await lockWith(({ subscribers }) => subscribers === 1);
    expect(lock).toMatchObject({ kind: 'read-write-lock', held: true });
    expect(lock.kindKnown).toBeUndefined();
    expect(lock.holders.map(({ id, mode, holdCount }) => ({ id, mode, holdCount }))).toEqual([
      { id: app.holder(1), mode: 'read', holdCount: 2 },
      { id: app.holder(2), mode: 'read', holdCount: 1 },
    ]);
  },
);

test('a read renewal reports when the timeout keys end, and the next reads find no difference', async () => {
  await twoReaders();
  lockscope = await startLockscope(redis.url);
  await lockWith(({ held }) => held);
  const [first, second] = [1, 2].map((n) => `{${LOCK}}:${app.holder(1)}:rwlock_timeout:${n}`);
  const script = `
    redis.call('hget', KEYS[1], ARGV[3])
    for n = 2, 1, -1 do redis.call('pexpire', KEYS[2] .. ':' .. ARGV[3] .. ':rwlock_timeout:' .. n, ARGV[1]) end
    return redis.call('pexpire', KEYS[1], ARGV[1])`;
  for (const key of [first, second]) await app.command('SET', key ?? '', '1', 'PX', '600000');
  await app.command('EVAL', script, '2', LOCK, `{${LOCK}}`, '700000', '1', app.holder(1));
  const lock = await lockWith(({ holders }) => holders.some(({ timeouts }) => timeouts?.length === 2));
  expect(lock.holders.map(({ renewals }) => renewals)).toEqual([1, 0]);
  const events = await lockscope.eventsAfter(0, { lock: LOCK });
  expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lease.renewed']);
});
