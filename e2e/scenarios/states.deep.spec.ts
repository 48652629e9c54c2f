import { Frame } from '../pages/frame.ts';
import { connectApp } from '../support/clients/app.ts';
import { expect, test } from './stage.ts';

test('after a time that was not watched, an empty page names that time', async ({ redis, watch, page }) => {
  const { url } = await watch('--observe', 'monitor');
  const frame = new Frame(page);
  await page.goto(url);
  await expect(page.getByText('Watching. No lock activity yet.')).toBeVisible();
  await redis.crash();
  await expect(frame.status('Reconnecting')).toBeVisible();
  await redis.comeBack();
  await expect(frame.status('Live')).toBeVisible();
  for (const path of ['/', '/timeline']) {
    await page.goto(url + path);
    await expect(page.locator('.empty-state')).toContainText(/^Watching\. No lock activity since \d\d:\d\d:\d\d\./);
    await expect(page.locator('.empty-state')).toContainText(/Not watched: redis, \S+ to \S+\./);
    await expect(page.locator('main')).not.toContainText('No lock activity yet');
  }
});

test('a timeline reports that locks were used only before its view', async ({ redis, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  await app.release('orders:42');
  await expect.poll(() => lockscope.eventsAfter(0)).not.toEqual([]);
  const [first] = await lockscope.eventsAfter(0);
  // a live view has the last 30 s, or 40 s until the column beside it is there, and as much before it is loaded
  await expect.poll(() => Date.now() / 1000, { timeout: 120_000 }).toBeGreaterThan(Number(first?.at) / 1e6 + 85);
  await page.goto(`${lockscope.url}/timeline`);
  await expect(page.getByText('No lock was used in this time range.')).toBeVisible();
  await expect(page.locator('main')).not.toContainText('No lock activity yet');
  await page.getByRole('button', { name: 'Jump there' }).click();
  await expect(page.getByRole('button', { name: 'orders:42' }).first()).toBeVisible();
  await app.close();
});
