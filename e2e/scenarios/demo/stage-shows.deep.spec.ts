import { StagePage } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { SHOWS } from './shows/all.ts';

/*
 * Each scenario is played to its end with real clients; then the test steps through the stage, as through the recorded
 * run. At some beats the stage is also checked to be accessible and usable on a small screen.
 */

test.describe.configure({ mode: 'parallel' });

for (const show of SHOWS) {
  test(`${show.id} (live): ${show.says}`, async ({ demo, page }) => {
    if (show.isPresented) await page.setViewportSize({ width: 1280, height: 720 });
    const stage = new StagePage(page);
    await stage.open(demo.url);
    await stage.chooseSpeed('×4');
    await (show.isPresented ? present(stage, show.id) : stage.playToTheEnd(show.id));
    await show.expect({ stage, lockscope: demo, look: (what) => expectSound(stage, what) });
  });
}

test('semaphore: the buttons acquire and release a permit', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.playToTheEnd('semaphore');
  await page.keyboard.press('End');
  await stage.button('Try it yourself').click();
  await stage.button('Take one as B').click();
  await expect(stage.redis).toContainText('4 of 5 free');
  await stage.button('Release one as B').click();
  await expect(stage.redis).toContainText('5 of 5 free');
});

test('redlock: once the scenario is stopped, only the demo’s own Redis is watched', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.start('redlock');
  await expect(stage.state).toContainText('Playing.');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(async () => (await demo.health()).sources.map(({ id }) => id)).toEqual(['redis']);
});

/** Plays a scenario in full screen on a small projector: controls, caption and lanes never move, nothing is cut off. */
async function present(stage: StagePage, scenario: string): Promise<void> {
  await stage.page.mouse.wheel(0, 200);
  await stage.start(scenario);
  await stage.toggleFullScreen();
  await stage.settled();
  const places = await stage.notePlaces();
  await stage.hasPlayedOnce();
  await stage.standAtTheStart();
  await stage.stepToTheEnd();
  expect(await places()).toEqual([expect.stringMatching(/hidden pixels: 0, 0, 0$/)]);
  await stage.standAtTheStart();
  await stage.toggleFullScreen();
}

/** Checks that the stage is accessible in both themes, and usable at 320 pixels. */
async function expectSound(stage: StagePage, what: string): Promise<void> {
  const { page } = stage;
  await stage.expectAccessible(what);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await stage.sidewaysPixels(), `${what} on 320 pixels`).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
}
