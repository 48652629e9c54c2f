import { seriousFindings } from '../../pages/axe.ts';
import { expect, test } from '../stage.ts';
import { expectFullShow } from './shows/full-show.ts';
import { openRecorded } from './shows/recorded.ts';

test('the recorded show is played to its end: captions and beats in order, with the numbers of the events', async ({
  recorded,
  page,
}) => {
  await page.clock.install();
  const { stage, lockscope } = await openRecorded(page, await recorded('full-show'));
  expect(await seriousFindings(page), 'serious findings of axe').toEqual([]);
  await stage.standAtTheStart();
  const shown = await stage.recordShow();
  await stage.playByClock();
  await expectFullShow(stage, lockscope, await shown());
});
