import type { Locator, Page } from '@playwright/test';
import { EventsPage } from '../../pages/events-page.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('with the keyboard alone a user can open the page of a lock, and the Redis lines of an event', async ({
  connect,
  watch,
  page,
}) => {
  const application = await connect('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  for (const lock of ['a:1', 'b:2', 'c:3']) await application.acquire(lock);
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.row('c:3')).toBeVisible();

  await test.step('the second tab stop leads to the table', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Skip to the locks' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(overview.link('a:1')).toBeFocused();
    await overview.open(lockscope.url);
    await expect(overview.row('c:3')).toBeVisible();
  });

  await test.step('ArrowDown moves from the top of the page into the table and to the next row, and Enter opens it', async () => {
    await page.keyboard.press('ArrowDown');
    await expect(overview.link('a:1')).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(overview.link('b:2')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(new LockPage(page).heading).toHaveText('b:2');
    await expect(new LockPage(page).heading).toBeFocused();
  });

  await test.step('key 5 opens the events; Tab and Enter open the lines of one event', async () => {
    await page.keyboard.press('5');
    const events = new EventsPage(page);
    await expect(events.heading).toHaveText('Events');
    await expect(events.event('acquired').first()).toBeVisible();
    await tabTo(page, events.event('acquired'));
    await page.keyboard.press('Enter');
    await expect(events.redisLines).toContainText('hincrby', { ignoreCase: true });
    await tabTo(page, events.redisLines);
  });

  await test.step('key 0 opens the lock again, and key 2 the timeline', async () => {
    await page.keyboard.press('0');
    await expect(new LockPage(page).heading).toHaveText('b:2');
    await page.keyboard.press('2');
    await expect(new LockPage(page).heading).toHaveText('Timeline');
  });

  await test.step('key 1 opens the overview at the time of the event; End on the timeline goes back to now', async () => {
    await page.keyboard.press('1');
    await expect(page.getByRole('status').filter({ hasText: 'As of' })).toBeVisible();
    await expect(overview.row('a:1')).toBeVisible();
    await expect(overview.row('c:3')).toBeHidden();
    await page.keyboard.press('2');
    await expect(page.locator('.tl-board:not([inert])')).toBeVisible();
    await page.keyboard.press('End');
  });

  await test.step('/ opens the search, Escape closes it, ? shows the help', async () => {
    await page.keyboard.press('1');
    await expect(page.getByRole('status').filter({ hasText: 'As of' })).toBeHidden();
    await page.keyboard.press('/');
    await expect(overview.find).toBeFocused();
    await page.keyboard.type('c:3');
    await expect(overview.row('b:2')).toBeHidden();
    await expect(overview.row('c:3')).toBeVisible();
    await expect(overview.find).toHaveAttribute('aria-expanded', 'true');
    for (const closedByEscape of ['the list', 'the filter', 'the field']) {
      await expect(overview.find, closedByEscape).toBeFocused();
      await page.keyboard.press('Escape');
    }
    await expect(overview.find).not.toBeFocused();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Shortcuts and symbols' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('/, a name and Enter open a lock from any page; /, a part of an action and Enter run it', async () => {
    await page.keyboard.press('5');
    await page.keyboard.press('/');
    await page.keyboard.type('B:');
    await expect(page.getByRole('option', { name: 'b:2' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(new LockPage(page).heading).toHaveText('b:2');
    await page.keyboard.press('/');
    await page.keyboard.type('timeline');
    await expect(page.getByRole('option', { name: 'Go to Timeline' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(new LockPage(page).heading).toHaveText('Timeline');
    await page.keyboard.press('1');
  });

  await test.step('key O opens the settings, and the arrows choose among them', async () => {
    await page.keyboard.press('o');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect(settings).toBeVisible();
    await tabTo(page, settings.getByRole('group', { name: 'Table density' }).getByRole('radio'));
    await page.keyboard.press('ArrowRight');
    await expect(settings.getByRole('radio', { name: 'Compact' })).toBeChecked();
    await page.keyboard.press('Escape');
    const height = () => overview.row('b:2').evaluate((row) => row.getBoundingClientRect().height);
    await expect.poll(height).toBeLessThan(25);
    await page.reload();
    await expect.poll(height).toBeLessThan(25);
  });
});

/** Presses Tab until one of the elements has the focus. */
async function tabTo(page: Page, elements: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const hasFocus = await elements.evaluateAll((nodes) => nodes.some((node) => node === document.activeElement));
    if (hasFocus) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`sixty tabs do not lead to ${elements}`);
}
