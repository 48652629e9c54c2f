import { SHOWN_WITHIN_MS, StagePage } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { openRecorded } from './shows/recorded.ts';
import { expectKeys, expectSamePictures, expectStepsLit } from './shows/stepping.ts';

test('stepping forward and back shows the same pictures, from the beginning to the end and back', async ({
  demo,
  page,
}) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.start('two-threads');
  await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });
  await expectSamePictures(stage);
});

test('while the run is live, the stage can pause, step back, and return to now', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  const shown = await stage.recordShow();
  await stage.start('two-threads');
  await expect.poll(async () => (await shown()).some(({ caption }) => caption.includes('B asks: busy'))).toBe(true);
  await page.keyboard.press('Space');
  await expect(stage.button('Play')).toBeVisible();
  const beat = await stage.beat();
  const words = await stage.caption.innerText();
  await stage.hasPlayed();
  await expect(stage.state).toContainText('Paused.');
  expect([await stage.beat(), await stage.caption.innerText()]).toEqual([beat, words]);

  // how far the show continued before the key was handled differs every time
  for (let presses = 0; presses < 20 && !(await isFirst(stage)); presses++) {
    await page.keyboard.press('ArrowLeft');
    await stage.settled();
  }
  await expect(stage.caption).toHaveText('A acquires the lock. Redis grants a 6-second lease.');
  await expect(stage.redis).toContainText('A order-svc-1:1 ×1');
  await stage.button('To the end').click();
  await expect(stage.caption).toHaveText('A waiter sleeps until one message wakes it.');
  await expect(stage.lesson).toContainText('The message of A’s release woke it.');
});

test('the list of steps highlights the steps that the stage has reached, back and forward', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.chooseSpeed('×4');
  await stage.playToTheEnd('two-threads');
  await expectStepsLit(stage);
});

test('with the keyboard alone, the user can play, go to the start, pause, change the speed, show captions and full screen, and list the keys', async ({
  demo,
  page,
}) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await expect(stage.button('Play the show')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(stage.caption).toHaveText('A acquires the lock. Redis grants a 6-second lease.');
  await page.keyboard.press('Space');
  await expect(stage.button('Play')).toBeVisible();
  await expectKeys(stage);
});

async function isFirst(stage: StagePage): Promise<boolean> {
  return (await stage.caption.innerText()).startsWith('A acquires the lock.');
}

test('in a recorded run, stepping forward and back shows the same pictures, from the beginning to the end and back', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectSamePictures(stage);
});

test('in a recorded run, the list of steps highlights the steps that the stage has reached, back and forward', async ({
  recorded,
  page,
}) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await expectStepsLit(stage);
});
