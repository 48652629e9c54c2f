import type { Page } from '@playwright/test';
import type { Holder } from '../../../shared/wire/locks/lock.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { TimelinePage } from '../../pages/timeline-page.ts';
import {
  CONVOY,
  FORGOTTEN,
  type Incident,
  STUCK,
  STUCK_LEASE_MS,
  startIncident,
} from '../../support/clients/on-call-incident.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { leaseSetAt, type RunningRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

/** How long the load runs before the checks. For a long run: `ON_CALL_MINUTES=20 npx playwright test on-call`. */
const MINUTES = Number(process.env.ON_CALL_MINUTES ?? 0.5);
const OPERATIONS_PER_SECOND = 500;
/** All three locks must be among this many rows, which any screen shows at once. */
const FIRST_ROWS = 8;
/**
 * The page rounds to seconds and draws once a second; at level `events` a lock is read some time after its acquisition.
 */
const ROUNDED_MS = 5000;
/** A busy machine may take this many times longer for the operations. */
const SLOWEST = 3;
/** How long a page with 500 operations a second may take to show something, on a busy machine. */
const SHOWN_WITHIN_MS = 120_000;
/** After this time all locks of the incident have their holders and waiters. */
const SET_UP_MICROS = 8_000_000;
const FALSE_SENTENCES = /no longer in memory|has been dropped|No event of|Nothing between|not watching/i;
const UNITS: Record<string, number> = { h: 3_600_000, min: 60_000, s: 1000, ms: 1 };

for (const level of ['events', 'monitor']) {
  test(`level ${level}: an engineer on call finds the stuck lock, the convoy and the forgotten unlock`, async ({
    redis,
    watch,
    page,
  }) => {
    test.setTimeout(480_000 + SLOWEST * MINUTES * 60_000);
    const lockscope = await watch('--observe', level, '--configure-notifications');
    const incident = await startIncident(redis, OPERATIONS_PER_SECOND);
    try {
      await underLoad(incident);
      const holder = await holderAsRedisKnows(redis, lockscope, incident);
      const overview = new OverviewPage(page);
      await overview.open(lockscope.url);
      for (const lock of [STUCK, CONVOY, FORGOTTEN])
        await expect.poll(() => rowOf(overview, lock), { timeout: SHOWN_WITHIN_MS }).toBeLessThan(FIRST_ROWS);
      await overview.link(STUCK).click();
      await expect(new LockPage(page).holders).toContainText(incident.stuckHolder);
      await page.getByRole('link', { name: 'Show in timeline' }).click();
      await timelineIsTrue(new TimelinePage(page), holder);
      await page.reload();
      await timelineIsTrue(new TimelinePage(page), holder);
      await thenIsRemembered(page, lockscope, holder);
    } finally {
      await incident.stop();
    }
  });
}

async function underLoad(incident: Incident): Promise<void> {
  const wanted = MINUTES * 60 * OPERATIONS_PER_SECOND;
  await expect
    .poll(incident.operations, { timeout: SLOWEST * MINUTES * 60_000 + SHOWN_WITHIN_MS })
    .toBeGreaterThanOrEqual(wanted);
}

/** The holder of the stuck lock from the API, after checking that its id and its beginning match Redis. */
async function holderAsRedisKnows(redis: RunningRedis, lockscope: Lockscope, incident: Incident): Promise<Holder> {
  const lock = await lockscope.lock(STUCK);
  const since = await leaseSetAt(redis, STUCK, STUCK_LEASE_MS);
  const [holder] = lock?.holders ?? [];
  if (!holder) throw new Error(`nobody holds ${STUCK}`);
  expect(await redis.command('HKEYS', STUCK)).toEqual([incident.stuckHolder]);
  expect(holder).toMatchObject({ id: incident.stuckHolder, holdCount: 1, renewals: 0 });
  expect(Math.abs(Number(holder.since) - since) / 1000).toBeLessThan(ROUNDED_MS);
  return holder;
}

/** The index of a lock among the rows on the screen; if it is missing, an index after all rows. */
async function rowOf(overview: OverviewPage, lock: string): Promise<number> {
  const names = await overview.table.getByRole('row').getByRole('link').allTextContents();
  const place = names.indexOf(lock);
  return place === -1 ? Number.POSITIVE_INFINITY : place;
}

/** Checks that the timeline of the stuck lock shows the same holder and duration as the server. */
async function timelineIsTrue(timeline: TimelinePage, holder: Holder): Promise<void> {
  await timeline.showAs('Table');
  await expect(timeline.page.getByText(FALSE_SENTENCES)).toHaveCount(0);
  await timeline.mark('holds ×1').click();
  await expect(timeline.sentence).toContainText(`has held ${STUCK} for`);
  await expect(timeline.sentence).not.toContainText('start not seen');
  const heldMs = () => Date.now() - Number(holder.since) / 1000;
  // the page may be behind while the machine is busy
  await expect(async () => {
    const asked = heldMs();
    const shown = millisOf(await timeline.sentence.innerText());
    expect(shown).toBeGreaterThan(asked - ROUNDED_MS);
    expect(shown).toBeLessThan(heldMs() + ROUNDED_MS);
  }).toPass({ timeout: 30_000 });
  await expect(timeline.atCursor).toContainText(shownAs(holder));
}

/** How the page names a client: by the name of its connection, if MONITOR shows which connection it is. */
function shownAs({ id, name }: Holder): string {
  return name ?? id.slice(0, 8);
}

/** Checks links to a moment soon after the lock was acquired, whatever happened since. */
async function thenIsRemembered(page: Page, lockscope: Lockscope, holder: Holder): Promise<void> {
  const then = Number(holder.since) + SET_UP_MICROS;
  const at = `v=1&src=live&at=${then / 1e6}s`;
  const overview = new OverviewPage(page);
  // At level events the lock's listeners were not known so early, so the search box has to find the lock among all
  // locks.
  await page.goto(`${lockscope.url}/?${at}&q=${encodeURIComponent(STUCK)}`);
  await expect(overview.cell(STUCK, 'holder')).toContainText(shownAs(holder));
  const timeline = new TimelinePage(page);
  await page.goto(`${lockscope.url}/timeline?${at}&lock=${encodeURIComponent(STUCK)}&view=${then / 1e6 - 5}s%2B10s`);
  await expect(timeline.atCursor).toContainText(shownAs(holder));
  await expect(page.getByText(FALSE_SENTENCES)).toHaveCount(0);
}

/** `has held payment for 2 min 5 s, …` in milliseconds. */
function millisOf(sentence: string): number {
  const [, length = ''] = / for ([^,.]*(?:\.\d+ \w+)?)/.exec(sentence) ?? [];
  return [...length.matchAll(/([\d.]+) (h|min|ms|s)\b/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  );
}
