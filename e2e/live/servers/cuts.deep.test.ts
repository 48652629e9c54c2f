import { expect, test } from 'vitest';
import { connectApp } from '../../support/clients/app.ts';
import { CutBed, NOTHING_WRONG } from '../../support/cut-bed.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

const bed = new CutBed();

test('a lease that ended in a blind spot is not reported as expired, because its holder may have released the lock', async () => {
  const { app, proxy } = bed;
  await app.acquire('ended-unseen', { leaseMs: 3000 });
  await bed.until('ended-unseen', 'lock.acquired');
  proxy.shut();
  await app.release('ended-unseen');
  await pause(3200); // the end of the lease must be in the blind spot
  proxy.open();
  await bed.blindSpots(1);
  const reported = await bed.until('ended-unseen', 'drift.healed');
  expect(reported.at(-1)).toMatchObject({ cause: 'blind-spot', found: null });
  expect(reported.map(({ type }) => type)).not.toContain('lease.expired');
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});

test('a Redis that is killed and comes back empty on the same port has no held locks', async () => {
  const { redis } = bed;
  await bed.lockscope.stop();
  const lockscope = await startLockscope(redis.url); // without the proxy, so that nothing listens on its port
  bed.lockscope = lockscope;
  await bed.until('held-all-along', 'lock.found');
  await redis.crash();
  const down = await waitFor('the loss to be shown', async () => {
    const [source] = (await lockscope.health()).sources;
    return source?.status === 'reconnecting' && source.problem && source;
  });
  expect(down.problem).toMatchObject({ message: expect.stringContaining(String(redis.port)) });
  expect(down.problem?.hint).not.toBe('');
  expect((await lockscope.lock('held-all-along'))?.name).toBe('held-all-along'); // what was seen is not forgotten
  await redis.comeBack();
  const spots = await bed.blindSpots(1);
  expect(spots.map(({ type }) => type)).toEqual(['blind-spot.began', 'blind-spot.ended']);
  expect(spots[0]!.at).toBeLessThanOrEqual(spots[1]!.at);
  await waitFor('the lost lock to be free', async () => (await lockscope.lock('held-all-along'))?.held === false);
  const app = await connectApp(redis.url);
  await app.acquire('in-the-new-life');
  await app.close();
  await bed.until('in-the-new-life', 'lock.acquired');
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});

test('an acquisition sent while Redis stops for two seconds is reported, without a blind spot', async () => {
  const { app, redis, lockscope } = bed;
  await redis.freeze();
  const acquired = app.acquire('while-standing-still', { leaseMs: 600_000 });
  await pause(2000);
  await redis.thaw();
  await acquired;
  await bed.until('while-standing-still', 'lock.acquired');
  expect((await lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'))).toEqual([]);
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});
