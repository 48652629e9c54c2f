import { EventsPage } from '../../pages/events-page.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { expect, test } from '../stage.ts';

test('a multi lock is shown as one group on the page of each member, and in the list of events', async ({
  page,
  redis,
  watch,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  const members = ['acc:1', 'acc:2', 'acc:3'];
  const lockAll = () => Promise.all(members.map((lock) => app.acquire(lock)));
  // Locks acquired together are not shown as a group until they have also been released together.
  await lockAll();
  await Promise.all(members.map((lock) => app.release(lock)));
  await lockAll();

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
