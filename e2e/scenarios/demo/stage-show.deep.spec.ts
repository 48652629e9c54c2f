import { SHOWN_WITHIN_MS, StagePage } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { expectFullShow } from './shows/full-show.ts';

test('both parts of the show are played to the end: captions and beats in order, with the numbers of the events', async ({
  demo,
  page,
}) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  const shown = await stage.recordShow();
  await stage.button('Play the show').click();
  await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });
  await expectFullShow(stage, demo, await shown());
});
