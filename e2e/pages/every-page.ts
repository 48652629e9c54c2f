import { expect, type Page } from '@playwright/test';
import { EventsPage } from './events-page.ts';
import { LockPage } from './lock-page.ts';
import { OverviewPage } from './overview-page.ts';

/**
 * Visits the overview, the lock, the events, the help and the timeline of a Lockscope that shows the contended lock
 * `orders:42`. Expects that none of them scrolls sideways, and that header, strip and headings leave room.
 */
export async function visitEveryPage(url: string, page: Page): Promise<void> {
  const overview = new OverviewPage(page);
  await overview.open(url);
  await expect(overview.cell('orders:42', 'holder')).toContainText('order-svc-1:1');
  await expect(page.getByText('Waits p95')).toBeVisible(); // the charts appear last
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
  // without a filter, later events push the acquisition out of sight
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
