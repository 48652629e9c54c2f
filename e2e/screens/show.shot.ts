import { writeFileSync } from 'node:fs';
import { StagePage } from '../pages/stage-page.ts';
import { expect, test } from '../scenarios/stage.ts';
import { MovingPicture } from './moving-picture.ts';

/** The stage alone, small enough for a README. */
test.use({ viewport: { width: 900, height: 860 }, colorScheme: 'light' });

const FRAME_MS = 150;
const REST_MS = 4000;

test('makes a GIF of the show', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.button('Play the show').click();
  const clip = await stage.stage.boundingBox();
  if (!clip) throw new Error('the stage is not visible');
  const picture = new MovingPicture();
  const started = Date.now();
  while (!(await stage.summary.isVisible())) {
    const at = Date.now() - started;
    picture.add(await page.screenshot({ clip }), at);
    await page.waitForTimeout(Math.max(0, FRAME_MS - (Date.now() - started - at)));
  }
  picture.add(await page.screenshot({ clip }), Date.now() - started);
  const gif = picture.gif(REST_MS);
  expect(gif.length).toBeLessThan(4_000_000);
  writeFileSync('docs/screens/show.gif', gif);
});
