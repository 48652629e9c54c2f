import { EventsPage } from '../pages/events-page.ts';
import { LockPage } from '../pages/lock-page.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import { startRedis } from '../support/servers/redis.ts';
import { expect, test } from './stage.ts';

/** Acquires several locks at once, like an application: with no pause between one lock and the next. */
async function lockTogether(members: readonly (readonly [App, string])[]): Promise<void> {
  await Promise.all(members.map(([app, lock]) => app.acquire(lock)));
}

/** The longest time between an application's attempts on one RedLock, in µs. */
const A_MOMENT_MICROS = 100_000;

/** The same on several servers. Starts again if a busy machine made a pause that an application would not have. */
async function lockWithinAMoment(members: readonly (readonly [App, string])[], lockscope: Lockscope): Promise<void> {
  const acquired = () => lockscope.eventsAfter(0, { type: 'lock.acquired' });
  for (let rounds = 1; ; rounds++) {
    await lockTogether(members);
    await expect.poll(async () => (await acquired()).length).toBe(rounds * members.length);
    const times = (await acquired()).slice(-members.length).map(({ at }) => at);
    if (Math.max(...times) - Math.min(...times) <= A_MOMENT_MICROS) return;
    await Promise.all(members.map(([app, lock]) => app.release(lock)));
  }
}

test('a multi lock is shown as one group: on the page of each member, and in the list of events', async ({
  page,
  redis,
  watch,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  const members = ['acc:1', 'acc:2', 'acc:3'].map((lock) => [app, lock] as const);
  // Locks acquired in a row are not yet evidence. Once they are also released together, they are known as a group.
  await lockTogether(members);
  await Promise.all(members.map(([, lock]) => app.release(lock)));
  await lockTogether(members);

  const lock = new LockPage(page);
  await lock.open(lockscope.url, 'acc:2');
  const group = page.getByRole('region', { name: 'Member 2 of 3 of one multi lock' });
  await expect(group.getByRole('listitem')).toHaveText([/acc:1.*held/, /acc:2.*held.*this one/, /acc:3.*held/]);
  await expect(group).toContainText('inferred');
  await group.getByRole('link', { name: 'acc:3' }).click();
  await expect(page.getByRole('region', { name: 'Member 3 of 3 of one multi lock' })).toBeVisible();

  await page.getByRole('link', { name: 'Its events' }).click();
  const events = new EventsPage(page);
  await expect(events.event('acquired')).toHaveCount(3);
  await expect(page.getByLabel('Group')).not.toHaveValue('');
  await app.close();
});

test('a RedLock is shown across its servers, even with one of them down', async ({ page, redis, watch }) => {
  const others = [await startRedis(), await startRedis()];
  const apart = await startRedis();
  const lockscope = await watch(...others.map(({ url }) => url), apart.url, '--observe', 'monitor');
  const apps = await Promise.all([redis, ...others].map(({ url }) => connectApp(url)));
  await lockWithinAMoment(
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
  await Promise.all([...others, apart].map((other) => other.stop()));
});
