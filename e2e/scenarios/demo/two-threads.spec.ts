import { EventsPage } from '../../pages/events-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { StagePage } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { expectStory, reachedSteps } from './shows/two-threads.ts';

const LOCK = 'orders:42';

test('two threads compete for a lock in a recorded run: its eight steps, and the same events on other pages', async ({
  recorded,
  page,
}) => {
  const demo = await recorded('two-threads');
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await expect(stage.state).toHaveText('Done. Step 8 of 8.');
  expect(reachedSteps((await stage.steps.allInnerTexts()).join())).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);

  const overview = new OverviewPage(page);
  await overview.open(demo.url);
  await expect(overview.cell(LOCK, 'holder')).toHaveText('free');
  await expect(overview.cell(LOCK, 'waiters')).toHaveText('–');

  const events = new EventsPage(page);
  await events.open(demo.url, { lock: LOCK });
  await expectStory(events);
});
