import { expectNarrow, expectStill, noteEnvelopes } from './shows/looks.ts';
import { openRecorded } from './shows/recorded.ts';
import { test } from './stage.ts';

test.describe('a user who prefers reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('sees no moving envelope, and the lens as a still picture with its four marks', async ({ recorded, page }) => {
    await page.clock.install();
    const { stage } = await openRecorded(page, await recorded('two-threads'));
    await stage.standAtTheStart();
    const places = await noteEnvelopes(page);
    await stage.playByClock();
    await expectStill(stage, await places());
  });
});

test('at 320 pixels the show is usable and never scrolls sideways', async ({ recorded, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectNarrow(stage);
});
