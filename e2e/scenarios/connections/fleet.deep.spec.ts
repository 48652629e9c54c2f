import { OverviewPage } from '../../pages/overview-page.ts';
import { launchLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { startObserver } from '../../support/lockscope/observer-process.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

test('the fleet page lists sources by urgency, finds a lock in them, and links to the pages of a source', async ({
  redis,
  contend,
  page,
}) => {
  const [bus, quiet] = await Promise.all([startRedis(), startRedis()]);
  const observers = await Promise.all([
    startObserver(redis.url, bus.url, 'shop'),
    startObserver(quiet.url, bus.url, 'archive'),
  ]);
  const viewer = await launchLockscopeProcess('view', ['--bus', bus.url]);
  await contend('orders:42');
  const overview = new OverviewPage(page);

  await page.goto(viewer.url);
  const sources = page.getByRole('table', { name: /^Sources/ });
  await expect(sources.getByRole('rowheader')).toContainText(['shop', 'archive']);
  await expect(page.getByText('Follows 0 of 2: the others by their pulse only.')).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Fleet']);
  await overview.expectAccessible('fleet');
  for (const path of ['/events', '/sources/unknown/']) {
    await page.goto(`${viewer.url}${path}`);
    await expect(page.getByText('There is no page at this address.')).toBeVisible();
    await expect(page.getByText(path, { exact: true })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Go to the overview' }).click();

  await page.getByRole('searchbox').fill('RDERS:4');
  await expect(page).toHaveURL(/\/fleet\?q=RDERS%3A4$/);
  await page
    .getByRole('table', { name: /^Locks that match/ })
    .getByRole('link', { name: 'orders:42' })
    .click();
  await expect(page).toHaveURL(/\/sources\/shop\/locks\/orders%3A42/);
  await expect(page.getByRole('heading', { name: 'orders:42' })).toBeVisible();
  await expect(page.getByText('order-svc-1:1').first()).toBeVisible();
  await page.getByRole('link', { name: 'Now', exact: true }).click();
  await expect(overview.cell('orders:42', 'waiters')).toContainText('order-svc-1:2');

  await page.getByRole('navigation').getByRole('link', { name: 'Health' }).click();
  await expect(page.getByText('A viewer is not connected to servers')).toBeVisible();
  await expect(page.getByText('Its level is chosen where that process is started')).toBeVisible();
  await expect(page.getByRole('button', { name: /Switch to|Start monitor|Examine again/ })).toHaveCount(0);
  await expect(page.getByText('This is a recording')).toHaveCount(0);
  await overview.expectAccessible('health of a source in a fleet');
  await page.getByRole('link', { name: 'Fleet' }).click();
  await expect(page.getByText('Follows 1 of 2: the others by their pulse only.')).toBeVisible();

  await observers[1]?.kill();
  const first = sources.getByRole('row').nth(1);
  await expect(first).toContainText('archive');
  await expect(first).toContainText('not live since');
  await bus.crash();
  await expect(page.getByRole('alert')).toContainText('does not answer');

  await viewer.stop();
  for (const each of observers) await each.stop();
  await Promise.all([bus.stop(), quiet.stop()]);
});
