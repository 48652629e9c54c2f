import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('a name of a megabyte is shortened in the middle, and its link opens the page of the lock', async ({
  connect,
  watch,
  page,
}) => {
  const application = await connect('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  const name = `head${'x'.repeat(1_000_000)}tail`;
  await application.acquire(name);
  await application.acquire('short');
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.row('short')).toBeVisible();
  const long = overview.table.getByRole('link').filter({ hasText: /^headx+…x+tail$/ });
  await expect(long).toBeVisible();
  await long.click();
  await expect(new LockPage(page).heading).toContainText('…');
  await expect(new LockPage(page).holders).toContainText('billing-1:1');
});
