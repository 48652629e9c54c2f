import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../support/clients/app.ts';
import { startLockscope } from '../support/lockscope/lockscope.ts';
import { untilScanned } from '../support/lockscope/watched-redis.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Patterns of `--match` that may do harm: ranges in reverse, stars with names that almost match, and non-ASCII
 * characters.
 */

test('a lock is still shown after a name of 100 KB that almost matches a pattern with three stars', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  const flags = ['--observe', 'monitor', '--match', '*order*lock*v?', '--match', '[z-a]*-[0-9]'];
  const lockscope = await startLockscope(redis.url, flags);
  onTestFinished(() => lockscope.stop());
  await app.command('SET', 'orderlock'.repeat(12_000), 'token-of-mine-1234567890', 'NX', 'PX', '30000');
  await app.acquire('after-1', { leaseMs: 60_000 });
  await waitFor('the lock acquired after it', async () => (await lockscope.lock('after-1'))?.held === true);
});

test('a pattern with non-ASCII characters finds locks by scan and by key events', async () => {
  const redis = await startRedis({ 'notify-keyspace-events': 'Kghxe' });
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  await app.acquire('订单:1', { leaseMs: 600_000 });
  const lockscope = await startLockscope(redis.url, ['--observe', 'events', '--match', '订单:*']);
  onTestFinished(() => lockscope.stop());
  await waitFor('the lock that was held before', async () => (await lockscope.lock('订单:1'))?.held === true);
  await app.acquire('订单:2', { leaseMs: 600_000 });
  await waitFor('the lock acquired later', async () => (await lockscope.lock('订单:2'))?.held === true);
});

test('SCAN gets only the beginning of each pattern, so Redis does not search within names of a megabyte', async () => {
  const redis = await startRedis({ 'slowlog-log-slower-than': '0', 'slowlog-max-len': '100000' });
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  onTestFinished(() => app.close());
  for (let n = 0; n < 10; n++) await app.command('SET', `${n}${'a'.repeat(1024 * 1024)}`, 'x');
  await app.acquire('a-lock-of-ours', { leaseMs: 600_000 });
  await app.command('SLOWLOG', 'RESET');
  const lockscope = await startLockscope(redis.url, ['--observe', 'events', '--match', '*lock*', '--match', 'a-*s']);
  onTestFinished(() => lockscope.stop());
  await waitFor('the lock', async () => (await lockscope.lock('a-lock-of-ours'))?.held === true);
  await untilScanned(lockscope);
  const log = (await app.command('SLOWLOG', 'GET', '100000')) as [number, number, number, string[]][]; // SLOWLOG replies in this form
  const patterns = log.flatMap(([, , , words]) => (words[0] === 'SCAN' ? [words[3]] : []));
  expect(new Set(patterns)).toEqual(
    new Set([
      '*',
      'a-*',
      'lockscope:try', // tests whether SCAN is permitted
      'redisson_lock_queue:*',
      'redisson_lock_queue:{*',
      'redisson_lock_queue:{a-*',
      'redisson_lock_queue:a-*',
    ]),
  );
});
