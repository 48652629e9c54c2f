import { EventsPage } from '../pages/events-page.ts';
import { connectApp } from '../support/clients/app.ts';
import { keepBusy } from '../support/clients/busy-locks.ts';
import { acceptCost } from '../support/clients/watched-redis.ts';
import { expect, test } from './stage.ts';

test('the filters of the events match parts of names, while typing, in the whole memory of the server', async ({
  redis,
  watch,
  startApplication,
  page,
}) => {
  const application = await startApplication('payments-worker');
  const lockscope = await watch('--observe', 'monitor');
  await application.ask({ thread: 1, action: 'lock', lock: 'payment:settlement:EU' });
  // events of so many other locks that the page no longer has those of the first one
  await acceptCost(lockscope);
  const app = await connectApp(redis.url);
  await keepBusy(app, 3000, lockscope);
  await expect.poll(async () => await lockscope.newestSeq()).toBeGreaterThan(6000);
  await expect
    .poll(async () => (await lockscope.lock('payment:settlement:EU'))?.holders[0]?.name)
    .toBe('payments-worker');

  const events = new EventsPage(page);
  await events.open(lockscope.url);
  await expect(page.getByText('Only the newest 1,000 events are loaded.')).toBeVisible();

  await test.step('a part of the lock’s name', async () => {
    await page.getByLabel('Lock contains').pressSequentially('SETTLE');
    await expect(events.event('acquired')).toHaveCount(1);
    await expect(events.table).toContainText('payment:settlement:EU');
    await expect.poll(() => new URL(page.url()).searchParams.get('lockPart')).toBe('SETTLE');
    await expect(page.getByText('Only the newest')).toBeHidden();
  });

  await test.step('a part of the holder’s name', async () => {
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

  await test.step('only trouble: a topic of events', async () => {
    await page.getByRole('button', { name: 'Clear filter' }).first().click();
    await page.getByRole('button', { name: 'Only trouble' }).click();
    await expect(page.getByText('No event in memory matches.')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('topic')).toBe('trouble');
  });

  await test.step('a link filters by a whole name, and the label shows it', async () => {
    await events.open(lockscope.url, { lock: 'cart:3' });
    await expect(page.getByLabel('Lock is')).toHaveValue('cart:3');
    const turns = events.table.getByRole('button', { name: /^held / });
    await expect(turns.first()).toBeVisible();
    await expect(events.table.getByText('cart:30', { exact: true })).toHaveCount(0);
    await turns.last().click();
    await expect(events.event('released').last()).toBeVisible();
  });

  await test.step('if only a part of a name matches, the page reports that and shows those events', async () => {
    await events.open(lockscope.url, { lock: 'settlement' });
    await expect(page.getByText('As a part, events of 1 lock and 1 holder match.')).toBeVisible();
    await page.getByRole('link', { name: 'Show their events' }).click();
    await expect(events.table).toContainText('payment:settlement:EU');
  });
  await app.close();
});
