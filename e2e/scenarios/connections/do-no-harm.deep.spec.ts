import type { Page } from '@playwright/test';
import { Frame } from '../../pages/frame.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { startSetLoad } from '../../support/clients/set-load.ts';
import { launchLockscope } from '../../support/lockscope/lockscope.ts';
import type { RunningRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

/* How the page shows which work Lockscope leaves out to spare Redis, and a Redis that does not answer. */

const LEASE_MS = 3_600_000;
const NARROW = { width: 320, height: 760 };
const WIDE = { width: 1280, height: 760 };

/** Runs `use` with an application that has a connection to this Redis. */
async function withApp(redis: RunningRedis, use: (app: Awaited<ReturnType<typeof connectApp>>) => Promise<void>) {
  const app = await connectApp(redis.url);
  try {
    await use(app);
  } finally {
    await app.close();
  }
}

/** Adds 5,000 fields to a hash, so that it is too large to be read as a lock. */
const GROW = "for i = 1, 5000 do redis.call('hset', KEYS[1], 'field:' .. i, '1') end";

test('a lock that is too large to be read is marked on its row and its page, and the next lock is not', async ({
  redis,
  watch,
  page,
}) => {
  await redis.command('CONFIG', 'SET', 'notify-keyspace-events', 'Eghxe');
  const lockscope = await watch('--observe', 'events');
  await withApp(redis, async (app) => {
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    for (const lock of ['grows', 'orders:42', 'fair:payroll']) await app.acquire(lock, { leaseMs: LEASE_MS });
    await expect(overview.row('grows')).toBeVisible();
    await expect(overview.row('orders:42')).toBeVisible();
    await app.command('EVAL', GROW, '1', 'grows');
    await app.command('HSET', 'poison', app.holder(9), Buffer.alloc(2 * 1024 * 1024, 65));
    for (let n = 0; n < 3; n++)
      await app.command('RPUSH', 'redisson_lock_queue:{fair:payroll}', Buffer.alloc(1024 * 1024, 65));

    await expect(overview.row('grows')).toContainText(/not read since \d\d:\d\d:\d\d: its hash is too large/);
    await expect(overview.row('fair:payroll')).toContainText(/waiters or permits not read since [\d:]{8}: /);
    await expect(overview.cell('orders:42', 'holder')).toContainText(app.uuid.slice(0, 8));
    await expect(overview.row('orders:42')).not.toContainText('not read');

    await overview.health.getByRole('button', { name: '3 keys too large' }).click();
    const keys = page.getByRole('dialog', { name: 'Keys too large to read' }).getByRole('listitem');
    await expect(keys.filter({ hasText: 'grows' })).toContainText(
      /5,001 fields · a known lock, not read since [\d:]{8}/,
    );
    await expect(keys.filter({ hasText: 'fair:payroll' })).toContainText('its list of waiters or permits is too large');
    await expect(keys.filter({ hasText: 'poison' })).toContainText(/2,\d{3},\d{3} bytes · it may be a lock/);
    await expectSound(page, 'keys too large');
    await page.keyboard.press('Escape');
    await expectSound(page, 'overview with unread locks');

    const lock = new LockPage(page);
    await lock.open(lockscope.url, 'grows');
    await expect(page.getByText(/^Not read since [\d:]{8}: its hash is too large$/)).toBeVisible();
    await expect(lock.holders).toContainText(app.holder());
    await expect(page.getByRole('region', { name: 'Keys in Redis' })).not.toContainText('seen');
    await expectSound(page, 'lock that is not read');

    await app.command('DEL', 'grows');
    await expect(
      page.getByText(/^Free\. Its key was deleted at [\d:]{8}, and no hold was seen since\.$/),
    ).toBeVisible();
    await expect(page.getByText('Not read since')).toHaveCount(0);
  });
});

test('the button that starts MONITOR shows its cost, and above the budget a second button is needed', async ({
  redis,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'events');
  const load = startSetLoad(redis.port, 40_000, 1000);
  try {
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await overview.health.getByRole('button', { name: 'Key events only' }).click();
    const panel = page.getByRole('dialog', { name: 'Level of observation' });
    await expect(panel).toContainText(/MONITOR would take about \d{2,3} % of a core of this Redis now/);
    await expectSound(page, 'levels with a price');
    await panel.getByRole('button', { name: 'Switch to monitor' }).click();
    const start = panel.getByRole('button', { name: /^Start monitor for 5 minutes \(about \d{2,3} % of a core\)$/ });
    await expect(start).toBeVisible();
    await expectSound(page, 'the question about MONITOR');
    await start.click();
    await expect(panel.getByRole('alert')).toContainText(/MONITOR would take about \d{2,3} % of a core/);
    await expect(start).toHaveCount(0);
    await expect(panel.getByRole('button', { name: 'Switch on anyway, for 30 s' })).toBeVisible();
    await expect(overview.health.getByRole('button', { name: 'Key events only' })).toBeVisible();
    await expectSound(page, 'MONITOR refused');
  } finally {
    load.stop();
  }
});

test('a Redis that is stopped is shown as not answering until it continues', async ({ redis, watch, page }) => {
  const lockscope = await watch('--observe', 'events');
  await withApp(redis, async (app) => {
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await app.acquire('orders:42', { leaseMs: LEASE_MS });
    await expect(overview.row('orders:42')).toBeVisible();
    await redis.freeze();
    try {
      await expect(overview.banner).toContainText('is not answering');
      await expect(overview.status('Not answering')).toBeVisible();
      await expect(page.getByText('The page shows the last known state.', { exact: false })).toBeVisible();
      await overview.status('Not answering').click();
      const panel = page.getByRole('dialog', { name: 'Source' });
      await expect(panel).not.toContainText('Redis load from Lockscope');
      await page.keyboard.press('Escape');
      await expectSound(page, 'a Redis that does not answer');
    } finally {
      await redis.thaw();
    }
    await expect(overview.status('Live')).toBeVisible();
    await expect(overview.banner).toHaveCount(0);
  });
});

test('for a Redis that never answered, the page does not claim to show a last known state', async ({ redis, page }) => {
  await redis.freeze();
  const lockscope = await launchLockscope(redis.url, []);
  try {
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await expect(overview.banner).toContainText(/answer/);
    await expect(page.getByText('last known state')).toHaveCount(0);
  } finally {
    await redis.thaw();
    await lockscope.stop();
  }
});

/** Checks that a page is accessible in both themes, and that nothing is too wide, on a wide and on a narrow page. */
async function expectSound(page: Page, what: string): Promise<void> {
  for (const viewport of [NARROW, WIDE]) {
    await page.setViewportSize(viewport);
    await expect.poll(() => tooWide(page), `${what}, ${viewport.width} px: wider than their place`).toEqual([]);
  }
  await new Frame(page).expectAccessible(what);
}

/** The page and open panels that scroll sideways or extend beyond the window, with their widths. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [document.documentElement, ...document.querySelectorAll<HTMLElement>('dialog:popover-open')];
    return all.flatMap((element) => {
      const { left, right } = element.getBoundingClientRect();
      const isInside = left >= 0 && right <= window.innerWidth && element.scrollWidth <= element.clientWidth;
      return isInside ? [] : [`${element.tagName} ${left} to ${right}, content ${element.scrollWidth}`];
    });
  });
}
