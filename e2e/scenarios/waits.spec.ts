import { setTimeout as sleep } from 'node:timers/promises';
import { seriousFindings } from '../pages/axe.ts';
import { latinWords } from '../pages/said-text.ts';
import { WaitsPage } from '../pages/waits-page.ts';
import { type App, connectApp, listenFor } from '../support/clients/app.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import type { RunningRedis } from '../support/servers/redis.ts';
import { expect, test } from './stage.ts';

const LOCK = 'orders:42';
const WAITS = 'Waits that ended with the lock';
const TURNS = 24;
type Stretch = { from: number; to: number };

/** In each turn, thread 2 waits for a hold of thread 1 that takes `holdMs`. */
async function turns(app: App, redisUrl: string, count: number, holdMs: number): Promise<Stretch> {
  const from = Date.now();
  const stopListening = await listenFor(redisUrl, LOCK);
  for (let turn = 0; turn < count; turn++) {
    await app.acquire(LOCK, { thread: 1 });
    await app.acquire(LOCK, { thread: 2 });
    await app.acquire(LOCK, { thread: 2 });
    await sleep(holdMs);
    await app.release(LOCK, { thread: 1 });
    await app.acquire(LOCK, { thread: 2 });
    await app.release(LOCK, { thread: 2 });
  }
  await stopListening();
  await sleep(50);
  return { from, to: Date.now() };
}

/** The value in the middle, the lower one of an even count, as the page's median. */
function medianOf(lengths: readonly number[]): number {
  return lengths.toSorted((a, b) => a - b)[Math.ceil(lengths.length / 2) - 1] ?? Number.NaN;
}

/** A ratio as the page writes it. */
function ratioText(ratio: number): string {
  return `× ${ratio >= 9.95 ? Math.round(ratio) : ratio.toFixed(2)}`;
}

/**
 * Short waits before a deploy, four times as long ones after it; on a busy machine, both are longer than asked for.
 * `ratio`: how much the median has really grown.
 */
async function deploy(redis: RunningRedis, watch: (...flags: string[]) => Promise<Lockscope>) {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  const before = await turns(app, redis.url, TURNS, 20);
  await sleep(200);
  const after = await turns(app, redis.url, TURNS, 80);
  await app.close();
  const released = async () => (await lockscope.eventsAfter(0, { type: 'lock.released' })).length;
  await expect.poll(released).toBe(4 * TURNS);
  const acquired = await lockscope.eventsAfter(0, { type: 'lock.acquired' });
  const waited = acquired.flatMap((event) =>
    'waitedMs' in event && event.waitedMs !== undefined ? [event.waitedMs] : [],
  );
  expect(waited).toHaveLength(2 * TURNS);
  const ratio = medianOf(waited.slice(TURNS)) / medianOf(waited.slice(0, TURNS));
  return { url: lockscope.url, before, after, ratio };
}

test('two chosen stretches are compared side by side, and the link opens the same comparison', async ({
  redis,
  watch,
  page,
}) => {
  const { url, before, after, ratio } = await deploy(redis, watch);
  const waits = new WaitsPage(page);
  await waits.open(url);
  await waits.chooseStretch('Stretch', after.from, after.to);
  await waits.option('Compare with', 'Another stretch').check({ force: true });
  await waits.chooseStretch('Compared with', before.from, before.to);

  const isCompared = async () => {
    for (const which of ['Stretch', 'Compared with'] as const) {
      await expect(waits.column(which)).toContainText('Seen as a whole.');
      await expect(waits.column(which)).toContainText(`${TURNS} waits took`);
    }
    await expect(waits.row(WAITS, 'How many').getByRole('cell')).toHaveText([
      String(TURNS),
      String(TURNS),
      /^× [\d.]+ per minute/,
    ]);
    const median = waits.row(WAITS, 'Median').getByRole('cell').last();
    await expect(median).toHaveText(new RegExp(`^${ratioText(ratio)} ?from 24 and 24$`));
    await expect(waits.row(WAITS, '95th').getByRole('cell').last()).toHaveText('too few: 24 and 24, 100 needed');
    await expect(waits.row('Locks', LOCK).getByRole('cell')).toHaveText([
      /^1\. waited/,
      /^1\. waited/,
      /^× \d+\.\d\d per minute ?from 24 and 24$/,
    ]);
  };
  await isCompared();
  const link = page.url();
  expect(new URL(link).searchParams.get('compare')).toMatch(/^\d+(\.\d+)?s\+\d+(\.\d+)?s$/);

  await page.goto(`${url}/events`);
  await page.goto(link);
  await isCompared();

  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(waits.row(WAITS, 'Median').getByRole('cell').last()).toHaveText(
    new RegExp(`^${ratioText(1 / ratio)} ?from`),
  );
  await page.goBack();
  await isCompared();
});

