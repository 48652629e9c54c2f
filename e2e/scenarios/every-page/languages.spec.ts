import type { Page } from '@playwright/test';
import { Frame } from '../../pages/frame.ts';
import { latinWords } from '../../pages/page-text.ts';
import { expect, test } from '../stage.ts';

const ENGLISH = 'English';
const CHINESE = '中文';
/**
 * UTC is the name of a time zone in every language. A client whose name is not known yet is shown as the beginning of
 * its uuid.
 */
const NAMES = /orders:42|order-svc-1|UTC|\b[0-9a-f]{8}\b/g;

test('Chinese can be chosen by keyboard, covers overview, lock, events and timeline, stays, and can be changed back', async ({
  contend,
  watch,
  page,
}) => {
  const { url } = await watch('--observe', 'monitor');
  await contend('orders:42');
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locks');
  await expect(page.getByText('Waits p95')).toBeVisible(); // the charts load last: the whole page is loaded

  await test.step('key O opens the settings, and the arrows choose the language', async () => {
    await page.keyboard.press('o');
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    await chooseByArrows(page, CHINESE);
    const settings = page.getByRole('dialog', { name: '设置' });
    await expect(settings).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expectChinese(page, 'settings');
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
  });

  await test.step('overview, levels, lock, events, timeline and the help are in Chinese', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('锁');
    await expect(page.getByRole('table', { name: '锁' })).toContainText('交接/秒');
    await expectChinese(page, 'overview');
    const wide = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 320, height: 640 });
    await expect(page.getByRole('link', { name: 'orders:42' })).toBeVisible();
    await expectChinese(page, 'overview on a phone');
    await page.setViewportSize(wide);
    await page
      .getByRole('region', { name: '健康状况' })
      .getByRole('button', { name: /MONITOR/ })
      .click();
    await expect(page.getByRole('dialog', { name: '观测级别' })).toBeVisible();
    await expectChinese(page, 'levels');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'orders:42' }).click();
    await expect(page.getByRole('region', { name: '等待者' }).first()).toContainText('休眠中');
    await expect(
      page.getByRole('table', { name: '事件' }).getByRole('button', { name: '被拒绝' }).first(),
    ).toBeVisible();
    await expectChinese(page, 'lock');

    await page.keyboard.press('5');
    await page.getByRole('table', { name: '事件' }).getByRole('button', { name: '被拒绝' }).first().click();
    await expect(page.getByRole('region', { name: 'Redis 原始记录' })).toBeVisible();
    await expectChinese(page, 'events');

    await page.keyboard.press('2');
    await expect(page.getByRole('region', { name: '泳道' })).toContainText('Redis 中的键');
    await page.keyboard.press('.');
    await expect(page.getByRole('region', { name: '选中项' }).getByRole('status')).toContainText('orders:42');
    await expectChinese(page, 'timeline');
    await page.getByRole('radio', { name: '表格' }).check({ force: true });
    await expect(page.getByRole('table', { name: '时间线上的标记' })).toContainText('等待');
    await expectChinese(page, 'timeline as a table');

    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: '快捷键与图例' })).toBeVisible();
    await expectChinese(page, 'keys');
    await page.goto(`${url}/locks/nobody`);
    await expect(page.getByText('内存中没有该名称的锁。')).toBeVisible();
    await expectChinese(page, 'no such lock');
  });

  await test.step('a reload keeps Chinese, and the settings switch back to English', async () => {
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('锁');
    await page.getByRole('button', { name: '设置' }).click();
    await expect(page.getByRole('dialog', { name: '设置' })).toBeVisible();
    await chooseByArrows(page, ENGLISH);
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locks');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page).toHaveTitle('Now · Lockscope');
  });
});

test('a stored value that is not a language is ignored', async ({ watch, page }) => {
  const { url } = await watch();
  await page.addInitScript(() => localStorage.setItem('lockscope.language', 'toString'));
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Locks');
  await page.keyboard.press('o');
  await expect(page.getByRole('radio', { name: 'Browser language' })).toBeChecked();
});

test.describe('a browser that prefers Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('never shows the English words Now, Timeline, Locks or Connecting while the page loads', async ({
    watch,
    page,
  }) => {
    const { url } = await watch('--observe', 'monitor');
    await page.addInitScript(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => seen.push(document.body?.innerText ?? '')).observe(document, {
        childList: true,
        subtree: true,
      });
    });
    await page.goto(url);
    await expect(page.getByText('正在观测，尚未看到锁活动。')).toBeVisible();
    const seen = await page.evaluate(() => (Reflect.get(window, 'seen') as string[]).join('\n'));
    expect(seen).toContain('时间线');
    expect(seen).not.toMatch(/\b(Now|Timeline|Locks|Connecting)\b/);
  });

  test('shows in Chinese that there is no Redis, and the page is accessible', async ({ page, store }) => {
    const frame = new Frame(page);
    await page.goto(store.url);
    await expect(page.getByRole('alert')).toContainText('上没有 Redis');
    await expectChinese(page, 'no Redis');
    await frame.expectAccessible('no Redis, in Chinese');
  });
});

/** In the open settings: Tab to the languages, arrow keys to the one wanted. */
async function chooseByArrows(page: Page, language: string): Promise<void> {
  const languages = page.getByRole('dialog').getByRole('group').first().getByRole('radio');
  for (let presses = 0; presses < 10; presses++) {
    if (await languages.evaluateAll((nodes) => nodes.some((node) => node === document.activeElement))) break;
    await page.keyboard.press('Tab');
  }
  const wanted = page.getByRole('radio', { name: language, exact: true });
  for (let presses = 0; presses < 3 && !(await wanted.isChecked()); presses++) {
    await page.keyboard.press('ArrowRight');
  }
  await expect(wanted).toBeChecked();
}

async function expectChinese(page: Page, what: string): Promise<void> {
  expect.soft(await latinWords(page, NAMES), `English left on: ${what}`).toEqual([]);
}
