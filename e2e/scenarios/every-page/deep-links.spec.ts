import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { EventsPage } from '../../pages/events-page.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { TimelinePage } from '../../pages/timeline-page.ts';
import type { App } from '../../support/clients/app.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { expect, test } from '../stage.ts';

const RECORDING = fileURLToPath(new URL('../../../shared/traces/recordings/format-1.lockscope', import.meta.url));
const LOCK = 'orders:42';

type Story = { watch(...flags: string[]): Promise<Lockscope>; contend(lock: string): Promise<App> };

/** One thread holds the lock, another waits for it and then acquires it. */
async function watchStory({ watch, contend }: Story) {
  const lockscope = await watch('--observe', 'monitor');
  const app = await contend(LOCK);
  await app.release(LOCK, { thread: 1 });
  await app.acquire(LOCK, { thread: 2 });
  await app.release(LOCK, { thread: 2 });
  await expect.poll(async () => (await lockscope.eventsAfter(0, { type: 'lock.released' })).length).toBe(2);
  return { url: lockscope.url, app };
}

/** The banner of a page that shows an earlier instant. */
function banner(page: Page) {
  return page.getByRole('status').filter({ hasText: 'As of' });
}

test('a copied link opens the same picture, with its view, zooms, cursor and selection', async ({
  openRecording,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const first = new TimelinePage(await context.newPage());
  await first.open((await openRecording(RECORDING)).url);
  await first.showAs('Table');
  await first
    .mark(/waited|waits/)
    .first()
    .click();
  await first.showAs('Chart');
  await first.page.getByRole('heading', { level: 1 }).focus();
  await first.page.keyboard.press('z');
  await first.page.keyboard.press('j');
  await first.page.keyboard.press('c');
  await expect.poll(() => first.page.evaluate(() => navigator.clipboard.readText())).toContain('/timeline?');
  const link = await first.page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).searchParams.get('sel')).toMatch(/^w\d+$/);

  const second = new TimelinePage(await context.newPage());
  await second.page.goto(link);
  await expect(second.sentence).toHaveText(await first.sentence.innerText());
  await expect(second.zooms).toHaveText(await first.zooms.innerText(), { useInnerText: true });
  await expect(second.atCursor).toHaveText(await first.atCursor.innerText(), { useInnerText: true });
  await expect.poll(() => second.moment()).toEqual(first.moment());
  expect(second.page.url()).toBe(link);
});

