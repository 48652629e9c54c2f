import { test } from '../stage.ts';
import { openRecorded } from './shows/recorded.ts';
import { expectKeys } from './shows/stepping.ts';

test('keyboard alone: from the start, pause, slower and faster, captions, full screen, and the sheet', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectKeys(stage);
});
