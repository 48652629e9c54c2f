import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { inShort, untilScanned } from '../../support/lockscope/watched-redis.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { startReplicated } from '../../support/servers/replicated-redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const LEVEL = ['--observe', 'replication'];

test('level replication reports acquisitions, releases, an expiry and a deletion, and leaves no connection behind', async () => {
  const redis = await startReplicated();
  onTestFinished(() => redis.stop());
  const full = await redis.info('sync_full');
  const lockscope = await startLockscope(redis.master.url, LEVEL);
  onTestFinished(() => lockscope.stop());
  const app = await connectApp(redis.master.url);
  onTestFinished(() => app.close());
  await untilScanned(lockscope);
  for (const take of ['acquire', 'acquire', 'release', 'release'] as const) await app[take]('orders:1');
  await app.acquire('runs-out');
  await app.command('PEXPIRE', 'runs-out', '50');
  await app.acquire('deleted');
  await app.command('DEL', 'deleted');
  const storyOf = (lock: string, last: string) =>
    waitFor(`${last} of ${lock}`, async (missing) => {
      const reported = inShort(await lockscope.eventsAfter(0, { lock })).map((text) => text.replace(' (inferred)', ''));
      return reported.some((event) => event.startsWith(last)) ? reported : missing(reported.join());
    });
  expect(await storyOf('orders:1', 'wakeup.published')).toEqual([
    ...['lock.acquired ×1', 'lock.reentered ×2', 'lock.partially-released ×1', 'lock.released ×0', 'wakeup.published'],
  ]);
  expect(await storyOf('deleted', 'lock.deleted')).toEqual(['lock.acquired ×1', 'lock.deleted']);
  await storyOf('runs-out', 'lease.expired');
  expect((await lockscope.health()).sources).toMatchObject([
    { level: 'replication', status: 'observing', drift: 0, rejected: 0 },
  ]);
  expect(await redis.info('sync_full')).toBe(full);
  expect(await redis.replicaPorts()).toEqual([redis.replica.port, 0]);
  await lockscope.stop();
  await waitFor('our link to be gone', async () => (await redis.replicaPorts()).length === 1);
});

test('without a backlog, level replication is refused before it sends any request for the stream', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const lockscope = await startLockscope(redis.url, LEVEL);
  onTestFinished(() => lockscope.stop());
  const problem = await waitFor('level events', async () => {
    const [source] = (await lockscope.health()).sources;
    return source?.level === 'events' && source.status === 'observing' && source.guard.problem;
  });
  expect(problem).toMatchObject({ values: { why: 'no-backlog' } });
  expect(String(await redis.command('INFO', 'stats'))).toMatch(/^sync_full:0\r?$/m);
  expect((await redis.commandCalls()).get('psync')).toBeUndefined();
});
