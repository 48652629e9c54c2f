import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('a saved recording is opened in another Lockscope, and shows the same lock from the beginning', async ({
  contend,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await overview.isReady();
  await contend('orders:42');
  // the name of a client is known from the next list of clients on
  const waiters = async () => (await lockscope.lock('orders:42'))?.waiters.map(({ name }) => name);
  await expect.poll(waiters).toEqual(['order-svc-1']);
  await page.getByRole('main').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('r');
  await expect(page.getByText(/Saved: lockscope-.*\.lockscope/)).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const bytes = readFileSync(await (await download).path());

  const { url } = await watch();
  await page.goto(`${url}/events`);
  await overview.isReady();
  await drop(page, bytes, 'night <b>.lockscope');
  await expect(page).toHaveURL(/\/recordings\/[0-9a-f]{16}\//);
  const { position } = overview;
  await expect(position).toHaveAttribute('aria-valuetext', /^0\.0 s of /);
  await expect(overview.link('orders:42')).toHaveCount(0);
  await expect(page.getByText(/^No problem was found in these /)).toBeVisible();
  await position.press('End');
  await expect(overview.cell('orders:42', 'holder')).toContainText('order-svc-1:1');
  await expect(overview.cell('orders:42', 'waiters')).toContainText('order-svc-1:2');
  await position.press('Home');
  await expect(overview.link('orders:42')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('10');
  await position.press('Space'); // plays
  await expect(overview.cell('orders:42', 'waiters')).toContainText('order-svc-1:2');

  await page.keyboard.press('6');
  await expect(page.getByRole('rowheader', { name: /night <b>\.lockscope/ })).toBeVisible();
  await expect(page.getByText('shown here')).toBeVisible();
  await overview.expectAccessible('recordings');
  await drop(page, Buffer.from('no recording'), 'x.txt');
  await expect(page.getByRole('alert')).toContainText('This is not a Lockscope recording.');
});

test('the ticks of the time bar lead to the problems of a recording, by mouse and by keyboard', async ({
  openRecording,
  page,
}) => {
  const { url } = await openRecording('server/demo/recorded/deadlock.lockscope');
  const overview = new OverviewPage(page);
  await page.goto(url);
  const ticks = page.getByRole('list', { name: 'Problems in the recording' }).getByRole('button');
  const deadlock = ticks.and(page.getByRole('button', { name: /^Go to .*: Deadlock/ }));
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).not.toContainText('Deadlock');

  await deadlock.click();
  await expect(deadlock).toHaveAttribute('aria-current', 'time');
  await expect(wrong).toContainText('Deadlock: threads wait for each other');
  await overview.expectAccessible('recording at a problem');

  await overview.position.press('Home');
  await expect(wrong).not.toContainText('Deadlock');
  await page.goto(`${url}/timeline`);
  await overview.position.focus();
  for (let tabs = 0; tabs < (await ticks.count()); tabs++) {
    await page.keyboard.press('Tab');
    if (await deadlock.evaluate((tick) => tick === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await expect(deadlock).toHaveAttribute('aria-current', 'time');
});

/** Drops a file on the page, as a reader does with the mouse. */
async function drop(page: Page, bytes: Buffer, name: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([base64 = '', name = '']) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name));
      return transfer;
    },
    [bytes.toString('base64'), name],
  );
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer });
}
