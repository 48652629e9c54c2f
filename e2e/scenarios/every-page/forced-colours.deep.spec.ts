import type { Locator } from '@playwright/test';
import { PNG } from 'pngjs';
import { Frame } from '../../pages/frame.ts';
import { LockRecording } from '../../support/recordings/lock-recording.ts';
import { expect, test } from '../stage.ts';

test.use({ contextOptions: { forcedColors: 'active' } });

/** The share of an element's pixels that are darker than half, from 0 to 1. */
async function darkShare(element: Locator): Promise<number> {
  const { data, width, height } = PNG.sync.read(await element.screenshot());
  let dark = 0;
  for (let n = 0; n < data.length; n += 4) if ((data[n] ?? 255) < 128) dark++;
  return dark / (width * height);
}

test('if the system sets the colours, the bars of leases and of waits are still drawn', async ({
  openRecording,
  page,
}) => {
  const recording = new LockRecording('orders:42', Date.UTC(2026, 2, 5, 3));
  recording.acquire(1000, 1);
  recording.wait(1001, 2);
  recording.release(6000, 1); // the black part of the wait, for the holder, is far longer than the rest
  recording.acquire(6001, 2);
  const { url } = await openRecording(recording.file(10_000));
  await page.goto(url);
  await new Frame(page).position.press('End');
  await expect(page.locator('.lease-fill').first()).toBeVisible();
  expect(await darkShare(page.locator('.lease-track').first())).toBeGreaterThan(0.3);
  await page.goto(`${url}/waits`);
  await new Frame(page).position.press('End');
  await expect(page.locator('.spent-bar').first()).toBeVisible();
  expect(await darkShare(page.locator('.spent-bar').first())).toBeGreaterThan(0.3);
});
