import { Frame } from '../../pages/frame.ts';
import { dumpOfNow, give } from '../../pages/give-dump.ts';
import { LockPage } from '../../pages/lock-page.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { expect, test } from '../stage.ts';

/** Waits until thread 2 is seen to wait. */
async function untilWaitedFor(lockscope: Lockscope): Promise<void> {
  await expect
    .poll(async () => (await lockscope.lock('orders:42'))?.waiters.map(({ asleep }) => asleep))
    .toEqual([true]);
}

test('after a thread dump is dropped, holder and waiter show the name, the state and the stack of their thread', async ({
  contend,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend('orders:42');
  await untilWaitedFor(lockscope);
  const lock = new LockPage(page);
  await lock.open(lockscope.url, 'orders:42');
  await expect(lock.waiters).toContainText(':2');

  await give(page, 'drop', dumpOfNow());
  const dialog = page.getByRole('dialog', { name: 'Thread dumps' });
  await expect(dialog).toContainText('Read: 28 threads.');
  await expect(dialog).toContainText('Found by its waiting threads.');
  await expect(dialog).toContainText('names no time zone');
  await lock.expectAccessible('thread dumps');
  await expect(dialog).toContainText('This zone is assumed');
  await expect(dialog.getByRole('combobox', { name: 'Taken at' })).not.toHaveValue('');
  await expect(lock.holders).toContainText(/orders-1 BLOCKED in the dump of [\d:]+ \(zone assumed\)/);
  await dialog.getByRole('button', { name: 'This is right' }).click();
  await expect(dialog).not.toContainText('This zone is assumed');
  await page.keyboard.press('Escape');

  await expect(lock.holders).toContainText(/orders-1 BLOCKED in the dump of [\d:]+ *waits/);
  await expect(lock.holders).toContainText('waits inside the JVM for java.lang.Object, which orders-2 (thread 2) has');
  await expect(lock.waiters).toContainText('org.redisson.RedissonLock.lock(RedissonLock.java:131)');
  await lock.waiters.getByText(/^Stack: \d+ lines$/).click();
  await expect(lock.waiters).toContainText('java.util.concurrent.Semaphore.tryAcquire');
});

test('if the threads of a pasted dump do not prove its client, the page asks for it, and the dump can be deleted', async ({
  contend,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend('orders:42');
  await untilWaitedFor(lockscope);
  await page.goto(`${lockscope.url}/clients`);
  await new Frame(page).isReady();
  await give(page, 'paste', dumpOfNow().replace('"orders-2" #2 ', '"orders-2" #77 '));
  const dialog = page.getByRole('dialog', { name: 'Thread dumps' });
  await expect(dialog).toContainText('The threads do not prove which client this is.');
  const client = dialog.getByRole('combobox', { name: 'Client' });
  await client.selectOption({ index: 1 });
  await expect(client).not.toHaveValue('');
  await page.keyboard.press('Escape');

  const lock = new LockPage(page);
  await lock.open(lockscope.url, 'orders:42');
  await expect(lock.waiters).toContainText('no thread has the id 2');
  await page.goto(`${lockscope.url}/clients`);
  await page.getByRole('button', { name: 'Thread dumps…' }).click();
  await dialog.getByRole('button', { name: 'Delete the thread dump pasted text' }).click();
  await expect(dialog.getByText('Dumps that are kept')).toHaveCount(0);
  await lock.open(lockscope.url, 'orders:42');
  await expect(lock.waiters).toContainText(':2');
  await expect(lock.waiters).not.toContainText('no thread has the id');
});

test('a dropped text that is not a thread dump is tried as a recording, and refused', async ({ watch, page }) => {
  const lockscope = await watch();
  await page.goto(`${lockscope.url}/events`);
  await new Frame(page).isReady();
  await give(page, 'drop', 'no recording and no dump');
  await expect(page.getByRole('alert')).toContainText('This is not a Lockscope recording.');
});
