import type { Page } from '@playwright/test';
import { DemoPage } from '../pages/demo-page.ts';
import { EventsPage } from '../pages/events-page.ts';
import { Frame } from '../pages/frame.ts';
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
    test(`with ${what} every page is usable and never scrolls sideways`, ({ demo, page }) =>
      visitEveryPage(demo.url, page));
  });
}

async function visitEveryPage(url: string, page: Page): Promise<void> {
  const stage = new DemoPage(page);
  await stage.open(url);
  await stage.order('Lock', 'A', 1);
  await expect(stage.now).toContainText('×1');
  await stage.order('Lock', 'B', 1);
  await expect(stage.client('B')).toContainText('lock orders:42');
  await expectNoSidewaysScroll(page, 'demo');

  const overview = new OverviewPage(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(overview.cell('orders:42', 'holder')).toContainText('order-svc-1:1');
  await expect(page.getByText('Waits p95')).toBeVisible(); // the charts come last
  await expectNoSidewaysScroll(page, 'overview');

  await overview.link('orders:42').click();
  const lock = new LockPage(page);
  await expect(lock.holders).toContainText('order-svc-1:1');
  await expect(lock.waiters).toContainText('order-svc-2:1');
  await expectNoSidewaysScroll(page, 'lock');

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  const events = new EventsPage(page);
  await expect(events.table).toContainText('orders:42');
  await expectNoSidewaysScroll(page, 'events');
  // without a filter, later events push it out of sight
  await events.open(url, { type: 'lock.acquired' });
  await events.event('acquired').click();
  await expect(events.redisLines).toBeVisible();
  await expectNoSidewaysScroll(page, 'events with an open one');

  await page.getByRole('button', { name: 'Help: keys' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoSidewaysScroll(page, 'help');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(page.getByText('marks in view')).toBeVisible();
  await expectNoSidewaysScroll(page, 'timeline');
}

/** Pixels above the page itself: header, health strip, and the headings of the table. */
async function chromePixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector('main');
    const head = [...document.querySelectorAll('.table-head')].find(
      (each) => getComputedStyle(each).clipPath === 'none',
    );
    return (main?.offsetTop ?? Number.NaN) + (head?.getBoundingClientRect().height ?? 0);
  });
}

async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const frame = new Frame(page);
  await expect.soft.poll(() => chromePixels(page), `header, strip and headings of ${what}`).toBeLessThanOrEqual(120);
  await expect.soft.poll(() => frame.sidewaysPixels(), `${what} is as wide as the screen`).toBeLessThanOrEqual(0);
}
