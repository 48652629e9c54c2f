import { Frame } from '../../pages/frame.ts';
import { expect, test } from '../stage.ts';

test('with the setting "Zooms", the mouse wheel zooms the timeline without Ctrl', async ({ connect, watch, page }) => {
  const application = await connect('billing-1');
  const { url } = await watch('--observe', 'monitor');
  await application.acquire('orders:42');
  await page.goto(`${url}/timeline`);
  await expect(page.getByRole('region', { name: 'Lanes' })).toContainText('orders:42');

  await page.keyboard.press('o');
  await page.getByRole('radio', { name: 'Zooms', exact: true }).check({ force: true });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await expect(page.getByRole('main').getByRole('button', { name: 'Live', exact: true })).toBeVisible();
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, -240);
  await expect(page.getByRole('button', { name: 'Paused', exact: true })).toBeVisible();
  await expect(page.getByText('Hold Ctrl to zoom')).toBeHidden();
});

test('if a language does not load, the page keeps the previous language and reports that', async ({ watch, page }) => {
  const { url } = await watch();
  await page.goto(url);
  await new Frame(page).isReady();
  await page.route(/zh-CN/, (route) => route.abort());
  await page.keyboard.press('o');
  // Not `check`: it demands that the choice stays, but the page returns to the language before.
  await page.getByRole('radio', { name: '中文' }).click({ force: true });
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This language could not be loaded.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locks');
  await page.unroute(/zh-CN/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('锁');
});
