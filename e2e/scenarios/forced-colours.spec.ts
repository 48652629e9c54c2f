import type { Locator } from '@playwright/test';
import { PNG } from 'pngjs';
import { connectApp, listenFor } from '../support/clients/app.ts';
import { expect, test } from './stage.ts';

test.use({ contextOptions: { forcedColors: 'active' } });

/** The share of an element's pixels that are darker than half, from 0 to 1. */
async function darkShare(element: Locator): Promise<number> {
  const { data, width, height } = PNG.sync.read(await element.screenshot());
  let dark = 0;
  for (let n = 0; n < data.length; n += 4) if ((data[n] ?? 255) < 128) dark++;
  return dark / (width * height);
}

test('if the system chooses the colours, bars of leases and of waits are still drawn', async ({
  redis,
  watch,
  page,
}) => {
  const { url, lock } = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  await app.acquire('orders:42', { thread: 1, leaseMs: 600_000 });
  const stopListening = await listenFor(redis.url, 'orders:42');
  await app.acquire('orders:42', { thread: 2 });
  await app.acquire('orders:42', { thread: 2 });
  await page.waitForTimeout(5000); // the black part of the wait, for the holder, is far longer than the rest
  await app.release('orders:42', { thread: 1 });
  await app.acquire('orders:42', { thread: 2, leaseMs: 600_000 });
  await expect.poll(async () => (await lock('orders:42'))?.holders[0]?.id).toBe(app.holder(2));
  await stopListening();

  await page.goto(url);
  await expect(page.locator('.lease-fill').first()).toBeVisible();
  expect(await darkShare(page.locator('.lease-track').first())).toBeGreaterThan(0.3);
  await page.goto(`${url}/waits`);
  await expect(page.locator('.spent-bar').first()).toBeVisible();
  expect(await darkShare(page.locator('.spent-bar').first())).toBeGreaterThan(0.3);
  await app.close();
});
