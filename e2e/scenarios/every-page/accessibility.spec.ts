import { EventsPage } from '../../pages/events-page.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';

test('the overview, the page of a lock and the events are accessible', async ({ contend, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend(LOCK);

  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.cell(LOCK, 'waiters')).toContainText('1');
  await overview.expectAccessible('overview');
  await overview.health.getByRole('button', { name: /Monitor/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await overview.expectAccessible('overview with the levels open');

  const lock = new LockPage(page);
  await lock.open(lockscope.url, LOCK);
  await expect(lock.waiters).toContainText('asleep');
  await lock.expectAccessible('lock');

  const events = new EventsPage(page);
  await events.open(lockscope.url, { type: 'lock.acquired' });
  await events.event('acquired').first().click();
  await expect(events.redisLines).toBeVisible();
  await events.expectAccessible('events with an open one');
  await page.getByRole('button', { name: 'Help: keys' }).click();
  await expect(page.getByRole('dialog', { name: 'Shortcuts and symbols' })).toBeVisible();
  await events.expectAccessible('help');
});
