import { expect, onTestFinished, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

test('if there are many keys, the source reports the progress of the first scan, which finds the lock', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const app = await connectApp(redis.url);
  await app.command('EVAL', `for n = 1, 150000 do redis.call('set', 'user:' .. n, 'x') end`, '0');
  await app.acquire('held-before', { leaseMs: 600_000 });
  await app.close();
  const lockscope = await startLockscope(redis.url, ['--observe', 'events']);
  onTestFinished(() => lockscope.stop());
  const { missing, unseen = [] } = (await lockscope.health()).sources[0] ?? {};
  expect(missing?.firstScan).toBeLessThan(1);
  expect(unseen.map(({ code }) => code)).toContain('unseen-before-scan');
  await waitFor('the first scan to be complete', async (isMissing) => {
    const [source] = (await lockscope.health()).sources;
    return source?.missing === undefined || isMissing(JSON.stringify(source.missing));
  });
  expect(await lockscope.lock('held-before')).toMatchObject({ held: true });
});
