import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from '../scenarios/stage.ts';
import { launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { LOOKS, shoot } from './looks.ts';

/** Short enough that renewals are in the picture. */
const WATCHDOG_MS = 3000;

const RECORDING = fileURLToPath(new URL('../../shared/traces/recordings/format-1.lockscope', import.meta.url));

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  'invoice\u202egpj.exe',
  'two\nlines',
  'حساب:١٢',
  '锁:订单:四十二',
  `tenant:${'very-long-'.repeat(30)}name`,
  ' ',
];

for (const look of LOOKS) {
  test.describe(`${look.locale}, ${look.colorScheme}`, () => {
    test.use(look);

    test('takes pictures of an application at work', async ({ startApplication, watch, page }) => {
      const [orders1, orders2, reports] = await Promise.all(
        ['order-svc-1', 'order-svc-2', 'report-job'].map((name) => startApplication(name, WATCHDOG_MS)),
      );
      const { url } = await watch('--observe', 'monitor');
      await page.goto(url);
      await reports?.ask({ thread: 1, action: 'lock', lock: 'reports:daily', leaseMs: 600_000 });
      await orders2?.ask({ thread: 2, action: 'lock', lock: 'stock:sku-1009' });
      await orders2?.ask({ thread: 2, action: 'lock', lock: 'stock:sku-1009' });
      for (let n = 0; n < 12; n++) {
        await orders1?.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
        const waiting = orders2?.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
        await orders1?.ask({ thread: 1, action: 'unlock', lock: 'orders:42' });
        await waiting;
        await orders2?.ask({ thread: 1, action: 'unlock', lock: 'orders:42' });
      }
      await orders1?.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
      // These threads wait until the scenario ends.
      void orders2?.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
      void reports?.ask({ thread: 2, action: 'lock', lock: 'orders:42' });

      await expect(page.locator('main').getByText('order-svc-1:1').first()).toBeVisible();
      await expect(page.locator('main').getByText('report-job:1').first()).toBeVisible();
      await expect(page.locator('main .recharts-surface').first()).toBeVisible();
      await shoot(page, 'overview', look);

      await page.goto(`${url}/locks/orders%3A42`);
      await expect(page.locator('main .recharts-surface').first()).toBeVisible();
      await expect(page.locator('main').getByText('report-job:2').first()).toBeVisible();
      await shoot(page, 'lock', look);

      await page.goto(`${url}/events?lock=orders:42`);
      await page.locator('main [role=row] button, main tr button').last().click();
      await expect(page.locator('main pre').first()).toBeVisible();
      await shoot(page, 'events', look);

      await page.keyboard.press('o');
      await expect(page.locator('dialog[open]')).toBeVisible();
      await shoot(page, 'settings', look);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.locator('dialog[open]')).toBeVisible();
      await shoot(page, 'help', look);
    });

    test('takes pictures of each beat of the show, and of its timeline', async ({ demo, page }) => {
      await page.goto(`${demo.url}/demo`);
      const beat = page.locator('[data-beat]');
      await expect(page.locator('.stage-card').first()).toBeVisible();
      await shoot(page, 'stage-before', look);
      await page.locator('.stage-head .is-primary').click();
      await expect(page.locator('.stage-lens')).toBeVisible({ timeout: 60_000 });
      await page.keyboard.press('Space');
      await shoot(page, 'stage-lens', look);
      await page.keyboard.press('Space');
      await expect(page.locator('.stage-ending')).toBeVisible({ timeout: 120_000 });
      await shoot(page, 'stage-summary', look);
      for (let n = 1; n <= 16; n++) {
        const before = await beat.getAttribute('data-beat');
        await page.keyboard.press('ArrowLeft');
        if (n > 1 && (await beat.getAttribute('data-beat')) === before) break;
        await shoot(page, n === 7 ? 'stage' : `stage-beat-${n}-from-the-end`, look);
      }

      // exactly the show, with the cursor where B acquires the lock of the killed A
      const events = await demo.eventsAfter(0, { lock: 'orders:42' });
      const [from, to] = [(events[0]?.at ?? 0) / 1e6 - 0.5, (events.at(-1)?.at ?? 0) / 1e6 + 1];
      const taken = (events.findLast(({ type }) => type === 'lock.acquired')?.at ?? 0) / 1e6;
      const view = encodeURIComponent(`${from.toFixed(3)}s+${(to - from).toFixed(3)}s`);
      await page.goto(`${demo.url}/timeline?v=1&src=live&lock=orders%3A42&view=${view}&at=${taken}s`);
      await expect(page.locator('.tl-board:not([inert]) canvas').first()).toBeVisible();
      for (const thread of ['order-svc-1:1', 'order-svc-2:1']) {
        await expect(page.locator('.tl-board').getByText(thread).first()).toBeVisible();
      }
      await page.waitForLoadState('networkidle');
      await shoot(page, 'timeline', look);
    });

    test('takes pictures of pages with no lock, one lock, hostile names, a thousand locks, and a lost Redis', async ({
      redis,
      startApplication,
      watch,
      page,
    }) => {
      const { url } = await watch('--observe', 'monitor');
      const visit = async (path: string, name: string) => {
        await page.goto(`${url}${path}`);
        await expect(page.locator('main')).not.toBeEmpty();
        await shoot(page, name, look);
      };
      await visit('/', 'empty-overview');
      await visit('/timeline', 'empty-timeline');
      await visit('/events', 'empty-events');
      await visit('/locks/nobody-locked-this', 'lock-unknown');
      await visit('/no-such-page', 'not-found');
      await visit('/demo', 'no-demo');

      const application = await startApplication('billing-1');
      await application.ask({ thread: 1, action: 'lock', lock: 'invoices:1', leaseMs: 3_600_000 });
      await page.goto(url);
      await expect(page.locator('main').getByText('invoices:1').first()).toBeVisible();
      await shoot(page, 'one-lock', look);

      for (const lock of HOSTILE) await application.ask({ thread: 1, action: 'lock', lock, leaseMs: 3_600_000 });
      await expect(page.locator('main').getByText('锁:订单:四十二').first()).toBeVisible();
      await shoot(page, 'hostile-names', look);
      await visit(`/locks/${encodeURIComponent(HOSTILE[5] ?? '')}`, 'lock-of-a-long-name');
      await page.goto(`${url}/timeline`);
      // lanes that are scrolled out of view are not in the page, so only one of the first is waited for
      await expect(page.locator('.tl-board').getByText('invoices:1').first()).toBeVisible();
      await shoot(page, 'hostile-names-timeline', look);

      for (let n = 2; n <= 1000; n++) {
        await application.ask({ thread: 1, action: 'lock', lock: `invoices:${n}`, leaseMs: 3_600_000 });
      }
      await page.goto(url);
      const group = page.getByRole('button', { name: /^invoices:\*/ });
      await expect(group).toBeVisible();
      await shoot(page, 'thousand-overview', look);
      await group.click();
      await expect(page.locator('main').getByText('invoices:10').first()).toBeVisible();
      await shoot(page, 'thousand-unfolded', look);
      await page.goto(`${url}/timeline`);
      await expect(page.locator('.tl-board').getByText('invoices:10').first()).toBeVisible();
      await shoot(page, 'thousand-timeline', look);
      await visit('/events', 'thousand-events');

      await page.goto(url);
      await expect(group).toBeVisible();
      await redis.crash();
      await expect(page.getByRole('alert')).toBeVisible();
      await shoot(page, 'trouble', look);
    });

    test('takes pictures of a page without Redis, and of a recording', async ({ page }) => {
      await withLockscope('redis://127.0.0.1:1', [], async (url) => {
        await page.goto(url);
        await expect(page.getByRole('alert')).toBeVisible();
        await shoot(page, 'no-redis', look);
      });
      await withLockscope('open', [RECORDING], async (url) => {
        await openAndShoot(page, `${url}/`, 'recording-overview');
        await openAndShoot(page, `${url}/timeline`, 'recording-timeline');
      });
    });

    async function withLockscope(first: string, rest: string[], use: (url: string) => Promise<void>) {
      const lockscope = await launchLockscopeProcess(first, rest);
      try {
        await use(lockscope.url);
      } finally {
        await lockscope.stop();
      }
    }

    async function openAndShoot(page: Page, url: string, name: string) {
      await page.goto(url);
      // a recording opens at its beginning
      await page.getByRole('slider').press('End');
      await expect(page.locator('main').getByText('orders:42').first()).toBeVisible();
      await shoot(page, name, look);
    }
  });
}
