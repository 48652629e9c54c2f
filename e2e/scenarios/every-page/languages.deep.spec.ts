import { expectAccessible } from '../../pages/axe.ts';
import { LockPage } from '../../pages/lock-page.ts';
import { latinWords } from '../../pages/page-text.ts';
import { SERVER } from '../../support/servers/server-host.ts';
import { expect, test } from '../stage.ts';

const NAMES = /orders:42|order-svc-1|UTC/g; // UTC is the name of a time zone in every language

test.describe('in a browser that prefers Chinese', () => {
  test.use({ locale: 'zh-CN' });

  test('a lost Redis is reported in Chinese', async ({ redis, watch, page }) => {
    const { url } = await watch('--observe', 'monitor');
    await page.goto(url);
    await expect(page.getByText('正在观测，尚未看到锁活动。')).toBeVisible();
    await redis.crash();
    // Docker keeps the port of a dead server open, and ends every connection to it.
    await expect(page.getByRole('alert')).toContainText(SERVER === 'docker' ? '关闭了连接' : '上没有 Redis');
    expect(await latinWords(page, NAMES)).toEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`overview, settings, lock, events, timeline and keys are accessible in the ${colorScheme} theme`, async ({
      startApplication,
      watch,
      page,
    }) => {
      test.slow();
      const url = await twoWorkersOn('orders:42', startApplication, watch);
      await page.goto(url);
      await page.emulateMedia({ colorScheme });
      await expect(page.getByRole('link', { name: 'orders:42' })).toBeVisible();
      await expectAccessible(page, 'overview');
      await page.keyboard.press('o');
      await expect(page.getByRole('dialog', { name: '设置' })).toBeVisible();
      await expectAccessible(page, 'settings');
      await page.keyboard.press('Escape');
      await new LockPage(page).open(url, 'orders:42');
      await expect(page.getByRole('region', { name: '等待者' }).first()).toContainText('休眠中');
      await expectAccessible(page, 'lock');
      await page.keyboard.press('5');
      await expect(page.getByRole('table', { name: '事件' })).toBeVisible();
      await expectAccessible(page, 'events');
      await page.keyboard.press('2');
      await expect(page.getByRole('region', { name: '泳道' })).toContainText('Redis 中的键');
      await expectAccessible(page, 'timeline');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog', { name: '快捷键与图例' })).toBeVisible();
      await expectAccessible(page, 'keys');
    });
  }
});

/** One worker holds the lock, another waits for it. Returns the URL of the Lockscope that watches them. */
async function twoWorkersOn(
  lock: string,
  startApplication: (name: string) => Promise<{ ask(order: object): Promise<unknown> }>,
  watch: (...flags: string[]) => Promise<{ url: string }>,
): Promise<string> {
  const application = await startApplication('order-svc-1');
  const { url } = await watch('--observe', 'monitor');
  await application.ask({ thread: 1, action: 'lock', lock });
  void application.ask({ thread: 2, action: 'lock', lock });
  return url;
}
