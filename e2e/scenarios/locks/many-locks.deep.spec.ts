import type { Page } from '@playwright/test';
import { OverviewPage } from '../../pages/overview-page.ts';
import type { App } from '../../support/clients/app.ts';
import { expect, test } from '../stage.ts';

/** The code that renders only the visible rows. */
const WINDOWING = '**/windowing-*.js';

test('a table that becomes long keeps its focused row, and End shows its last lock', async ({
  connect,
  watch,
  page,
}) => {
  const application = await connect('billing-1');
  await acquireAll(application, 1, 30);
  const { url } = await watch();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const overview = await openByName(page, url);

  await test.step('30 locks are all rendered, without that code', async () => {
    await expect(overview.row('lock:001')).toBeVisible();
    await expect(renderedRows(overview)).toHaveCount(30);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(overview.link('lock:002')).toBeFocused();
    await page.keyboard.press('End');
    await expect(overview.link('lock:030')).toBeFocused();
    await expect(overview.row('lock:030')).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('PageUp');
    await expect(overview.link('lock:030')).not.toBeFocused();
    await page.keyboard.press('Home');
    await expect(overview.link('lock:001')).toBeFocused();
    await expect(overview.row('lock:001')).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('ArrowDown');
    expect(requested.filter((each) => each.includes('/windowing-'))).toEqual([]);
  });

  await test.step('of 200 locks only those in sight are rendered', async () => {
    const focused = await overview.link('lock:002').elementHandle();
    await acquireAll(application, 31, 200);
    await expect(overview.table).toHaveAttribute('aria-rowcount', '201');
    await expect.poll(() => renderedRows(overview).count()).toBeLessThan(80);
    await expect(overview.link('lock:002')).toBeFocused();
    expect(await focused?.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('End');
    await expect(overview.row('lock:200')).toBeInViewport();
  });
});

test('a long table whose code cannot be loaded shows its first 100 locks, and keeps its place once that code is loaded', async ({
  connect,
  watch,
  page,
}) => {
  await acquireAll(await connect('billing-1'), 1, 150);
  const { url } = await watch();
  await page.route(WINDOWING, (route) => route.abort());
  const overview = await openByName(page, url);
  await expect(overview.row('lock:100')).toBeAttached();
  await expect(renderedRows(overview)).toHaveCount(100);
  const notice = page.getByRole('alert').filter({ hasText: 'Locks could not be shown.' });
  await expect(notice).toBeInViewport();
  await page.locator('.table-scroller').evaluate((scroller) => scroller.scrollTo(0, 600));
  await expect(overview.row('lock:025')).toBeInViewport();
  const place = await topOf(overview, 'lock:025');
  await page.unroute(WINDOWING);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => renderedRows(overview).count()).toBeLessThan(80);
  await expect(notice).toBeHidden();
  expect(Math.abs((await topOf(overview, 'lock:025')) - place)).toBeLessThanOrEqual(0.5); // rows begin at whole pixels
  await overview.link('lock:025').focus();
  await page.keyboard.press('End');
  await expect(overview.row('lock:150')).toBeInViewport();
});

/** Opens the overview with a row for each lock, in the order of their names. */
async function openByName(page: Page, url: string): Promise<OverviewPage> {
  const overview = new OverviewPage(page);
  await overview.open(`${url}?sort=name`);
  await expect(page.getByText('Hidden at this level')).toBeVisible(); // once the trends are drawn, the table has its size
  return overview;
}

async function topOf(overview: OverviewPage, lock: string): Promise<number> {
  return (await overview.row(lock).boundingBox())?.y ?? Number.NaN;
}

function renderedRows({ table }: OverviewPage) {
  return table.locator('tbody > tr');
}

/** Acquires `lock:001`, `lock:002`, … */
async function acquireAll(application: App, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) await application.acquire(`lock:${String(n).padStart(3, '0')}`);
}