test('a stretch that was not watched as a whole, or not at all, is not compared', async ({ redis, watch, page }) => {
  const { url, before, after } = await deploy(redis, watch);
  const waits = new WaitsPage(page);
  await waits.open(url);
  await waits.chooseStretch('Stretch', after.from, after.to);
  await waits.option('Compare with', 'Another stretch').check({ force: true });

  // an hour before Lockscope began: nothing of it is known, and the other stretch is still shown
  await waits.chooseStretch('Compared with', before.from - 3_600_000, before.from - 3_500_000);
  await expect(waits.column('Compared with').getByRole('alert')).toBeVisible();
  await expect(waits.row(WAITS, 'How many').getByRole('cell')).toHaveText([String(TURNS), 'not loaded', 'not loaded']);
  await expect(waits.row('Locks', LOCK).getByRole('cell').nth(1)).toHaveText('not loaded');

  // it begins an hour too early: its medians count, its sums do not
  await waits.chooseStretch('Compared with', before.from - 3_600_000, before.to);
  await expect(waits.column('Compared with')).toContainText('Not loaded before');
  await expect(waits.row(WAITS, 'How many').getByRole('cell').last()).toHaveText('not all was seen');
  await expect(waits.row(WAITS, 'Median').getByRole('cell').last()).toHaveText(/^× /);

  // one that ends before it begins
  const address = page.url();
  await waits.chooseStretch('Compared with', before.to, before.from);
  await expect(page.getByRole('alert')).toContainText('The end must be after the beginning.');
  expect(page.url()).toBe(address);
});

test('at level events, no ratio is given, and nothing is called zero that was not seen', async ({
  redis,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'events', '--configure-notifications');
  const app = await connectApp(redis.url);
  const seen = await turns(app, redis.url, 2, 300);
  await app.close();
  const waits = new WaitsPage(page);
  await waits.open(lockscope.url);
  await waits.chooseStretch('Stretch', seen.from, seen.to);
  await waits.option('Compare with', 'The stretch before').check({ force: true });
  await expect(waits.column('Stretch')).toContainText('level monitor was off');
  await expect(waits.row(WAITS, 'How many').getByRole('cell').first()).toHaveText('not seen');
});

for (const theme of ['Light', 'Dark'] as const) {
  test(`${theme}: the comparison is chosen by keyboard, is accessible, and fits on a phone`, async ({
    redis,
    watch,
    page,
  }) => {
    const { url, after } = await deploy(redis, watch);
    const waits = new WaitsPage(page);
    await waits.open(url);
    await waits.chooseStretch('Stretch', after.from, after.to);
    await page.getByRole('radio', { name: `${theme} theme` }).check({ force: true });
    await waits.option('Compare with', 'No other stretch').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(waits.option('Compare with', 'Another stretch')).toBeChecked();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await expect(waits.option('Compared with', 'Last 60 min')).toBeChecked();
    expect(new URL(page.url()).searchParams.get('compare')).toBe('last60');
    await expect(waits.column('Compared with')).toContainText('48 waits took');
    await expect(page.getByText('The two stretches overlap by')).toBeVisible();
    expect(await seriousFindings(page), 'serious findings of axe').toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => waits.sidewaysPixels()).toBeLessThanOrEqual(0);
    expect(await seriousFindings(page), 'serious findings of axe at 320 pixels').toEqual([]);
  });
}

test('in Chinese, every text of the comparison is Chinese', async ({ redis, watch, page }) => {
  const { url } = await deploy(redis, watch);
  await page.goto(url);
  await page.evaluate(() => localStorage.setItem('lockscope.language', 'zh-CN'));
  await page.goto(`${url}/waits?compare=last60&last=1`);
  await expect(page.getByRole('region', { name: '比较时段', exact: true })).toContainText('次等待共');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(await latinWords(page, /orders:42|UTC|\b[0-9a-f]{8}\b/g)).toEqual([]);
});
