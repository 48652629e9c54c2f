import type { Page } from '@playwright/test';
import { seriousFindings } from '../pages/axe.ts';
import { DemoPage } from '../pages/demo-page.ts';
import { EventsPage } from '../pages/events-page.ts';
import { Frame } from '../pages/frame.ts';
import { LockPage } from '../pages/lock-page.ts';
import { OverviewPage } from '../pages/overview-page.ts';
import { expect, test } from './stage.ts';

for (const theme of ['Light', 'Dark'] as const) {
  test(`${theme}: every page of a running demo is accessible`, async ({ demo, page }) => {
    test.slow();
    const stage = new DemoPage(page);
    await stage.open(demo.url);
    await stage.choose(theme);
    await stage.order('Lock', 'A', 1);
    await expect(stage.client('A')).toContainText('lock orders:42');
    await stage.order('Lock', 'B', 1);
    await stage.order('Lock', 'C', 1);
    await expectAccessible(page, 'demo');

    const overview = new OverviewPage(page);
    await overview.open(demo.url);
    await expect(overview.cell('orders:42', 'waiters')).toContainText('2');
    await expectAccessible(page, 'overview');

    await overview.health.getByRole('button', { name: /Monitor/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page, 'overview with the levels open');

    const lock = new LockPage(page);
    await lock.open(demo.url, 'orders:42');
    await expect(lock.waiters).toContainText('asleep');
    await expectAccessible(page, 'lock');

    await lock.holders.getByRole('link', { name: 'order-svc-1' }).click();
    await expect(page.getByRole('table', { name: 'Holds' })).toContainText('orders:42');
    await expect(page.getByRole('region', { name: 'About this client' })).toContainText('127.0.0.1:');
    await expectAccessible(page, 'client');
    await page.getByRole('link', { name: 'All clients' }).click();
    const clients = page.getByRole('table', { name: 'Clients' }).getByRole('link');
    await expect(clients).toHaveCount(3);
    await expect(clients.first()).toHaveText('order-svc-1');
    await expectAccessible(page, 'clients');

    await page.goto(`${demo.url}/graph`);
    await expect(page.getByRole('table', { name: 'Waits' }).getByRole('row')).toHaveCount(3);
    await expect(page.getByRole('table', { name: 'Waits' })).toContainText('order-svc-1:1');
    await expectAccessible(page, 'graph');

    await page.goto(`${demo.url}/waits`);
    await expect(page.getByRole('table', { name: 'Locks' })).toContainText('held by order-svc-1:1');
    await page.getByRole('radio', { name: 'The stretch before' }).check({ force: true });
    await expectAccessible(page, 'waits');

    const events = new EventsPage(page);
    await events.open(demo.url);
    await expect(events.table).toContainText('orders:42');
    await expectAccessible(page, 'events');
    // without a filter, later events push it out of sight
    await events.open(demo.url, { type: 'lock.acquired' });
    await events.event('acquired').first().click();
    await expect(events.redisLines).toBeVisible();
    await expectAccessible(page, 'events with an open one');

    await page.getByRole('button', { name: 'Help: keys' }).click();
    await expect(page.getByRole('dialog', { name: 'Shortcuts and symbols' })).toBeVisible();
    await expectAccessible(page, 'help');
  });

  test(`${theme}: empty pages and pages with problems are accessible`, async ({ redis, watch, page }) => {
    const lockscope = await watch('--observe', 'monitor');
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    await overview.choose(theme);
    await expect(page.getByText('Watching. No lock activity yet.')).toBeVisible();
    await expectAccessible(page, 'empty overview');
    await page.goto(`${lockscope.url}/events`);
    await expect(page.getByText('Watching. No lock activity yet.')).toBeVisible();
    await expectAccessible(page, 'empty events');
    await page.goto(`${lockscope.url}/waits`);
    await expect(page.getByText('No wait was seen in this stretch.')).toBeVisible();
    await expectAccessible(page, 'no waits');
    await page.goto(`${lockscope.url}/clients`);
    await expect(page.getByText('No client has been seen.')).toBeVisible();
    await expectAccessible(page, 'no clients');
    await page.goto(`${lockscope.url}/no-such-page`);
    await expect(new Frame(page).heading).toBeVisible();
    await expectAccessible(page, 'no such page');
    await redis.crash();
    await expect(overview.banner).toBeVisible();
    await expectAccessible(page, 'Redis gone');
  });
}

async function expectAccessible(page: Page, what: string): Promise<void> {
  expect.soft(await seriousFindings(page), `serious findings of axe: ${what}`).toEqual([]);
}
