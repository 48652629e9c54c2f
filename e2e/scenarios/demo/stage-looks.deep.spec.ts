import { expectAccessible } from '../../pages/axe.ts';
import { SHOWN_WITHIN_MS, StagePage } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { expectNarrow, expectStill, noteEnvelopes } from './shows/looks.ts';
import { openRecorded } from './shows/recorded.ts';

const THEMES = ['Light', 'Dark'] as const;

test('the stage is accessible in both themes: before the show, at eight beats, after the show, and with manual actions', async ({
  demo,
  page,
}) => {
  test.slow();
  const stage = new StagePage(page);
  const looksGood = async (what: string) => {
    for (const theme of THEMES) {
      await stage.choose(theme);
      await stage.settled();
      await expectAccessible(page, `${theme}, ${what}`);
    }
  };
  await stage.open(demo.url);
  await looksGood('before the show');
  await stage.playToTheEnd('full-show');
  await stage.page.keyboard.press('End');
  await expect(stage.summary).toBeVisible();
  await looksGood('the comparison');
  await stage.standAtTheStart();
  for (const what of ['taken', 'busy', 'sleeps', 'publishes', 'wakes', 'crashes', 'overdue', 'own timer']) {
    await stepTo(stage, what);
    await looksGood(what);
  }
  await stage.page.keyboard.press('End');
  await stage.button('Try it yourself').click();
  await expect(stage.button('Start A on the stage')).toBeVisible();
  await looksGood('by hand');
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('no envelope moves, and the lens is a still picture with its four marks', async ({ demo, page }) => {
    const stage = new StagePage(page);
    await stage.open(demo.url);
    const places = await noteEnvelopes(page);
    await stage.start('two-threads');
    await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });
    await expectStill(stage, await places());
  });
});

test('at 320 pixels, neither the end of a live show nor its time lens makes the page scroll sideways', async ({
  demo,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.start('two-threads');
  await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });
  await expectNarrow(stage);
});

async function stepTo(stage: StagePage, what: string): Promise<void> {
  for (let steps = 0; steps < 30; steps++) {
    await stage.button('Next').click();
    const caption = await stage.caption.innerText();
    if (what === 'taken' || caption.includes(what)) return;
  }
  throw new Error(`no beat says ${what}`);
}

test.describe('with reduced motion in a recorded run', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('no envelope moves, and the lens is a still picture with its four marks', async ({ recorded, page }) => {
    await page.clock.install();
    const { stage } = await openRecorded(page, await recorded('two-threads'));
    await stage.standAtTheStart();
    const places = await noteEnvelopes(page);
    await stage.playByClock();
    await expectStill(stage, await places());
  });
});
