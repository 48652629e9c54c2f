import type { Page } from '@playwright/test';
import { LockPage } from '../../pages/lock-page.ts';
import { TimelinePage } from '../../pages/timeline-page.ts';
import { connectApp, listenFor } from '../../support/clients/app.ts';
import { keepBusy } from '../../support/clients/busy-locks.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { acceptCost } from '../../support/lockscope/watched-redis.ts';
import { leaseSetAt, startRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

const STUCK = 'payment:settlement:EU';
const READERS = 'catalog:eu';
const LEASE_MS = 900_000;
/** The page keeps 50,000 events; each repetition has three of them. */
const TIMES = 21_000;
/** This scenario has the most work of all, so a busy machine needs long for it. */
const WITHIN_MS = 480_000;
const READ = `redis.call('hset', KEYS[1], 'mode', 'read') redis.call('hincrby', KEYS[1], ARGV[2], 1)
redis.call('set', KEYS[2] .. ':1', 1) redis.call('pexpire', KEYS[2] .. ':1', ARGV[1])
redis.call('pexpire', KEYS[1], ARGV[1]) return nil`;

/** The names of the lanes, top to bottom. */
const lanes = (page: Page) => page.getByRole('region', { name: 'Lanes' }).getByRole('button');

test('a lock that was acquired before 60,000 events of other locks is first in the timeline, with its true beginning', async ({
  redis,
  watch,
  page,
}) => {
  test.setTimeout(WITHIN_MS);
  const lockscope = await watch('--observe', 'monitor');
  await acceptCost(lockscope);
  const [holder, waiter] = await Promise.all([connectApp(redis.url), connectApp(redis.url)]);
  await holder.acquire(STUCK, { leaseMs: LEASE_MS });
  await waiter.acquire(STUCK);
  const stopListening = await listenFor(redis.url, STUCK);
  await waiter.acquire(STUCK);
  const timeouts = (thread: number) => `{${READERS}}:${holder.holder(thread)}:rwlock_timeout`;
  for (let thread = 1; thread <= 6; thread++) {
    await holder.command(
      ...['EVAL', READ, '2', READERS, timeouts(thread), String(LEASE_MS), holder.holder(thread)],
      `${holder.holder(thread)}:write`,
    );
  }
  await expect.poll(async () => (await lockscope.lock(READERS))?.holders.length).toBe(6);
  const before = (await lockscope.lock(STUCK))?.changedAt ?? 0;
  const busy = await connectApp(redis.url);
  await keepBusy(busy, TIMES, lockscope);
  await busy.close();
  await expect.poll(() => lockscope.newestSeq()).toBeGreaterThan(60_000);
  expect((await lockscope.health()).sources[0]?.level, 'MONITOR did not end').toBe('monitor');

  const reported = (await lockscope.lock(STUCK))?.holders[0];
  const since = reported?.since ?? 0;
  const taken = await leaseSetAt(redis, STUCK, LEASE_MS);
  expect(Math.abs(taken - since)).toBeLessThan(100_000);

  const lock = new LockPage(page);
  await lock.open(lockscope.url, STUCK);
  await page.getByRole('link', { name: 'Show in timeline' }).first().click();
  const timeline = new TimelinePage(page);
  await expect(lanes(page).first()).toContainText(STUCK);
  await expect(timeline.atCursor).toContainText('held by');
  await expect(page.getByText(/^No event of/)).toBeHidden();

  await test.step('the table shows the same beginning as the server and Redis, and no blind spot', async () => {
    await timeline.showAs('Table');
    const row = timeline.table.getByRole('row').filter({ hasText: 'holds ×1' }).first();
    await expect(row).toContainText(clockOf(since));
    await expect(row).toContainText(`has held ${STUCK}`);
    await expect(row).not.toContainText('start not seen');
    await timeline.showAs('Chart');
  });

  await test.step('among all locks, this lock is the first lane, also after a reload', async () => {
    await timeline.open(lockscope.url);
    await expect(lanes(page).first()).toContainText(STUCK);
    await page.reload();
    await expect(lanes(page).first()).toContainText(STUCK);
    await expect(timeline.atCursor).toContainText('waiting');
  });

  await test.step('all six readers are shown', async () => {
    await page.goto(`${lockscope.url}/timeline?v=1&src=live&lock=${encodeURIComponent(READERS)}`);
    await expect(timeline.atCursor.locator('.tl-holder')).toHaveCount(6);
  });

  await test.step('a link to an instant before these events shows that instant', async () => {
    const view = `${Math.round(before / 1e6) - 5}s%2B10s`;
    await page.goto(`${lockscope.url}/timeline?v=1&src=live&view=${view}&at=${before / 1e6}s`);
    await expect(timeline.atCursor).toContainText('held by');
    await expect(lanes(page).first()).toContainText(STUCK);
    for (const text of [/has been dropped/, /^Nothing between/, /^No event of/]) {
      await expect(page.getByText(text)).toBeHidden();
    }
    await timeline.showAs('Table');
    await expect(timeline.mark('refused').first()).toBeVisible();
  });
  await stopListening();
  for (const app of [holder, waiter]) await app.close();
});

test('a blind spot of one server does not hide events of another', async ({ redis, page }) => {
  const other = await startRedis();
  const lockscope = await startLockscopeProcess(redis.url, [other.url, '--observe', 'monitor']);
  const [here, there] = await Promise.all([connectApp(redis.url), connectApp(other.url)]);
  await here.acquire('here', { leaseMs: LEASE_MS });
  await there.acquire('there', { leaseMs: LEASE_MS });
  await expect.poll(async () => (await lockscope.lock('there'))?.held).toBe(true);
  await other.crash();
  await expect.poll(async () => (await lockscope.eventsAfter(0, { type: 'blind-spot.began' })).length).toBe(1);
  const [began] = await lockscope.eventsAfter(0, { type: 'blind-spot.began' });
  const at = (began?.at ?? 0) / 1e6 + 0.5;

  const timeline = new TimelinePage(page);
  const link = (lock: string) =>
    `${lockscope.url}/timeline?v=1&src=live&lock=${lock}&view=${Math.round(at) - 5}s%2B10s&at=${at}s`;
  await expect.poll(() => Date.now() / 1000).toBeGreaterThan(at);
  await page.goto(link('there'));
  await expect(timeline.atCursor).toContainText('Not watched at this instant.');
  await page.goto(link('here'));
  await expect(timeline.atCursor).toContainText('held by');
  await timeline.showAs('Table');
  await expect(page.getByText(/^Not watched: .* since /)).toBeVisible();
  await here.close();
  await lockscope.stop();
  await other.stop();
});

/** An instant as the page writes it, without fractions of a second. */
function clockOf(micros: number): string {
  return new Date(micros / 1000).toLocaleTimeString('en-GB', { hour12: false });
}
