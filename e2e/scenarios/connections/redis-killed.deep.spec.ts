import { EventsPage } from '../../pages/events-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('if Redis dies and returns, the page reports it, is live again, and shows the blind spot', async ({
  redis,
  startApplication,
  watch,
  page,
}) => {
  const application = await startApplication('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  await application.ask({ thread: 1, action: 'lock', lock: 'before' });
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.cell('before', 'holder')).toContainText('billing-1:1');
  await expect(overview.status('Live')).toBeVisible();

  await redis.crash();
  await expect(overview.banner).toContainText('Redis');
  await expect(overview.status('Reconnecting')).toBeVisible();
  await expect(overview.row('before')).toBeVisible();
  await expect(page.locator('.counters')).toContainText(/as of \d\d:\d\d:\d\d, not watched since/);
  await expect(overview.health).toContainText('Lag –');
  await expect(overview.health).toContainText(/Snapshot \d\d:\d\d:\d\d/);
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(new EventsPage(page).event('blind spot began')).toBeVisible();
  // what waited, and what that cost, is shown as of the last known instant
  for (const tab of ['Blocking', 'Cost']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await expect(page.getByRole('main')).toContainText(/as of \d\d:\d\d:\d\d, not watched since/);
    await expect(page.getByRole('main')).not.toContainText('Connecting');
  }
  await page.getByRole('link', { name: 'Now', exact: true }).click();

  await redis.comeBack();
  await expect(overview.status('Live')).toBeVisible();
  await expect(overview.banner).toBeHidden();
  await expect(page.locator('.counters')).not.toContainText('as of');
  await expect(overview.cell('before', 'holder')).toContainText('free');
  await expect.poll(() => application.ask({ thread: 2, action: 'lock', lock: 'after' })).toMatchObject({ ok: true });
  await expect(overview.cell('after', 'holder')).toContainText('billing-1:2');

  const events = new EventsPage(page);
  await events.open(lockscope.url);
  await expect(events.event('blind spot began')).toBeVisible();
  await expect(events.event('blind spot ended')).toBeVisible();
  const words = await events.words();
  expect(words.indexOf('blind spot began')).toBeLessThan(words.indexOf('blind spot ended'));
});
