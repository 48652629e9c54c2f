import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('a lock that was held before Lockscope started is on the overview and on its own page', async ({
  startApplication,
  watch,
  page,
}) => {
  const application = await startApplication('billing-1');
  await application.ask({ thread: 1, action: 'lock', lock: 'invoices:7' });
  await application.ask({ thread: 1, action: 'lock', lock: 'invoices:7' });

  const lockscope = await watch();
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.row('invoices:7')).toBeVisible();
  await expect(overview.cell('invoices:7', 'holder')).toContainText('×2');
  await expect(overview.cell('invoices:7', 'holder')).toContainText(`${application.uuid.slice(0, 8)}:1`);
  await overview.link('invoices:7').click();
  const lock = new LockPage(page);
  await expect(lock.heading).toHaveText('invoices:7');
  await expect(lock.holders).toContainText(`${application.uuid}:1`);
  await expect(lock.holders).toContainText('holds ×2');
});

test('later operations of the application appear without a reload', async ({ startApplication, watch, page }) => {
  const application = await startApplication('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(page.getByText('Watching. No lock activity seen yet.')).toBeVisible();

  await application.ask({ thread: 1, action: 'lock', lock: 'invoices:8' });
  await expect(overview.cell('invoices:8', 'holder')).toContainText('billing-1:1');
  const waiting = application.ask({ thread: 2, action: 'lock', lock: 'invoices:8' });
  await expect(overview.cell('invoices:8', 'waiters')).toContainText('billing-1:2');
  await application.ask({ thread: 1, action: 'unlock', lock: 'invoices:8' });
  await waiting;
  await expect(overview.cell('invoices:8', 'holder')).toContainText('billing-1:2');
  await expect(overview.cell('invoices:8', 'waiters')).toHaveText('–');
});
