import { DemoPage } from '../../pages/demo-page.ts';
import { visitEveryPage } from '../../pages/every-page.ts';
import { expect, test } from '../stage.ts';

/**
 * A phone, and a window of 1280 × 720 at a zoom of 200 %: half as many pixels in the style sheet, each twice as large.
 */
const SMALL = [
  { what: '320 pixels', viewport: { width: 320, height: 640 }, deviceScaleFactor: 1 },
  { what: 'a zoom of 200 %', viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 },
];

for (const { what, ...screen } of SMALL) {
  test.describe(`with ${what}`, () => {
    test.use(screen);
    test('the demo shows a holder and a waiter, and does not scroll sideways', async ({ demo, page }) => {
      const stage = new DemoPage(page);
      await stage.open(demo.url);
      await stage.order('Lock', 'A', 1);
      await expect(stage.lockInRedis).toContainText('×1');
      await stage.order('Lock', 'B', 1);
      await expect(stage.client('B')).toContainText('lock orders:42');
      await stage.expectNarrow('demo');
    });
  });
}

test.describe('with a zoom of 200 %', () => {
  test.use({ viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 });
  test('overview, lock, events, help and timeline do not scroll sideways', async ({ contend, watch, page }) => {
    const { url } = await watch('--observe', 'monitor');
    await contend('orders:42');
    await visitEveryPage(url, page);
  });
});
