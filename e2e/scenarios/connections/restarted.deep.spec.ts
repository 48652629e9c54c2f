import { OverviewPage } from '../../pages/overview-page.ts';
import { launchLockscope } from '../../support/lockscope/lockscope.ts';
import { freePort } from '../../support/servers/server-process.ts';
import { expect, test } from '../stage.ts';

test('an open page is live again after Lockscope was restarted', async ({ redis, connect, page }) => {
  const application = await connect('billing-1');
  const port = await freePort(); // a port that no other program gets between the two starts
  const first = await launchLockscope(redis.url, ['--observe', 'monitor'], port);
  const overview = new OverviewPage(page);
  await overview.open(first.url);
  await expect(overview.status('Live')).toBeVisible();
  await first.stop();
  await expect(overview.status('Live')).toBeHidden();
  await expect(page.getByRole('main')).toContainText(/Not connected to Lockscope since \d\d:\d\d:\d\d\./);

  const again = await launchLockscope(redis.url, ['--observe', 'monitor'], port);
  try {
    await expect(overview.status('Live')).toBeVisible();
    await application.acquire('after');
    await expect(overview.cell('after', 'holder')).toContainText('billing-1:1');
  } finally {
    await again.stop();
  }
});

test('a page is not live before its live channel has begun, although it knows which sources are watched', async ({
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  await page.routeWebSocket(/socket\.io/, () => {}); // the WebSocket opens, and nothing answers
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.health).toContainText(/Redis \d/);
  await expect(overview.status('Connecting')).toBeVisible();
  await expect(overview.status('Live')).toBeHidden();
});
