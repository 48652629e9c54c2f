import { OverviewPage } from '../../pages/overview-page.ts';
import { connectApp, listenFor } from '../../support/clients/app.ts';
import { keepBusy } from '../../support/clients/busy-locks.ts';
import { acceptCost } from '../../support/lockscope/watched-redis.ts';
import { expect, test } from '../stage.ts';

/** The charts count by whole bins of Redis's clock, which is this machine's. */
const BIN_MS = 5000;
const msToNextBin = () => BIN_MS - (Date.now() % BIN_MS);

test('the charts show what the server counted, so a page that is opened later, or again, shows the same', async ({
  redis,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  // on a busy machine, the many events below could end MONITOR because of its price
  await acceptCost(lockscope);
  const app = await connectApp(redis.url);
  await app.acquire('orders:42', { thread: 1 });
  const stopListening = await listenFor(redis.url, 'orders:42');
  // a wait over the border of two bins may be in two rows, so it begins soon after one
  await page.waitForTimeout(msToNextBin());
  for (const thread of [2, 3]) await app.acquire('orders:42', { thread });
  for (const thread of [2, 3]) await app.acquire('orders:42', { thread });
  await app.release('orders:42', { thread: 1 });
  for (const thread of [2, 3]) {
    await app.acquire('orders:42', { thread });
    await app.release('orders:42', { thread });
  }
  await stopListening();
  // more events than a page downloads, so a page that counted them itself would not have these waits; they are in the
  // next bin, because MONITOR ends if Lockscope falls behind, and then their bin is not counted
  await page.waitForTimeout(msToNextBin());
  await keepBusy(app, 3500, lockscope);
  const overview = new OverviewPage(page);
  const charts = page.getByRole('region', { name: 'Last 5 minutes' });
  const table = charts.getByRole('table');
  await overview.open(lockscope.url);
  await expect(charts).toContainText('peak 2, ');
  await expect(charts).toContainText(/since \d\d:\d\d:\d\d/);
  const waiters = async () => (await table.getByRole('row').allInnerTexts()).filter((row) => /\s2\s/.test(row));
  expect(await waiters()).toHaveLength(1);
  // the time before the server began to count is not hatched as not watched
  await expect(table).toContainText('not counted');
  await expect(table).not.toContainText('not watched');

  await page.reload();
  await expect(charts).toContainText('peak 2, ');
  expect(await waiters()).toHaveLength(1);
  await app.close();
});

test('a blind spot is hatched, also after a reload', async ({ redis, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  // What Redis has not sent before the crash is lost.
  await expect.poll(async () => (await lockscope.lock('orders:42'))?.held).toBe(true);
  await app.close();
  await redis.crash();
  await expect.poll(async () => (await lockscope.health()).sources[0]?.status).toBe('reconnecting');
  await page.waitForTimeout(11_000); // a blind spot, two bins long
  await redis.comeBack();
  await expect.poll(async () => (await lockscope.health()).sources[0]?.status).toBe('observing');
  const charts = page.getByRole('region', { name: 'Last 5 minutes' });
  await page.goto(lockscope.url);
  await expect(charts.locator('.trend-plot path[fill^="url("]').first()).toBeVisible();
  await page.reload();
  await expect(charts.locator('.trend-plot path[fill^="url("]').first()).toBeVisible();
});

test('in a tall and in a short window, the charts are not cut off at the bottom', async ({ contend, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend('orders:42');
  const plots = page.getByRole('region', { name: 'Last 5 minutes' }).locator('.trend-plot');
  const hidden = () =>
    plots.evaluateAll((all) =>
      all.map((plot) => {
        const drawing = plot.querySelector('svg.recharts-surface');
        return drawing
          ? Math.round(drawing.getBoundingClientRect().bottom - plot.getBoundingClientRect().bottom)
          : null;
      }),
    );
  for (const height of [1000, 800]) {
    await page.setViewportSize({ width: 1280, height });
    await new OverviewPage(page).open(lockscope.url);
    await expect.poll(hidden, `${height} px`).toEqual([0, 0, 0, 0]);
  }
});

test('in a tall and in a short window, the time at the cursor does not cover that this time was not counted', async ({
  contend,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend('orders:42');
  const plot = page.getByRole('region', { name: 'Last 5 minutes' }).locator('.trend-plot').first();
  const label = plot.locator('svg text', { hasText: 'not counted' });
  const reading = plot.locator('.trend-reading');
  for (const height of [1000, 800]) {
    await page.setViewportSize({ width: 1280, height });
    await new OverviewPage(page).open(lockscope.url);
    await label.hover({ force: true });
    await expect(reading).toContainText('not counted');
    const [above, below] = [await reading.boundingBox(), await label.boundingBox()];
    if (!above || !below) throw new Error('reading or label is not drawn');
    expect(above.y + above.height, `${height} px`).toBeLessThanOrEqual(below.y);
    const end = await plot.evaluate((box) => box.getBoundingClientRect().bottom);
    expect(below.y + below.height, `${height} px`).toBeLessThanOrEqual(end);
  }
});
