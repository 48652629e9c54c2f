import type { Page } from '@playwright/test';
import { OverviewPage } from '../../pages/overview-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { keepBusy } from '../../support/clients/busy-locks.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { acceptCost } from '../../support/lockscope/watched-redis.ts';
import { expect, test } from '../stage.ts';

/** A link to the overview at an instant of Redis's clock, in microseconds. */
function linkTo(lockscope: Lockscope, at: number, more = ''): string {
  return `${lockscope.url}/?v=1&src=live&at=${at / 1e6}s${more}`;
}

function banner(page: Page) {
  return page.getByRole('status').filter({ hasText: 'As of' });
}

test('the overview at a past instant shows the holders of that time, moves in time, and links to other pages', async ({
  redis,
  watch,
  startApplication,
  page,
}) => {
  const application = await startApplication('payments-worker');
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  await application.ask({ thread: 1, action: 'lock', lock: 'payment:EU' });
  const waiting = application.ask({ thread: 2, action: 'lock', lock: 'payment:EU' });
  await app.acquire('report:nightly');
  await expect.poll(async () => (await lockscope.lock('payment:EU'))?.waiters.length).toBe(1);
  await expect.poll(async () => (await lockscope.lock('report:nightly'))?.held).toBe(true);
  const then = (await lockscope.eventsAfter(0)).at(-1)?.at ?? 0;
  // since then everything was released, and the events that followed fill the memory of the page
  await application.ask({ thread: 1, action: 'unlock', lock: 'payment:EU' });
  await waiting;
  await application.ask({ thread: 2, action: 'unlock', lock: 'payment:EU' });
  await app.release('report:nightly');
  await acceptCost(lockscope);
  await keepBusy(app, 3000, lockscope);
  await expect.poll(async () => await lockscope.newestSeq()).toBeGreaterThan(6000);

  const overview = new OverviewPage(page);
  await test.step('a link shows the list, the counts and the order at that time', async () => {
    await page.goto(linkTo(lockscope, then));
    await expect(banner(page)).toBeVisible();
    await expect(overview.cell('payment:EU', 'holder')).toContainText(':1');
    await expect(overview.cell('payment:EU', 'waiters')).toContainText(':2');
    await expect(overview.table.getByRole('link').first()).toHaveText('payment:EU');
    await expect(page.locator('.counters')).toContainText('2 held');
    await expect(page.locator('.counters')).toContainText('1 waiting');
    await expect(overview.row('cart:1')).toBeHidden();
    const { body } = await lockscope.get(`/api/locks?at=${then}`);
    const { locks } = body as { locks: { name: string }[] };
    await expect(overview.table.getByRole('link')).toHaveText(locks.map(({ name }) => name));
  });

  await test.step('J goes one event back, K forward; a lock opens at that instant', async () => {
    await page.keyboard.press('j');
    await expect(overview.cell('payment:EU', 'holder')).toContainText(':1');
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).not.toBe(`${then / 1e6}s`);
    await page.keyboard.press('k');
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(`${then / 1e6}s`);
    await overview.link('payment:EU').click();
    await expect(banner(page)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Holders' })).toContainText(application.uuid);
    await expect(
      page.getByRole('table', { name: 'Events' }).getByRole('button', { name: 'acquired' }).first(),
    ).toBeVisible();
  });

  await test.step('the page of events shows that time, before thousands of later events, and leads back to the overview of that time', async () => {
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await expect(page.getByText(/^Only [\d,]+ events around the cursor are loaded\.$/)).toBeVisible();
    await expect(page.getByRole('table', { name: 'Events' })).toContainText('report:nightly');
    await page.getByRole('link', { name: 'Now', exact: true }).click();
    await expect(banner(page)).toBeVisible();
    await expect(overview.row('cart:1')).toBeHidden();
  });

  await test.step('the button leads back to now', async () => {
    await page.getByRole('button', { name: 'Go live', exact: true }).click();
    await expect(banner(page)).toBeHidden();
    await expect(overview.table.getByText('cart:*')).toBeVisible();
    await overview.find.fill('payment');
    await expect(overview.cell('payment:EU', 'holder')).toContainText('free');
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBeNull();
  });

  await test.step('for an instant that is not in memory, the page shows the oldest instant and links to it', async () => {
    await page.goto(linkTo(lockscope, then - 3600e6)); // the instant may be on another day, and then has a date
    await expect(page.getByText(/^(\w+ \d+ )?\S+ is not in memory\.$/)).toBeVisible();
    await expect(page.getByText(/^Memory goes back to (\w+ \d+ )?\d\d:\d\d:\d\d\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'Go to the oldest instant' }).click();
    await expect(banner(page)).toBeVisible();
    // the oldest events may be about the server
    const [acquired] = await lockscope.eventsAfter(0, { lock: 'payment:EU', type: 'lock.acquired' });
    const first = acquired?.at ?? 0;
    const shown = () => Number.parseFloat(new URL(page.url()).searchParams.get('at') ?? '') * 1e6;
    await expect.poll(shown).toBeGreaterThan(then - 1800e6);
    for (let before = shown(); Math.round(before) < first; before = shown()) {
      await page.keyboard.press('k');
      await expect.poll(shown).toBeGreaterThan(before);
    }
    await expect(overview.row('payment:EU')).toBeVisible();
    await expect(overview.row('report:nightly')).toBeHidden();
  });
  await app.close();
});
