import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { LockscopeCommand } from '../../support/lockscope/lockscope-command.ts';
import { deniedBy, makeRecommendedUser } from '../../support/recommended-user.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { startReplicated } from '../../support/servers/replicated-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

test('the recommended user observes at level replication without a denied command', async () => {
  const pair = await startReplicated();
  onTestFinished(() => pair.stop());
  const app = await connectApp(pair.master.url);
  onTestFinished(() => app.close());
  const lockscope = await startLockscope(await makeRecommendedUser(pair.master), ['--observe', 'replication']);
  onTestFinished(() => lockscope.stop());
  await app.acquire('orders:42', { leaseMs: 600_000 });
  await waitFor('the lock', async () => (await lockscope.lock('orders:42'))?.held === true);
  await app.release('orders:42');
  await waitFor('the release', async () => (await lockscope.lock('orders:42'))?.held === false);
  expect((await lockscope.health()).sources[0]).toMatchObject({ level: 'replication', status: 'observing', drift: 0 });
  expect(await deniedBy(pair.master)).toEqual([]);
});

const WRITES = /^(set|del|hset|hdel|hincrby|pexpire|expire|lpop|rpush|zrem|zadd|flush.*|config\|set)$/;

describe('a Redis whose locks the recommended user reads', () => {
  let redis: RunningRedis;
  let url: string;
  beforeAll(async () => {
    redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
    url = await makeRecommendedUser(redis);
    const app = await connectApp(redis.url);
    await app.acquire('orders:42', { leaseMs: 600_000 });
    await app.close();
    await redis.command('CONFIG', 'RESETSTAT');
  });
  afterAll(() => redis.stop());

  test.each([
    ['check', ['--for', '2s'], 'held'],
    ['doctor', ['--measure', '--yes'], 'monitor'],
    ['top', ['--json', '--for', '10s'], 'orders:42'],
  ])('%s works for the recommended user, and does not write', async (name, flags, text) => {
    const command = new LockscopeCommand([name, url, ...flags]);
    expect(await command.ended(), command.err).toBe(0);
    expect(command.out).toContain(text);
    expect(await deniedBy(redis)).toEqual([]);
    const calls = await redis.commandCalls();
    expect([...calls.keys()].filter((each) => WRITES.test(each))).toEqual([]);
  });
});
