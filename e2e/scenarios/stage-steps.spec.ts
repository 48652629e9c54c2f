import { openRecorded } from './shows/recorded.ts';
import { expectKeys, expectSamePictures, expectStepsLit } from './shows/stepping.ts';
import { test } from './stage.ts';

test('stepping back and forward shows the same pictures, from the end to the beginning and back', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectSamePictures(stage);
});

test('the list of steps highlights the steps that the stage has reached, back and forward', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectStepsLit(stage);
});

test('keyboard alone: from the start, pause, slower and faster, captions, full screen, and the sheet', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectKeys(stage);
});
