import { test } from '../stage.ts';
import { expectNarrow } from './shows/looks.ts';
import { openRecorded } from './shows/recorded.ts';

test('at 320 pixels the show is usable and never scrolls sideways', async ({ recorded, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectNarrow(stage);
});
