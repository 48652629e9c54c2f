import { OverviewPage } from '../../pages/overview-page.ts';
import { beginIncidents } from '../../support/clients/older-incidents.ts';
import { expect, test } from '../stage.ts';

/*
 * How most users start with Lockscope: the incident is there already. A client is dead, two threads wait for each
 * other, an unlock was forgotten, and many threads compete for one lock. Lockscope is started only then.
 */

test('incidents that began before Lockscope started are named once they can be seen, without an all-clear before', async ({
  redis,
  watch,
  page,
}) => {
  const incidents = await beginIncidents(redis.url, 'killed');
  try {
    const lockscope = await watch();
    const overview = new OverviewPage(page);
    await overview.open(lockscope.url);
    const wrong = page.getByRole('region', { name: 'What is wrong' });

    await test.step('at the default level, the first sentence shows that clients wait, and that the cause is not visible', async () => {
      await expect(wrong.locator('b').first()).toContainText(
        /^Clients wait for \d locks\. Why is not visible: \d+ of \d+ checks need MONITOR\.$/,
      );
      await expect(page.locator('body')).not.toContainText('Nothing is wrong');
      await page.screenshot({ path: test.info().outputPath('events-light.png') });
    });

    await test.step('at level monitor the deadlock is named, without an all-clear', async () => {
      await wrong.getByRole('button', { name: 'Start monitor …' }).click();
      await wrong.getByRole('button', { name: /^Start monitor for 5 minutes/ }).click();
      await expect(wrong).toContainText('Deadlock: threads wait for each other', { timeout: 60_000 });
      await expect(page.locator('body')).not.toContainText('Nothing is wrong');
      await expect(overview.cell('inventory:778', 'verdict')).toHaveText('convoy');
      await page.screenshot({ path: test.info().outputPath('monitor-light.png') });
    });

    await test.step('the forgotten unlock is named once the waiters of its lock have waited for two leases', async () => {
      const long = wrong
        .getByRole('listitem')
        .filter({ hasText: 'Threads have waited long' })
        .filter({ hasText: 'invoice:batch' });
      await expect(long).toBeVisible({ timeout: 120_000 });
      await long.getByText('Threads have waited long').click();
      await expect(long).toContainText(/12 threads wait for it, the longest for at least \d+/);
      await expect(long).toContainText('held it when it was first seen');
      await expect(overview.cell('invoice:batch', 'verdict')).toContainText('stuck');
      await expect(overview.cell('inventory:778', 'verdict')).toHaveText('convoy');
      await page.screenshot({ path: test.info().outputPath('long-light.png') });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.screenshot({ path: test.info().outputPath('long-dark.png') });
    });
  } finally {
    await incidents.end();
  }
});
