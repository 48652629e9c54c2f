import { OverviewPage } from '../pages/overview-page.ts';
import { expect, test } from '../scenarios/stage.ts';
import { LOOKS, shoot } from './looks.ts';

const LOCK = 'inventory:sku:778';

for (const look of LOOKS) {
  test.describe(`${look.locale}, ${look.colorScheme}`, () => {
    test.use(look);

    test('takes pictures after a holder was killed while three threads wait, and of a deadlock of two others', async ({
      redis,
      startApplication,
      watch,
      page,
    }) => {
      await redis.command('CONFIG', 'SET', 'notify-keyspace-events', 'KEA');
      const [orders, billing, reports, ledger1, ledger2] = await Promise.all(
        ['orders-api', 'billing', 'report-job', 'ledger-1', 'ledger-2'].map((name) => startApplication(name, 120_000)),
      );
      const lockscope = await watch('--observe', 'monitor');
      const overview = new OverviewPage(page);
      await overview.open(lockscope.url);
      for (let n = 1; n <= 8; n++) await reports?.ask({ thread: 1, action: 'lock', lock: `reports:2026-${n}` });
      await orders?.ask({ thread: 1, action: 'lock', lock: LOCK });
      void billing?.ask({ thread: 1, action: 'lock', lock: LOCK });
      void billing?.ask({ thread: 2, action: 'lock', lock: LOCK });
      void reports?.ask({ thread: 2, action: 'lock', lock: LOCK });
      await ledger1?.ask({ thread: 1, action: 'lock', lock: 'account:17' });
      await ledger2?.ask({ thread: 1, action: 'lock', lock: 'account:42' });
      await expect.poll(async () => (await lockscope.lock(LOCK))?.holders[0]?.presence).toBe('connected');
      await expect.poll(async () => (await lockscope.lock(LOCK))?.waiters.length).toBe(3);
      await orders?.kill();
      await expect(page.locator('.verdict-card')).toContainText(LOCK);
      await expect(page.locator('.evidence-picture .evidence-orphaned')).toBeVisible();
      await expect(page.locator('main .recharts-surface').first()).toBeVisible();
      await shoot(page, 'incident', look);

      void ledger1?.ask({ thread: 1, action: 'lock', lock: 'account:42' });
      void ledger2?.ask({ thread: 1, action: 'lock', lock: 'account:17' });
      await expect(page.locator('.verdict')).toBeVisible();
      await page.locator('.verdict-card summary').click();
      await shoot(page, 'incident-two', look);
      for (const path of ['blocking', 'blocking/cost', 'clients', 'health', 'timeline', 'recordings', 'events']) {
        await page.goto(`${lockscope.url}/${path}`);
        await expect(page.locator('main h1')).toBeVisible();
        await page.waitForLoadState('networkidle');
        await shoot(page, `incident-${path.replace('/', '-')}`, look);
      }
      await page.goto(`${lockscope.url}/locks/${encodeURIComponent(LOCK)}`);
      await expect(page.locator('main h1')).toBeVisible();
      await page.waitForLoadState('networkidle');
      await shoot(page, 'incident-lock', look);
    });
  });
}
