import { dumpOfNow, give } from '../../pages/give-dump.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { expect, test } from '../stage.ts';

/** The clocks of a JVM and of Redis may differ by ten seconds. */
const OLDER_THAN_MICROS = 12_000_000;

test('with a thread dump, a deadlock across Redis and the JVM is found', async ({ contend, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend('orders:42');
  const isOld = async () => {
    const waiter = (await lockscope.lock('orders:42'))?.waiters.find(({ asleep }) => asleep);
    return waiter !== undefined && Date.now() * 1000 - waiter.since > OLDER_THAN_MICROS;
  };
  await expect.poll(isOld).toBe(true);
  const lock = new LockPage(page);
  await lock.open(lockscope.url, 'orders:42');
  await expect(lock.waiters).toContainText(':2');
  await give(page, 'drop', dumpOfNow());
  const dialog = page.getByRole('dialog', { name: 'Thread dumps' });
  await expect(dialog).toContainText('Read: 28 threads.');
  await dialog.getByRole('button', { name: 'This is right' }).click(); // no verdict relies on an assumed zone
  await page.keyboard.press('Escape');
  await expect(page.getByText('Deadlock across Redis and a JVM').first()).toBeVisible();
  await page.goto(`${lockscope.url}/graph`);
  await expect(page.getByRole('table', { name: 'Waits' })).toContainText('a lock inside the JVM');
});
