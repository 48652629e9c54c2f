import { test } from '../stage.ts';
import { openRecorded } from './shows/recorded.ts';
import { expectKeys } from './shows/stepping.ts';

test('with the keyboard alone, the user can go to the start, pause, change the speed, show captions and full screen, and list the keys', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectKeys(stage);
});
