import { expect, test } from 'vitest';
import { launchLockscope } from '../support/clients/lockscope.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

test('[S5] the time until a server is up for the first time is a blind spot', async () => {
  const redis = await startRedis();
  await redis.crash();
  const lockscope = await launchLockscope(redis.url, ['--observe', 'monitor']);
  try {
    await redis.comeBack();
    const cameBackAt = Date.now() * 1000;
    const events = await waitFor('the end of the blind spot', async (missing) => {
      const all = await lockscope.eventsAfter(0);
      return all.some(({ type }) => type === 'blind-spot.ended') ? all : missing(JSON.stringify(all));
    });
    expect(events).toMatchObject([
      { type: 'blind-spot.began', reason: 'not-connected' },
      { type: 'blind-spot.ended', from: events[0]?.at },
    ]);
    expect(events[0]?.at).toBeLessThan(cameBackAt);
  } finally {
    await lockscope.stop();
    await redis.stop();
  }
});
