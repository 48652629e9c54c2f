import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { seriousFindings } from '../pages/axe.ts';
import { Frame } from '../pages/frame.ts';
import { LockPage } from '../pages/lock-page.ts';
import type { DemoProcess } from '../support/clients/demo-process.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import { expect, test } from './stage.ts';

const DUMP = new URL('../../shared/traces/dumps/redisson-4.7.0.thread-print-l.txt', import.meta.url);

/** A dump of a real client, taken now in UTC, whose stuck threads have the numbers of the application's threads. */
function dumpOfNow(): string {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return readFileSync(DUMP, 'utf8')
    .replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m, now)
    .replace('"main" #1 ', '"main" #901 ')
    .replace('"Reference Handler" #2 ', '"Reference Handler" #902 ')
    .replace('"orders-1" #23 ', '"orders-1" #1 ')
    .replace('"orders-2" #24 ', '"orders-2" #2 ');
}

/** Drops or pastes a text on the page, as a reader does. */
async function give(page: Page, how: 'drop' | 'paste', text: string): Promise<void> {
  await page.evaluate(
    ([how, text = '']) => {
      const transfer = new DataTransfer();
      if (how === 'drop') transfer.items.add(new File([text], 'threads.txt'));
      else transfer.setData('text/plain', text);
      const init = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: transfer })
          : new ClipboardEvent('paste', { ...init, clipboardData: transfer }),
      );
    },
    [how, text] as const,
  );
}

/** Thread 1 holds orders:42, thread 2 waits for it. */
async function stuck(startApplication: (name: string) => Promise<DemoProcess>): Promise<void> {
  const application = await startApplication('order-svc');
  await application.ask({ thread: 1, action: 'lock', lock: 'orders:42' });
  void application.ask({ thread: 2, action: 'lock', lock: 'orders:42' });
}

/** Waits until thread 2 has waited for this many seconds. */
async function isWaitedFor(lockscope: Lockscope, seconds = 0): Promise<void> {
  const isOld = async () => {
    const waiter = (await lockscope.lock('orders:42'))?.waiters.find(({ asleep }) => asleep);
    return waiter !== undefined && Date.now() * 1000 - waiter.since > seconds * 1_000_000;
  };
  await expect.poll(isOld).toBe(true);
}

test('a thread dump is dropped: holder and waiter get the name, the state and the stack of their thread', async ({
  startApplication,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  await stuck(startApplication);
  await isWaitedFor(lockscope, 12); // the clocks of a JVM and of Redis may differ by ten
  const lock = new LockPage(page);
  await lock.open(lockscope.url, 'orders:42');
  await expect(lock.waiters).toContainText(':2');

  await give(page, 'drop', dumpOfNow());
  const dialog = page.getByRole('dialog', { name: 'Thread dumps' });
  await expect(dialog).toContainText('Read: 28 threads.');
  await expect(dialog).toContainText('Found by its waiting threads.');
  await expect(dialog).toContainText('names no time zone');
  expect(await seriousFindings(page)).toEqual([]);
  await expect(dialog.getByRole('combobox', { name: 'Taken at' })).toHaveValue('');
  await dialog.getByRole('combobox', { name: 'Taken at' }).selectOption({ index: 1 });
  await expect(dialog.getByRole('combobox', { name: 'Taken at' })).not.toHaveValue('');
  await page.keyboard.press('Escape');

  await expect(lock.holders).toContainText('orders-1 BLOCKED in the dump of');
  await expect(lock.holders).toContainText('waits inside the JVM for java.lang.Object, which orders-2 (thread 2) has');
  await expect(lock.waiters).toContainText('org.redisson.RedissonLock.lock(RedissonLock.java:131)');
  await lock.waiters.getByText(/^Stack: \d+ lines$/).click();
  await expect(lock.waiters).toContainText('java.util.concurrent.Semaphore.tryAcquire');
  await expect(page.getByText('Deadlock across Redis and a JVM').first()).toBeVisible();
  await page.goto(`${lockscope.url}/graph`);
  await expect(page.getByRole('table', { name: 'Waits' })).toContainText('a lock inside the JVM');
});

test('a dump is pasted, its client is asked for, and it is deleted again', async ({
  startApplication,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  await stuck(startApplication);
  await isWaitedFor(lockscope);
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

test('a text that is not a thread dump is still taken for a recording', async ({ watch, page }) => {
  const lockscope = await watch();
  await page.goto(`${lockscope.url}/events`);
  await new Frame(page).isReady();
  await give(page, 'drop', 'no recording and no dump');
  await expect(page.getByRole('alert')).toContainText('This is not a Lockscope recording.');
});
