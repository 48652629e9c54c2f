import { latinWords } from '../../pages/page-text.ts';
import { WaitsPage } from '../../pages/waits-page.ts';
import { LockRecording } from '../../support/recordings/lock-recording.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';
const WAITS = 'Waits that ended with the lock, seen from beginning to end';
const TURNS = 24;
const NIGHT_MS = Date.UTC(2026, 2, 5, 3);
const HOUR_MS = 3_600_000;
/** Short waits, then a deploy, then waits that take four times as long. */
const BEFORE = { from: NIGHT_MS, to: NIGHT_MS + 60_000, waitMs: 20 };
const AFTER = { from: BEFORE.to, to: BEFORE.to + 60_000, waitMs: 80 };

/** In each turn, thread 2 waits for thread 1. */
function deploy(): Buffer<ArrayBuffer> {
  const recording = new LockRecording(LOCK, NIGHT_MS);
  for (const { from, waitMs } of [BEFORE, AFTER]) {
    for (let turn = 0; turn < TURNS; turn++) {
      const ms = from - NIGHT_MS + 1000 + turn * 1000;
      recording.acquire(ms, 1);
      recording.wait(ms + 1, 2);
      recording.release(ms + 1 + waitMs, 1);
      recording.acquire(ms + 1 + waitMs, 2);
      recording.release(ms + 2 + waitMs, 2);
    }
  }
  return recording.file(AFTER.to - NIGHT_MS);
}

test('two chosen ranges of a recording are compared side by side, and the link opens the same comparison', async ({
  openRecording,
  page,
}) => {
  const { url } = await openRecording(deploy());
  const waits = new WaitsPage(page);
  await waits.open(url);
  await waits.chooseRange('Range', AFTER.from, AFTER.to);
  await waits.option('Compare with', 'Another range').check({ force: true });
  await waits.chooseRange('Compared with', BEFORE.from, BEFORE.to);

  const isCompared = async () => {
    for (const which of ['Range', 'Compared with'] as const) {
      await expect(waits.column(which)).toContainText('Seen as a whole.');
      await expect(waits.column(which)).toContainText(`${TURNS} waits took`);
    }
    await expect(waits.row(WAITS, 'How many').getByRole('cell')).toHaveText(['24', '24', /^× 1\.00 per minute/]);
    await expect(waits.row(WAITS, 'Median').getByRole('cell').last()).toHaveText(/^× 4\.00 ?from 24 and 24$/);
    await expect(waits.row(WAITS, '95th').getByRole('cell').last()).toHaveText('too few: 24 and 24, 100 needed');
    await expect(waits.row('Locks', LOCK).getByRole('cell')).toHaveText([
      /^1\. waited/,
      /^1\. waited/,
      /^× 4\.00 per minute ?from 24 and 24$/,
    ]);
  };
  await isCompared();
  const link = page.url();
  expect(new URL(link).searchParams.get('compare')).toMatch(/^\d+(\.\d+)?s\+\d+(\.\d+)?s$/);

  await page.goto(`${url}/events`);
  await page.goto(link);
  await isCompared();

  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(waits.row(WAITS, 'Median').getByRole('cell').last()).toHaveText(/^× 0\.25 ?from/);
  await page.goBack();
  await isCompared();
});

test('a range without data is not compared; of one watched in part, the median is, but not the number of waits', async ({
  openRecording,
  page,
}) => {
  const waits = new WaitsPage(page);
  await waits.open((await openRecording(deploy())).url);
  await waits.chooseRange('Range', AFTER.from, AFTER.to);
  await waits.option('Compare with', 'Another range').check({ force: true });

  // an hour before the recording: nothing of it is known, and the other range is still shown
  await waits.chooseRange('Compared with', BEFORE.from - HOUR_MS, BEFORE.from - HOUR_MS + 100_000);
  await expect(waits.column('Compared with').getByRole('alert')).toBeVisible();
  await expect(waits.row(WAITS, 'How many').getByRole('cell')).toHaveText(['24', 'not loaded', 'not loaded']);
  await expect(waits.row('Locks', LOCK).getByRole('cell').nth(1)).toHaveText('not loaded');

  // a range that begins an hour too early: its medians count, its sums do not
  await waits.chooseRange('Compared with', BEFORE.from - HOUR_MS, BEFORE.to);
  await expect(waits.column('Compared with')).toContainText('Not loaded before');
  await expect(waits.row(WAITS, 'How many').getByRole('cell').last()).toHaveText('not all was seen');
  await expect(waits.row(WAITS, 'Median').getByRole('cell').last()).toHaveText(/^× 4\.00/);

  // a range that ends before it begins
  const address = page.url();
  await waits.chooseRange('Compared with', BEFORE.to, BEFORE.from);
  await expect(page.getByRole('alert')).toContainText('The end must be after the beginning.');
  expect(page.url()).toBe(address);
});

test('the comparison can be chosen by keyboard, is accessible in both themes, and fits on a phone', async ({
  openRecording,
  page,
}) => {
  const waits = new WaitsPage(page);
  await waits.open((await openRecording(deploy())).url);
  await waits.position.press('End');
  await waits.chooseRange('Range', AFTER.from, AFTER.to);
  await waits.option('Compare with', 'No other range').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(waits.option('Compare with', 'Another range')).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await expect(waits.option('Compared with', '60 min before')).toBeChecked();
  expect(new URL(page.url()).searchParams.get('compare')).toBe('last60');
  await expect(waits.column('Compared with')).toContainText('48 waits took');
  await expect(page.getByText('The two ranges overlap by')).toBeVisible();
  await waits.expectAccessible('the comparison');
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => waits.sidewaysPixels()).toBeLessThanOrEqual(0);
  await waits.expectAccessible('the comparison at 320 pixels');
});

test('in Chinese, every text of the comparison is Chinese', async ({ openRecording, page }) => {
  const { url } = await openRecording(deploy());
  await page.addInitScript(() => localStorage.setItem('lockscope.language', 'zh-CN'));
  await page.goto(`${url}/waits?compare=last60&last=1`);
  await page.getByRole('slider').press('End');
  await expect(page.getByRole('region', { name: '比较时段', exact: true })).toContainText('48 次等待共');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(await latinWords(page, /orders:42|UTC|\b[0-9a-f]{8}\b/g)).toEqual([]);
});
