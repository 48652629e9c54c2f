import { type App, connectApp } from '../../support/clients/app.ts';
import { withoutPause } from '../../support/clients/without-pause.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

/** Acquires a lock on several servers, and acquires it again if a busy machine paused between two of them. */
async function lockWithoutPause(members: readonly (readonly [App, string])[], lockscope: Lockscope): Promise<void> {
  const acquired = () => lockscope.eventsAfter(0, { type: 'lock.acquired' });
  await withoutPause(async (nth) => {
    if (nth > 1) await Promise.all(members.map(([app, lock]) => app.release(lock)));
    await Promise.all(members.map(([app, lock]) => app.acquire(lock)));
    await expect.poll(async () => (await acquired()).length).toBe(nth * members.length);
    return [(await acquired()).slice(-members.length)];
  });
}

test('a RedLock is shown across its servers, even with one of them down', async ({ page, redis, watch }) => {
  const others = [await startRedis(), await startRedis()];
  const separate = await startRedis();
  const lockscope = await watch(...others.map(({ url }) => url), separate.url, '--observe', 'monitor');
  const apps = await Promise.all([redis, ...others].map(({ url }) => connectApp(url)));
  await lockWithoutPause(
    apps.map((app) => [app, 'pay'] as const),
    lockscope,
  );

  await page.goto(`${lockscope.url}/locks/pay?source=redis-1`);
  const group = page.getByRole('region', { name: /Member \d of 3 of one RedLock/ });
  await expect(group).toContainText('Held on 3 of 3 servers, which is a majority');
  await others[1]?.crash();
  await expect(group).toContainText('redis-3 is not watched now');
  await page.goto(lockscope.url);
  await expect(page.getByRole('table', { name: 'Locks' })).toContainText('redis-2');
  for (const app of apps) await app.close();
  await Promise.all([...others, separate].map((other) => other.stop()));
});