test('the page of a lock shares a text with a link, a picture and a recording that can be opened', async ({
  contend,
  watch,
  openRecording,
  context,
}) => {
  const { url, app } = await watchStory({ watch, contend });
  await app.acquire(LOCK, { thread: 3 });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const first = new LockPage(await context.newPage());
  await first.open(url, LOCK);
  await expect(first.holders).toContainText('order-svc-1:3');
  await first.page.getByRole('button', { name: 'Share' }).click();
  await app.release(LOCK, { thread: 3 });
  await expect(first.page.getByText('Free. No client holds it.')).toBeVisible();

  await first.page.getByRole('button', { name: 'Copy text' }).click();
  await expect(first.page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await first.page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(
    /^At \d{4}-\d\d-\d\d \S+ UTC, the lock `orders:42` \(.*\) was held by `order-svc-1:3` for .*s of its lease left\./,
  );
  const link = /\]\((.*)\)$/.exec(text)?.[1] ?? '';
  const second = new LockPage(await context.newPage());
  await second.page.goto(link);
  await expect(banner(second.page)).toBeVisible();
  await expect(second.holders).toContainText(':3');

  const save = async (name: string) => {
    const [download] = await Promise.all([
      first.page.waitForEvent('download'),
      first.page.getByRole('button', { name }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^orders-42-.*Z\.(png|lockscope)$/);
    return download.path();
  };
  const picture = PNG.sync.read(readFileSync(await save('Save picture')));
  expect(picture.width).toBe(2800);
  expect(new Set(new Uint32Array(new Uint8Array(picture.data).buffer)).size).toBeGreaterThan(20);

  const opened = await openRecording(await save('Save recording'));
  const acquired = await opened.eventsAfter(0, { lock: LOCK, type: 'lock.acquired' });
  expect(acquired).toMatchObject([1, 2, 3].map((thread) => ({ holder: expect.stringMatching(`:${thread}$`) })));
});

test('Back and Forward go through the earlier selections', async ({ openRecording, page }) => {
  const timeline = new TimelinePage(page);
  await timeline.open((await openRecording(RECORDING)).url);
  await timeline.showAs('Table');
  await timeline
    .mark(/waited|waits/)
    .first()
    .click();
  await expect(timeline.sentence).toContainText('waited');
  const waited = await timeline.sentence.innerText();
  await timeline.mark('released').last().click();
  await expect(timeline.sentence).toContainText('released');
  const released = await timeline.sentence.innerText();

  await page.goBack();
  await expect(timeline.sentence).toHaveText(waited);
  await page.goForward();
  await expect(timeline.sentence).toHaveText(released);
});

test('selection and cursor are kept from page to page', async ({ contend, watch, page }) => {
  const { url } = await watchStory({ watch, contend });
  const events = new EventsPage(page);
  await events.open(url);
  const row = events.event('refused').last();
  const before = await row.boundingBox();
  await row.click();
  await expect(banner(page)).toBeVisible();
  await expect(events.redisLines).toBeVisible();
  // rows have fractions of a pixel
  const moved = Math.abs(((await row.boundingBox())?.y ?? Number.NaN) - (before?.y ?? Number.NaN));
  expect(moved, 'the clicked row stays under the pointer').toBeLessThan(1);
  const instant = (await banner(page).locator('strong').innerText()).replace(/(\d\d\.\d{3}).*$/, '$1');
  const seq = new URL(page.url()).searchParams.get('sel');
  const firstAt = new URL(page.url()).searchParams.get('at');

  const timeline = new TimelinePage(page);
  await page.getByRole('link', { name: 'Timeline', exact: true }).click();
  await expect(timeline.sentence).toContainText(LOCK);
  await expect(timeline.atCursor).toContainText(instant.replace('As of ', ''));
  expect(timeline.moment().sel).toBe(seq);

  await timeline.atCursor.getByRole('link', { name: 'Open the lock' }).click();
  const lock = new LockPage(page);
  await expect(banner(page)).toContainText(instant);
  await expect(lock.holders).toContainText(':1');

  // ten events later the lock is free; two events before that, the second thread holds it
  await page.keyboard.press('Shift+K');
  await expect(lock.holders).toContainText('Free.');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(lock.holders).toContainText(':2');

  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await expect(banner(page)).toBeVisible();
  const at = () => new URL(page.url()).searchParams.get('at');
  expect(at()).not.toBe(firstAt);
  await page.getByRole('button', { name: 'Go live', exact: true }).click();
  await expect(banner(page)).toBeHidden();
  await expect.poll(at).toBeNull();
});

test('unreadable parts of a link are left out and named; unknown parts are kept', async ({ openRecording, page }) => {
  const timeline = new TimelinePage(page);
  await page.goto(`${(await openRecording(RECORDING)).url}/timeline?at=soon&team=blue`);
  const notice = page.getByText('Part of this link was not understood: at.');
  await expect(notice).toBeVisible();
  await timeline.showAs('Table');
  await timeline.mark('released').first().click();
  await expect.poll(() => timeline.moment().sel).not.toBeNull();
  expect(new URL(page.url()).searchParams.get('team')).toBe('blue');
  await expect(notice).toBeVisible(); // even after the address bar has changed
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(notice).toBeHidden();
});

test('at a moment before the first event, the page shows when the first event was, and Go live leads to now', async ({
  contend,
  watch,
  page,
}) => {
  const { url } = await watchStory({ watch, contend });
  await page.goto(`${url}/timeline?v=1&src=live&view=1000s%2B10s&at=1005s&sel=h1`);
  await expect(page.getByText(/^No data this early: the first event is from /)).toBeVisible();
  await page.getByRole('button', { name: 'Go live', exact: true }).click();
  await expect(page.getByText(/^No data this early: the first event is from /)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Live', exact: true }).last()).toBeVisible();
});

test('a link into a recording uses times since its beginning; opened in another Lockscope, it names the recording', async ({
  contend,
  watch,
  openRecording,
  page,
}) => {
  const recording = await openRecording(RECORDING);
  const timeline = new TimelinePage(page);
  await timeline.open(recording.url);
  await timeline.showAs('Table');
  await timeline.mark('released').first().click();
  await expect(timeline.sentence).toContainText('released');
  const sentence = await timeline.sentence.innerText();
  await expect.poll(() => timeline.moment().sel).not.toBeNull();
  const link = new URL(page.url());
  expect(link.searchParams.get('src')).toBe('format-1.lockscope');
  expect(Number.parseFloat(link.searchParams.get('at') ?? 'none')).toBeLessThan(60);

  await page.goto('about:blank');
  await page.goto(link.href);
  await expect(timeline.sentence).toHaveText(sentence);

  const { url } = await watchStory({ watch, contend });
  await page.goto(`${url}/timeline${link.search}`);
  const notice = page.getByText(/points into the recording format-1\.lockscope/);
  await expect(notice).toBeVisible();
  // the address follows the view, and the notice stays until it is closed
  await expect.poll(() => new URL(page.url()).searchParams.get('src')).toBeNull();
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(notice).toBeHidden();
});
