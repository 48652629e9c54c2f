import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

async function server() {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis;
}

test('locks of one name on two servers are two locks, each with its source and its holder', async () => {
  const [redisA, redisB] = [await server(), await server()];
  const lockscope = await startLockscope(redisA.url, [redisB.url, '--observe', 'monitor']);
  onTestFinished(() => lockscope.stop());
  const [a, b] = [await connectApp(redisA.url), await connectApp(redisB.url)];
  for (const app of [a, b]) {
    onTestFinished(() => app.close());
    await app.acquire('orders:1');
  }
  const locks = await waitFor('both locks', async () => {
    const held = (await lockscope.locks()).filter(({ name, held }) => name === 'orders:1' && held);
    return held.length === 2 && held;
  });
  const ports = [redisA, redisB].map(({ port }) => port);
  expect((await lockscope.health()).sources.map(({ url }) => Number(new URL(url).port))).toEqual(ports);
  const [first, second] = (await lockscope.health()).sources.map(({ id }) => id);
  const holders = Object.fromEntries(locks.map(({ source, holders: [holder] }) => [source, holder?.id]));
  expect(holders).toEqual({ [String(first)]: a.holder(), [String(second)]: b.holder() });
  await a.release('orders:1');
  const isFree = async () => (await lockscope.locks()).some(({ source, held }) => source === first && !held);
  await waitFor('the first to be free', isFree);
  expect((await lockscope.locks()).find(({ source }) => source === second)).toMatchObject({ held: true });
});

test('[Q1] a group lock that was held before watching began is found with its values', async () => {
  const holder = `${randomUUID()}:9`;
  const value = 'NlaD37nKLsKPFWDg4Wzhog';
  const end = String(Date.now() + 60_000);
  const fields = [value, holder, `${value}:${holder}:expire_time`, end, `${value}:${holder}:lock_count`, '2'];
  const before = await server();
  await before.command('HSET', 'seats', ...fields);
  await before.command('PEXPIRE', 'seats', '60000');
  const late = await startLockscope(before.url);
  onTestFinished(() => late.stop());
  const lock = await waitFor('the lock to be found', async () => late.lock('seats'));
  expect(lock).toMatchObject({ kind: 'group-lock', held: true });
  expect(lock.holders[0]).toMatchObject({ id: holder, holdCount: 2, values: [{ value, holdCount: 2 }] });
});
