import type { Page } from '@playwright/test';
import { EventsPage } from '../pages/events-page.ts';
import { LockPage } from '../pages/lock-page.ts';
import { OverviewPage } from '../pages/overview-page.ts';
import { expect, test } from './stage.ts';

/** A phone, and a window of 1280 × 720 at a zoom of 200 %: half the pixels of the style sheet, each twice as large. */
const SMALL = [
  { what: '320 pixels', viewport: { width: 320, height: 640 }, deviceScaleFactor: 1 },
  { what: 'a zoom of 200 %', viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
];

for (const { what, ...screen } of SMALL) {
  test.describe(what, () => {
    test.use(screen);
    test(`with ${what} every page is usable and never scrolls sideways`, async ({ contend, watch, page }) => {
      const { url } = await watch('--observe', 'monitor');
      await contend('orders:42');
      await visitEveryPage(url, page);
    });
  });
}

async function visitEveryPage(url: string, page: Page): Promise<void> {
  const overview = new OverviewPage(page);
  await overview.open(url);
  await expect(overview.cell('orders:42', 'holder')).toContainText('order-svc-1:1');
  await expect(page.getByText('Waits p95')).toBeVisible(); // the charts come last
  await overview.expectNarrow('overview');

  await overview.link('orders:42').click();
  const lock = new LockPage(page);
  await expect(lock.holders).toContainText('order-svc-1:1');
  await expect(lock.waiters).toContainText('order-svc-1:2');
  await overview.expectNarrow('lock');

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  const events = new EventsPage(page);
  await expect(events.table).toContainText('orders:42');
  await overview.expectNarrow('events');
  // without a filter, later events push it out of sight
  await events.open(url, { type: 'lock.acquired' });
  await events.event('acquired').click();
  await expect(events.redisLines).toBeVisible();
  await overview.expectNarrow('events with an open one');

  await page.getByRole('button', { name: 'Help: keys' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await overview.expectNarrow('help');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByText('marks in view')).toBeVisible();
  await overview.expectNarrow('timeline');
}
