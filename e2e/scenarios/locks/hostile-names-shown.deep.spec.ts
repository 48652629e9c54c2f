import { EventsPage } from '../../pages/events-page.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

/** A name, and how the page must show it. */
const NAMES: readonly [name: string, shown: string][] = [
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['"><script>alert(2)</script>', '"><script>alert(2)</script>'],
  ['javascript:alert(3)', 'javascript:alert(3)'],
  ['invoice\u202egpj.exe', 'invoiceU+202Egpj.exe'],
  ['two\nlines', 'two\\nlines'],
  ['a/b?c=d#e%2f', 'a/b?c=d#e%2f'],
  ['حساب:١٢', 'حساب:١٢'],
  [' ', '␣'],
];

test('names with markup, invisible characters or Arabic letters are shown as text in the table, on their page and in the events', async ({
  connect,
  watch,
  page,
}) => {
  page.on('dialog', () => expect('a dialog').toBe('no dialog'));
  const application = await connect('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  for (const [lock] of NAMES) await application.acquire(lock);
  const base = new URL(lockscope.url).pathname.replace(/\/$/, '');
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);

  for (const [name, shown] of NAMES) {
    await test.step(shown, async () => {
      await overview.link(shown).click();
      const lock = new LockPage(page);
      await expect(lock.heading).toHaveText(shown);
      await expect(lock.holders).toContainText('billing-1:1');
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`${base}/locks/${name}`);
      await page.goBack();
    });
  }
  const events = new EventsPage(page);
  await events.open(lockscope.url, { type: 'lock.acquired' });
  for (const [, shown] of NAMES) await expect(events.table.getByText(shown, { exact: true })).toBeVisible();
  await expect(page.locator('main img, main script')).toHaveCount(0);
});
