import { test } from '../stage.ts';
import { openRecorded } from './shows/recorded.ts';
import { expectKeys } from './shows/stepping.ts';

test('the keyboard alone controls: from the start, pause, slower and faster, captions, full screen, and the list of keys', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectKeys(stage);
});
