import { EventsPage } from '../../pages/events-page.ts';
import { expect, test } from '../stage.ts';

/** Short, long, from right to left, and with characters that are invisible. */
const NAMES = ['job:#', 'warehouse:order:#:position:reserved', 'قفل-#', 'tab\t#', '# at the end '];
/** Enough to fill the page. */
const LOCKS = Array.from({ length: 40 }, (_, n) => NAMES[n % NAMES.length]?.replace('#', String(n)) ?? '');

test('the filters of the events page match parts of names, during typing', async ({ connect, watch, page }) => {
  const payments = await connect('payments-worker');
  const carts = await connect('cart-svc');
  const lockscope = await watch('--observe', 'monitor');
  await payments.acquire('payment:settlement:EU');
  for (const lock of ['cart:3', 'cart:30']) {
    await carts.acquire(lock);
    await carts.release(lock);
  }
  await expect
    .poll(async () => (await lockscope.lock('payment:settlement:EU'))?.holders[0]?.name)
    .toBe('payments-worker');
  await expect.poll(async () => (await lockscope.eventsAfter(0, { type: 'lock.released' })).length).toBe(2);

  const events = new EventsPage(page);
  await events.open(lockscope.url);
  await test.step('a part of the lock’s name finds its events', async () => {
    await page.getByLabel('Lock contains').pressSequentially('SETTLE');
    await expect(events.event('acquired')).toHaveCount(1);
    await expect(events.table).toContainText('payment:settlement:EU');
    await expect.poll(() => new URL(page.url()).searchParams.get('lockPart')).toBe('SETTLE');
  });

  await test.step('a part of the holder’s name finds its events', async () => {
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByLabel('Holder contains').pressSequentially('payments');
    await expect(events.event('acquired')).toHaveCount(1);
    await expect(events.table).toContainText('payments-worker:1');
  });

  await test.step('if nothing matches, the page shows what was searched', async () => {
    await page.getByLabel('Lock contains').fill('cart');
    await expect(page.getByText('No event in memory matches.')).toBeVisible();
    await expect(page.getByText(/^Searched [\d,]+ events: all since the first one at \d\d:\d\d:\d\d\.$/)).toBeVisible();
  });

  await test.step('the button Only trouble filters by a topic, which is then in the URL', async () => {
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await page.getByRole('button', { name: 'Only trouble' }).click();
    await expect(page.getByText('No event in memory matches.')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('topic')).toBe('trouble');
  });

  await test.step('a link filters by a whole name, and the label shows it', async () => {
    await events.open(lockscope.url, { lock: 'cart:3' });
    await expect(page.getByLabel('Lock is')).toHaveValue('cart:3');
    await expect(events.event('released')).toHaveCount(1);
    await expect(events.table.getByText('cart:30', { exact: true })).toHaveCount(0);
  });

  await test.step('if the filter matches only parts of names, the page reports that and offers their events', async () => {
    await events.open(lockscope.url, { lock: 'settlement' });
    await expect(page.getByText('As a part, events of 1 lock and 1 holder match.')).toBeVisible();
    await page.getByRole('link', { name: 'Show their events' }).click();
    await expect(events.table).toContainText('payment:settlement:EU');
  });

  await test.step('a row that replaces one that is gone shows the same as a row that is rendered again', async () => {
    await events.open(lockscope.url);
    await expect(events.event('acquired')).not.toHaveCount(0);
    for (const lock of LOCKS) {
      await payments.acquire(lock);
      await carts.acquire(lock);
      await payments.release(lock);
    }
    await expect(events.table.locator('tbody tr').last()).toContainText(/39.*released/);
    const written = await events.cells();
    await events.stopFollowing();
    const rendered = await events.cells();
    const inBoth = Object.keys(written).filter((row) => row in rendered);
    expect(inBoth.length).toBeGreaterThan(15);
    for (const row of inBoth) expect(written[row]).toBe(rendered[row]);
  });
});
