import type { Page } from '@playwright/test';
import { DemoPage } from '../pages/demo-page.ts';
import { EventsPage } from '../pages/events-page.ts';
import { Frame } from '../pages/frame.ts';
import { LockPage } from '../pages/lock-page.ts';
import { OverviewPage } from '../pages/overview-page.ts';
import { expect, test } from '../scenarios/stage.ts';

/** The pictures that README and docs show; they are kept in the repository. */
const SHOWN = new Set(['overview-light', 'overview-dark', 'lock-light', 'events-light', 'demo-dark']);

for (const theme of ['Light', 'Dark'] as const) {
  const named = (name: string) => `${name}-${theme.toLowerCase()}`;

  test(`${theme}: an application at work`, async ({ startApplication, watch, page }) => {
    const [orders1, orders2, reports] = await Promise.all(
      ['order-svc-1', 'order-svc-2', 'report-job'].map(startApplication),
    );
    const lockscope = await watch('--observe', 'monitor');
    await reports?.ask({ thread: 1, action: 'lock', lock: 'reports:daily', leaseMs: 600_000 });
    await orders2?.ask({ thread: 2, action: 'lock', lock: 'stock:sku-1009' });
    await orders2?.ask({ thread: 2, action: 'lock', lock: 'stock:sku-1009' });
    await orders1?.ask({ thread: 1, action: 'lock', lock: 'orders:41' });
    await orders1?.ask({ thread: 1, action: 'unlock', lock: 'orders:41' });
    await orders1?.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
    // These wait until the scenario ends.
    void orders2?.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
    void reports?.ask({ thread: 2, action: 'lock', lock: 'orders:42' });

    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await overview.choose(theme);
    await expect(overview.cell('orders:42', 'waiters')).toContainText('2');
    await expect(overview.cell('orders:42', 'holder')).toContainText('order-svc-1:1');
    await expect(overview.cell('reports:daily', 'holder')).toContainText('report-job:1');
    await page.setViewportSize({ width: 1200, height: 420 });
    await shoot(page, named('overview'));

    await page.setViewportSize({ width: 1200, height: 720 });
    const lock = new LockPage(page);
    await overview.link('orders:42').click();
    await expect(lock.waiters).toContainText('asleep');
    await expect(lock.events.getByRole('button', { name: 'renewed' }).first()).toBeVisible();
    await shoot(page, named('lock'));

    const events = new EventsPage(page);
    await events.open(lockscope.url, { lock: 'orders:42' });
    await events.event('refused').last().click();
    await expect(events.redisLines).toBeVisible();
    await shoot(page, named('events'));

    await page.setViewportSize({ width: 320, height: 640 });
    await overview.open(lockscope.url);
    await expect(overview.row('orders:42')).toBeVisible();
    await shoot(page, named('overview-320'));
  });

  test(`${theme}: the demo between two steps`, async ({ demo, page }) => {
    const stage = new DemoPage(page);
    await stage.open(demo.url);
    await stage.choose(theme);
    // Names are read from time to time: let both clients be known first.
    for (const client of ['A', 'B']) {
      await stage.order('Lock', client, 1);
      await expect(stage.now).toContainText(client === 'A' ? 'order-svc-1:1' : 'order-svc-2:1');
      await stage.order('Unlock', client, 1);
      await expect(stage.now).toContainText('Free. Nobody holds it.');
    }
    await stage.start('two-threads');
    await expect(stage.state).toContainText('Step 4 of 8.');
    await shoot(page, named('demo'));
  });

  test(`${theme}: nothing, trouble, a thousand`, async ({ redis, startApplication, watch, page }) => {
    const lockscope = await watch('--observe', 'monitor');
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await overview.choose(theme);
    await expect(page.getByText('Watching. No lock activity yet.')).toBeVisible();
    await shoot(page, named('empty'));

    const application = await startApplication('billing-1');
    for (let n = 1; n <= 1000; n++) {
      await application.ask({ thread: 1, action: 'lock', lock: `invoices:${n}`, leaseMs: 3_600_000 });
    }
    await expect(page.getByText('1,000 held')).toBeVisible();
    await shoot(page, named('thousand'));

    await redis.crash();
    await expect(new Frame(page).banner).toBeVisible();
    await shoot(page, named('trouble'));
  });
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const folder = SHOWN.has(name) ? 'docs/screens' : 'test-results/screens';
  await page.screenshot({ path: `${folder}/${name}.png` });
}
