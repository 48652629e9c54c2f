import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { deniedBy, makeRecommendedUser, RULES } from '../../support/recommended-user.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let redis: RunningRedis;
let url: string;
beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
  url = await makeRecommendedUser(redis);
});
afterAll(() => redis?.stop());

test.each(['snapshot', 'events', 'monitor'])(
  'the recommended user observes at level %s without a denied command',
  async (level) => {
    const lock = `orders:${level}`;
    const app = await connectApp(redis.url);
    onTestFinished(() => app.close());
    const lockscope = await startLockscope(url, ['--observe', level]);
    onTestFinished(() => lockscope.stop());
    await app.acquire(lock, { leaseMs: 600_000 });
    await waitFor('the lock', async () => (await lockscope.lock(lock))?.held === true);
    await app.release(lock);
    await waitFor('the release', async () => (await lockscope.lock(lock))?.held === false);
    expect((await lockscope.health()).sources[0]).toMatchObject({ level, status: 'observing', drift: 0 });
    expect(await deniedBy(redis)).toEqual([]);
  },
);

test('the recommended user may not run any command that writes', async ({ skip }) => {
  expect(RULES).toHaveLength(5);
  const names = (await redis.command('ACL', 'CAT', 'write')) as string[]; // the reply is a list of names
  expect(names.length).toBeGreaterThan(80);
  const isOld = (await redis.command('ACL', 'DRYRUN', 'lockscope', 'PING').catch(() => 'old')) === 'old';
  skip(isOld);
  for (const name of [...names, 'eval', 'evalsha', 'fcall', 'config|set', 'replicaof', 'shutdown', 'debug']) {
    const words = name.split('|');
    const [info] = (await redis.command('COMMAND', 'INFO', name)) as ([string, number] | null)[]; // a row begins with name and arity
    const missing = Math.max(0, Math.abs(info?.[1] ?? 1) - words.length);
    const args = Array.from({ length: missing }, () => '1');
    const reply = await redis.command('ACL', 'DRYRUN', 'lockscope', ...words, ...args);
    expect(String(reply), name).toContain('no permissions to run');
  }
});
