import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { seriousFindings } from '../pages/axe.ts';
import { Frame } from '../pages/frame.ts';
import { OverviewPage } from '../pages/overview-page.ts';
import { TimelinePage } from '../pages/timeline-page.ts';
import { connectApp } from '../support/clients/app.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import { launchLockscopeProcess, startLockscopeProcess } from '../support/clients/lockscope-process.ts';
import { expect, test } from './stage.ts';

const RECORDING = fileURLToPath(new URL('../../shared/traces/recordings/format-1.lockscope', import.meta.url));

// one of them mostly waits, and is among the last of a whole run
test.describe.configure({ mode: 'parallel' });

/** Runs `use` with this Lockscope, and stops it afterwards. */
async function withLockscope(starting: Promise<Lockscope>, use: (lockscope: Lockscope) => Promise<void>) {
  const lockscope = await starting;
  try {
    await use(lockscope);
  } finally {
    await lockscope.stop();
  }
}

/** Checks that axe has no serious finding, in both themes. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  const frame = new Frame(page);
  for (const theme of ['Light', 'Dark'] as const) {
    await frame.choose(theme);
    expect.soft(await seriousFindings(page), `serious findings of axe: ${what}, ${theme}`).toEqual([]);
  }
}

test('without Redis, every page shows that nothing is watched, and what you can do meanwhile', async ({ page }) => {
  await withLockscope(launchLockscopeProcess('redis://127.0.0.1:1', []), async ({ url }) => {
    const frame = new Frame(page);
    for (const path of ['/', '/timeline', '/events', '/locks/orders%3A42']) {
      await page.goto(url + path);
      await expect(page.getByRole('alert')).toContainText('No Redis at redis://127.0.0.1:1.');
      await expect(page.getByText('Not watching, so there is nothing to show.').first()).toBeVisible();
      await expect(page.getByText(/Retrying automatically, next try in \d+ s\./).first()).toBeVisible();
      await expect(page.getByText('lockscope demo')).toBeVisible();
      await expect(frame.status('Not observing')).toBeVisible();
      for (const unknown of ['Snapshot –', 'Lag –', 'Drift –']) await expect(frame.health).toContainText(unknown);
      await expect(page.locator('main')).not.toContainText(/\blive\b/i);
      await expect(page.locator('body')).not.toContainText('Watching. No lock activity yet.');
      await expectAccessible(page, `no Redis ${path}`);
    }
  });
});

test('for a user who may not run MONITOR, the page shows the exact command that allows it', async ({ redis, page }) => {
  await redis.command('ACL', 'SETUSER', 'app', 'on', '>pw', '~*', '&*', '+@all', '-monitor');
  const url = redis.url.replace('//', '//app:pw@');
  await withLockscope(startLockscopeProcess(url, ['--observe', 'monitor']), async (lockscope) => {
    const frame = new Frame(page);
    await page.goto(lockscope.url);
    await expect(page.getByText('User app may not run MONITOR.')).toBeVisible();
    await expect(page.getByText('ACL SETUSER app +monitor', { exact: true })).toBeVisible();
    await expect(frame.health).toContainText('Key events only');
    await expectAccessible(page, 'MONITOR refused');
  });
  await withLockscope(startLockscopeProcess(url, ['--observe', 'events']), async (lockscope) => {
    await page.goto(lockscope.url);
    await page.getByRole('button', { name: 'Start monitor …' }).click();
    await page.getByRole('button', { name: /^Start monitor for 5 minutes/ }).click();
    await expect(page.getByRole('alert')).toContainText('ACL SETUSER app +monitor');
    await expectAccessible(page, 'MONITOR refused on asking');
  });
});

test('notices about key events and MONITOR show a command or a cost, and can be used or closed', async ({
  watch,
  page,
}) => {
  const { url } = await watch('--observe', 'events');
  const frame = new Frame(page);
  await page.goto(url);
  const hints = page.getByRole('region', { name: 'Hints' });
  await expect(hints.locator('.notice')).toHaveCount(1);
  await expect(hints).toContainText(
    /It would take about \d+(\.\d)? % of a core|Its cost for this Redis is shown before/,
  );
  await frame.health.getByRole('button', { name: 'Key tracking' }).click();
  const keyEvents = page.getByRole('dialog', { name: 'Key events' });
  await expect(keyEvents).toContainText('CONFIG SET notify-keyspace-events Eghxe');
  await expectAccessible(page, 'hints');
  await page.keyboard.press('Escape');

  await hints.getByRole('button', { name: 'Start monitor …' }).click();
  await hints.getByRole('button', { name: /^Start monitor for 5 minutes/ }).click();
  await expect(frame.health.getByRole('button', { name: /^Monitor/ })).toBeVisible();
  await expect(hints).toBeHidden();
});

test('a page without events shows the reason (none yet, filter, this time range) and a way out', async ({
  redis,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const { url } = lockscope;
  await page.goto(url);
  await expect(page.getByText('Watching. No lock activity yet.')).toBeVisible();
  await expect(page.getByText(/commands a second/)).toBeVisible();
  await expect(page.getByText(/No lock activity for \d+ s\./)).toBeVisible();
  await expectAccessible(page, 'no locks yet');
  await page.goto(`${url}/timeline`);
  await expect(page.getByText('Each lock that is taken becomes a lane here.')).toBeVisible();
  await expectAccessible(page, 'empty timeline');

  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  await app.release('orders:42');
  await page.goto(`${url}/?q=nothing-like-this`);
  await expect(page.getByText('1 lock hidden by “nothing-like-this”.')).toBeVisible();
  await expectAccessible(page, 'filtered away');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(new OverviewPage(page).row('orders:42')).toBeVisible();

  await page.goto(`${url}/events?lock=no-such-lock`);
  await expect(page.getByText('No event in memory matches.')).toBeVisible();
  await expectAccessible(page, 'no event matches');

  const [first] = await lockscope.eventsAfter(0);
  const from = Number(first?.at) / 1e6 + 3600;
  await page.goto(`${url}/timeline?v=1&src=live&view=${from}s%2B5s&at=${from}s`);
  await expect(page.getByText(/^Nothing between .* earlier\.$/)).toBeVisible();
  await expectAccessible(page, 'nothing in this stretch');
  await page.getByRole('button', { name: 'Jump there' }).click();
  await expect(page.getByText(/^Nothing between/)).toBeHidden();
  await app.close();
});

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

test('an opened recording is at its beginning and is never shown as live', async ({ page }) => {
  await withLockscope(startLockscopeProcess('open', [RECORDING]), async ({ url }) => {
    const frame = new Frame(page);
    for (const path of ['/', '/timeline', '/events', '/locks/orders%3A42']) {
      await page.goto(url + path);
      await expect(frame.status('Recording')).toBeVisible();
      const position = page.getByRole('slider', { name: 'Position in the recording' });
      await expect(position).toHaveAttribute('aria-valuetext', /^0\.0 s of /);
      await position.press('End');
      await expect(page.getByText('orders:42').first()).toBeVisible();
      await expect(page.locator('body')).not.toContainText(/\blive\b/i);
      await expect(page.locator('body')).not.toContainText('Watching');
      await expectAccessible(page, `recording ${path}`);
    }
    // the whole recording is in view, and its clock does not run
    await page.goto(`${url}/timeline`);
    const clock = await page.getByTitle('The end of the recording').innerText();
    await expect(page.getByRole('button', { name: /order-svc-1/ }).first()).toBeVisible();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/timeline');
    await new TimelinePage(page).showAs('Table');
    const marks = page.getByRole('table', { name: 'Marks of the timeline' });
    await expect(marks.getByRole('button', { name: 'released' })).toHaveCount(2);
    expect(await page.getByTitle('The end of the recording').innerText()).toBe(clock);
  });
});

test('if the server is gone, everything stays, the clock stops, and the page shows the time of its last message', async ({
  redis,
  page,
}) => {
  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  await withLockscope(startLockscopeProcess(redis.url), async (lockscope) => {
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await expect(overview.row('orders:42')).toBeVisible();
    await expect(page.getByText('Waits p95')).toBeVisible(); // the charts load last: the whole page is loaded
    await lockscope.stop();
    await expect(overview.banner).toContainText('The connection to Lockscope is lost.');
    await expect(overview.banner).toContainText(/Last message \d+ s ago/);
    await expect(overview.banner.getByRole('button', { name: 'Reload' })).toBeVisible();
    await expect(overview.health).toContainText('stopped at');
    await expect(overview.row('orders:42')).toBeVisible();
    await expectAccessible(page, 'server gone');
  });
  await app.close();
});

test('a part that does not load reports it, the others stay, and a retry loads it', async ({ redis, watch, page }) => {
  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  const { url } = await watch();
  await page.route('**/TrendPanel-*.js', (route) => route.abort());
  const overview = new OverviewPage(page);
  await overview.open(url);
  const part = page.getByRole('region', { name: 'Last 5 minutes' });
  await expect(part.getByRole('alert')).toContainText('Last 5 minutes could not be shown.');
  await expect(overview.row('orders:42')).toBeVisible();
  await page.unroute('**/TrendPanel-*.js');
  await part.getByRole('button', { name: 'Try again' }).click();
  await expect(part.getByText('Hidden at this level')).toBeVisible();
  await app.close();
});

test('a part whose first request is cut is loaded again without a question', async ({ redis, watch, page }) => {
  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  const { url } = await watch();
  await page.route('**/TrendPanel-*.js', (route) => route.abort(), { times: 1 });
  await new OverviewPage(page).open(url);
  const part = page.getByRole('region', { name: 'Last 5 minutes' });
  await expect(part.getByText('Hidden at this level')).toBeVisible();
  await app.close();
});
