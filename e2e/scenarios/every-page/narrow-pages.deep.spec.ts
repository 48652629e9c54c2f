import { visitEveryPage } from '../../pages/every-page.ts';
import { test } from '../stage.ts';

/* A phone. A zoom of 200 % is in the deep tier. */
test.use({ viewport: { width: 320, height: 640 } });

test('with 320 pixels every page is usable and never scrolls sideways', async ({ contend, watch, page }) => {
  const { url } = await watch('--observe', 'monitor');
  await contend('orders:42');
  await visitEveryPage(url, page);
});
