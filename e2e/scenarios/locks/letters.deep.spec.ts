import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { TimelinePage } from '../../pages/timeline-page.ts';
import { expect, test } from '../stage.ts';

test('the page of a lock shows the letters of the server each time, and pages of several locks show no letters', async ({
  contend,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await contend('orders:42');
  await app.release('orders:42', { thread: 1 });
  await app.acquire('orders:42', { thread: 2 });
  await expect.poll(async () => (await lockscope.lock('orders:42'))?.holders[0]?.letter).toBe('B');

  const lock = new LockPage(page);
  for (const time of ['opened', 'opened again']) {
    await lock.open(lockscope.url, 'orders:42');
    await expect(lock.holders.locator('.letter'), time).toHaveText('B');
    const letters = lock.events.locator('[data-column="holder"] .letter');
    await expect(letters.first(), `${time}: the earlier holder keeps its letter`).toHaveText('A');
    await expect(letters.last(), time).toHaveText('B');
  }

  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.cell('orders:42', 'holder')).toContainText(':2');
  await expect(overview.table.locator('.letter')).toHaveCount(0);

  // with several locks, the same letter would be another thread at each of them
  const timeline = new TimelinePage(page);
  await timeline.open(lockscope.url);
  await timeline.showAs('Table');
  await expect(timeline.table.locator('.letter').first()).toBeVisible();
  await app.acquire('invoices:7', { thread: 3 });
  await expect(timeline.table).toContainText('invoices:7');
  await expect(page.locator('.letter')).toHaveCount(0);
});
