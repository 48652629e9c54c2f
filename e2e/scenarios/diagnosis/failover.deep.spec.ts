import { EventsPage } from '../../pages/events-page.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { expect, test } from '../stage.ts';

test('after Redis lost a hold, the page shows that one client holds the lock and another still thinks it does', async ({
  redis,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const first = await connectApp(redis.url);
  await first.command('CLIENT', 'SETNAME', 'billing-1');
  await first.acquire('billing:close', { leaseMs: 600_000 });
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.cell('billing:close', 'holder')).toContainText('billing-1');

  await redis.crash();
  await redis.comeBack();
  await expect(overview.cell('billing:close', 'holder')).toContainText('free');
  await expect(overview.cell('billing:close', 'holder')).toContainText('1 believer');

  const second = await connectApp(redis.url);
  await second.command('CLIENT', 'SETNAME', 'billing-2');
  await second.acquire('billing:close', { leaseMs: 600_000 });
  const lock = new LockPage(page);
  await lock.open(lockscope.url, 'billing:close');
  await expect(lock.holders).toContainText('billing-2');
  await expect(lock.holders).not.toContainText('billing-1');
  const believers = page.getByRole('region', { name: 'Believers' });
  await expect(believers).toContainText('billing-1');
  await expect(believers.getByRole('alert')).toContainText('Both may be writing right now');

  const events = new EventsPage(page);
  await events.open(lockscope.url);
  await expect(events.event('failover')).toBeVisible();
  await expect(events.event('lost')).toBeVisible();
  for (const app of [first, second]) await app.close();
});
