import { OverviewPage } from '../pages/overview-page.ts';
import { expect, test } from './stage.ts';

test('on a high and on a low window, the charts are drawn whole', async ({ contend, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend('orders:42');
  const plots = page.getByRole('region', { name: 'Last 5 minutes' }).locator('.trend-plot');
  const hidden = () =>
    plots.evaluateAll((all) =>
      all.map((plot) => {
        const drawing = plot.querySelector('svg.recharts-surface');
        return drawing
          ? Math.round(drawing.getBoundingClientRect().bottom - plot.getBoundingClientRect().bottom)
          : null;
      }),
    );
  for (const height of [1000, 800]) {
    await page.setViewportSize({ width: 1280, height });
    await new OverviewPage(page).open(lockscope.url);
    await expect.poll(hidden, `${height} px`).toEqual([0, 0, 0, 0]);
  }
});
