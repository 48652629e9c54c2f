import { test } from '../stage.ts';
import { expectNarrow } from './shows/looks.ts';
import { openRecorded } from './shows/recorded.ts';

test('at 320 pixels, neither the end of a recorded show nor its time lens makes the page scroll sideways', async ({
  recorded,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectNarrow(stage);
});
