import type { Download, Page } from '@playwright/test';
import { TimelinePage } from '../../pages/timeline-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { acceptCost } from '../../support/lockscope/watched-redis.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';

/** The lock rows of the timeline. */
const lockNames = (page: Page) => page.locator('.tl-lock-name').filter({ hasText: LOCK });

test('locks of one name on two servers and in two databases are distinguished, and shared with one file per server', async ({
  redis,
  openRecording,
  page,
}) => {
  const other = await startRedis();
  const lockscope = await startLockscope(redis.url, [other.url, '--observe', 'monitor']);
  const apps = await Promise.all([redis.url, `${redis.url}/3`, other.url].map((url) => connectApp(url)));
  for (const app of apps) await app.acquire(LOCK);
  await expect.poll(async () => (await lockscope.locks()).length).toBe(3);

  const timeline = new TimelinePage(page);
  await timeline.open(lockscope.url);
  await expect(lockNames(page)).toHaveCount(3);
  for (const place of ['redis-1', 'redis-1 db 3', 'redis-2']) {
    await expect(lockNames(page).filter({ has: page.getByText(place, { exact: true }) })).toHaveCount(1);
  }

  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByText('It is saved as 2 files, one for each Redis server.')).toBeVisible();
  await page.getByRole('button', { name: 'Save recording' }).click();
  await expect.poll(() => downloads.length).toBe(2);
  const names = downloads.map((download) => download.suggestedFilename()).sort();
  expect(names[0]).toMatch(/^Timeline-redis-1-.*Z\.lockscope$/);
  expect(names[1]).toMatch(/^Timeline-redis-2-.*Z\.lockscope$/);
  for (const download of downloads) {
    const opened = await openRecording(await download.path());
    const isFirst = download.suggestedFilename().includes('redis-1');
    expect((await opened.locks()).map(({ db }) => db)).toEqual(isFirst ? [0, 3] : [0]);
  }
  await Promise.all(apps.map((app) => app.close()));
  await lockscope.stop();
  await other.stop();
});

test('at an instant that was watched at a lower level, the timeline does not claim that no thread waited', async ({
  connect,
  watch,
  page,
}) => {
  // without key events, a lock that is acquired later is found by the next scan, 5 s later
  const app = await connect('order-svc-1');
  await app.acquire(LOCK);
  const lockscope = await watch('--observe', 'events');
  await expect.poll(async () => (await lockscope.lock(LOCK))?.held).toBe(true);
  const then = ((await lockscope.lock(LOCK))?.changedAt ?? 0) + 1000;
  await acceptCost(lockscope);
  await expect.poll(async () => (await lockscope.health()).sources[0]?.level).toBe('monitor');

  const timeline = new TimelinePage(page);
  const waiting = timeline.atCursor.locator('dt', { hasText: 'waiting' }).locator('xpath=following-sibling::dd[1]');
  await timeline.open(lockscope.url);
  await expect(waiting).toHaveText('no client');
  await page.goto(`${lockscope.url}/timeline?v=1&src=live&lock=${encodeURIComponent(LOCK)}&at=${then / 1e6}s`);
  await expect(timeline.atCursor.getByText(LOCK)).toBeVisible();
  await expect(waiting).toHaveText('hidden');
});
