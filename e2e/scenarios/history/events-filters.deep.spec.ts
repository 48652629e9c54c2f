import { EventsPage } from '../../pages/events-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { keepBusy } from '../../support/clients/busy-locks.ts';
import { acceptCost } from '../../support/lockscope/watched-redis.ts';
import { expect, test } from '../stage.ts';

test('the filters of the events page search the whole memory of the server', async ({
  redis,
  watch,
  startApplication,
  page,
}) => {
  const application = await startApplication('payments-worker');
  const lockscope = await watch('--observe', 'monitor');
  await application.ask({ thread: 1, action: 'lock', lock: 'payment:settlement:EU' });
  // events of other locks fill the memory of the page, so that it drops those of the first one
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

  await test.step('a part of the lock’s name finds its events', async () => {
    await page.getByLabel('Lock contains').pressSequentially('SETTLE');
    await expect(events.event('acquired')).toHaveCount(1);
    await expect(events.table).toContainText('payment:settlement:EU');
    await expect.poll(() => new URL(page.url()).searchParams.get('lockPart')).toBe('SETTLE');
    await expect(page.getByText('Only the newest')).toBeHidden();
  });

  await test.step('if nothing matches, the page shows what was searched', async () => {
    await page.getByLabel('Lock contains').fill('nothing-like-this');
    await expect(page.getByText('No event in memory matches.')).toBeVisible();
    await expect(page.getByText(/^Searched [\d,]+ events: all since the first one at \d\d:\d\d:\d\d\.$/)).toBeVisible();
  });

  await test.step('many holds of one lock in turn are one row, which opens', async () => {
    await events.open(lockscope.url, { lock: 'cart:3' });
    const turns = events.table.getByRole('button', { name: /^held / });
    await expect(turns.first()).toBeVisible();
    await turns.last().click();
    await expect(events.event('released').last()).toBeVisible();
  });
  await app.close();
});
