import { expect, onTestFinished, test } from 'vitest';
import { launchLockscope } from '../../support/lockscope/lockscope.ts';
import { startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

test('[S5] the time until a server is reached for the first time is a blind spot', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const proxy = await startCuttingProxy(redis.port);
  onTestFinished(() => proxy.close());
  proxy.shut();
  const lockscope = await launchLockscope(`redis://127.0.0.1:${proxy.port}`, ['--observe', 'monitor']);
  onTestFinished(() => lockscope.stop());
  await waitFor('a failed attempt', async () => (await lockscope.health()).sources[0]?.problem !== null);
  const [seconds, micros] = (await redis.command('TIME')) as [string, string];
  proxy.open();
  const events = await waitFor('the end of the blind spot', async (missing) => {
    const all = await lockscope.eventsAfter(0);
    return all.some(({ type }) => type === 'blind-spot.ended') ? all : missing(JSON.stringify(all));
  });
  expect(events).toMatchObject([
    { type: 'blind-spot.began', reason: 'not-connected' },
    { type: 'blind-spot.ended', from: events[0]?.at },
  ]);
  expect(events[0]?.at).toBeLessThan(Number(seconds) * 1e6 + Number(micros));
});
