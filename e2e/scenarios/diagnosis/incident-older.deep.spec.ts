import type { Page } from '@playwright/test';
import { beginIncidents, FORGOTTEN_WAITERS } from '../../support/clients/older-incidents.ts';
import { launchLockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { expect, test } from '../stage.ts';

/*
 * Incidents as people read them: the first sentence, and the order of the locks. They begin before Lockscope starts, or
 * after. Each is seen at several levels, from a link, from a recording, and as users with fewer rights.
 */

const LOCKS = ['account:17', 'account:42', 'invoice:batch', 'payout:batch', 'payout:daily', 'inventory:778'];
const ALL_CLEAR = /Nothing (is|was) wrong/;
/** Clients wait, and the sentence names how much cannot be seen. */
const UNKNOWN_WAITS =
  /^Clients wait for \d locks\. Why is not visible: \d+ of \d+ checks (need MONITOR|cannot be answered now)\.$/;

type Row = { readonly lock: string; readonly verdict: string };

/** The rows of the table of locks, as they are at one instant. */
async function rowsOf(page: Page): Promise<Row[]> {
  const rows = page.getByRole('table', { name: 'Locks' }).locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  return rows.evaluateAll((all) =>
    all.map((row) => ({
      lock: row.querySelector('a')?.textContent ?? '',
      verdict: row.querySelector('.lock-verdict')?.firstChild?.textContent ?? '',
    })),
  );
}

/** Takes a picture in both themes. */
async function pictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`) });
  }
}

for (const end of ['killed', 'stopped'] as const) {
  test(`for incidents that began before Lockscope started (a holder was ${end}), the page shows what it cannot see instead of an all-clear`, async ({
    redis,
    watch,
    page,
    openRecording,
  }) => {
    test.setTimeout(240_000);
    const wrong = page.getByRole('region', { name: 'What is wrong' });
    const first = wrong.locator('b').first();
    const deadlock = wrong.getByRole('listitem').filter({ hasText: 'Deadlock: threads wait for each other' });
    const rules = ['on', '>pw', '~*', '&*', '+@all', '-monitor'];
    await redis.command('ACL', 'SETUSER', 'app', ...rules);
    await redis.command('ACL', 'SETUSER', 'none', 'on', '>pw', '~*', '&*', '+@read', '+@connection', '-@dangerous');
    const incidents = await beginIncidents(redis.url, end);
    const file = test.info().outputPath('night.lockscope');
    const monitor = await startLockscopeProcess(redis.url, ['--observe', 'monitor', '--record', file]);

    await test.step('at level monitor, the deadlock is named, and its two locks are above those of the other incidents', async () => {
      await page.goto(monitor.url);
      await expect(page.locator('body')).not.toContainText(ALL_CLEAR);
      await expect(first).toHaveText(UNKNOWN_WAITS);
      await expect(deadlock).toBeVisible({ timeout: 60_000 });
      await expect(async () => {
        const rows = await rowsOf(page);
        expect(
          rows
            .slice(0, 2)
            .map(({ lock }) => lock)
            .sort(),
        ).toEqual(['account:17', 'account:42']);
        expect(rows.map(({ lock }) => lock)).toEqual(expect.arrayContaining(LOCKS));
        const verdictOf = (lock: string) => rows.find((row) => row.lock === lock)?.verdict;
        expect([verdictOf('account:17'), verdictOf('account:42'), verdictOf('inventory:778')]).toEqual([
          'stuck',
          'stuck',
          'convoy',
        ]);
        expect(['busy', 'likely orphaned', 'stuck']).toContain(verdictOf('payout:batch'));
        expect(['busy', 'stuck']).toContain(verdictOf('invoice:batch'));
      }).toPass();
      await expect(deadlock).toContainText(/since .* or earlier/);
      await pictures(page, 'monitor');
    });

    const then = (await monitor.health()).at;
    const events = await watch();
    const app = await startLockscope(redis.url.replace('//', '//app:pw@'), ['--observe', 'monitor']);
    const none = await launchLockscope(redis.url.replace('//', '//none:pw@'), []);

    await test.step('at the default level and without MONITOR, the page shows what waits, and what cannot be seen', async () => {
      for (const { url } of [events, app]) {
        await page.goto(url);
        await expect(first).toHaveText(UNKNOWN_WAITS);
        const verdicts = (await rowsOf(page)).map(({ verdict }) => verdict);
        expect(verdicts.every((verdict) => ['busy', 'held', ''].includes(verdict))).toBe(true);
        await expect(page.locator('body')).not.toContainText(ALL_CLEAR);
        await page.goto(`${url}/blocking`);
        await expect(page.getByRole('heading', { name: /^Clients wait for \d locks\.$/ })).toBeVisible();
        await expect(page.getByRole('table', { name: 'Waits' })).toContainText('invoice:batch');
      }
      await pictures(page, 'without-monitor');
    });

    await test.step('the page shows that a user may not read locks, without an all-clear', async () => {
      await page.goto(none.url);
      await expect(page.getByRole('alert')).toContainText('may not read locks');
      await expect(page.locator('body')).not.toContainText(ALL_CLEAR);
    });

    await test.step('a link to that time shows the same deadlock', async () => {
      await page.goto(`${monitor.url}/?v=1&src=live&at=${then / 1e6}s`);
      await expect(deadlock).toBeVisible();
      await expect(async () => {
        const [one, two] = await rowsOf(page);
        expect([one?.verdict, two?.verdict]).toEqual(['stuck', 'stuck']);
      }).toPass();
    });

    await test.step('long waits are named at level monitor, and at level events, where the waiters are not known', async () => {
      const long = (lock: string) =>
        wrong.getByRole('listitem').filter({ hasText: 'Threads have waited long' }).filter({ hasText: lock });
      await page.goto(monitor.url);
      await expect(long('invoice:batch')).toBeVisible({ timeout: 90_000 });
      const payout = wrong.getByRole('listitem').filter({ hasText: 'payout:batch' });
      await expect(payout).toContainText(/Threads have waited long|No open connection belongs/);
      await pictures(page, 'long');
      await page.goto(events.url);
      await expect(long('invoice:batch')).toContainText('1 or more wait', { timeout: 90_000 });
      await pictures(page, 'long-events');
    });

    for (const lockscope of [none, app, monitor]) await lockscope.stop();
    await incidents.end();
    await test.step('the recording names the deadlock, and claims nothing about its beginning', async () => {
      await page.goto((await openRecording(file)).url);
      await expect(page.getByText('Deadlock: threads wait for each other').first()).toBeVisible();
      await expect(first).toHaveText('It could not be seen then whether anything was wrong.');
      await pictures(page, 'recording');
    });
  });
}

test('incidents whose beginning Lockscope has seen are named with their causes', async ({ redis, watch, page }) => {
  test.setTimeout(120_000);
  const lockscope = await watch('--observe', 'monitor');
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  const incidents = await beginIncidents(redis.url, 'killed');
  await page.goto(lockscope.url);
  const item = (lock: string, title: string) =>
    wrong.getByRole('listitem').filter({ hasText: title }).filter({ hasText: lock });
  await expect(item('account:42', 'Deadlock: threads wait for each other')).toBeVisible();
  await expect(item('payout:batch', 'The client of the holder is gone')).toBeVisible();
  await expect(async () => {
    const rows = await rowsOf(page);
    const verdictOf = (lock: string) => rows.find((row) => row.lock === lock)?.verdict;
    expect([verdictOf('account:17'), verdictOf('account:42')]).toEqual(['stuck', 'stuck']);
    expect([verdictOf('payout:batch'), verdictOf('invoice:batch'), verdictOf('inventory:778')]).toEqual([
      'orphaned',
      'busy',
      'convoy',
    ]);
    expect(rows.slice(0, 3).map(({ lock }) => lock)).toContain('payout:batch');
  }).toPass();
  const waiting = async () => (await lockscope.lock('invoice:batch'))?.waiters.length === FORGOTTEN_WAITERS;
  await waitFor('all waiters of the forgotten unlock', waiting);
  await pictures(page, 'seen');
  await expect(item('invoice:batch', 'Threads have waited long')).toContainText('12 wait', { timeout: 90_000 });
  await incidents.end();
});
