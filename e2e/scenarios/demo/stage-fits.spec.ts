import { StagePage } from '../../pages/stage-page.ts';
import { expect, test } from '../stage.ts';
import { openRecorded } from './shows/recorded.ts';

/* The stage with its list of steps beside it, and the stage alone. */

test('the list beside the stage names later steps only if the stage shows later events', async ({ recorded, page }) => {
  const { stage } = await openRecorded(page, await recorded('two-threads'));
  await stage.standAtTheStart();
  const last = stage.steps.last();
  await expect(last).toHaveText(/^8\s*not reached yet$/);
  await page.keyboard.press('KeyA');
  await expect(stage.button('What comes')).toHaveAttribute('aria-pressed', 'true');
  await expect(last).toHaveText(/^8.*B releases/);
  const shown = await stage.picture();
  await page.keyboard.press('KeyA');
  await expect(last).toHaveText(/^8\s*not reached yet$/);
  await stage.settled();
  expect((await stage.picture()).lanes === shown.lanes, 'the lanes show what comes').toBe(false);
});

test('a link with `embed=1` shows the stage alone, in the theme of the link', async ({ recorded, page }) => {
  const { url } = await recorded('frozen-holder');
  await page.goto(`${url}/demo?embed=1&theme=dark&scenario=frozen-holder`);
  const stage = new StagePage(page);
  await expect(stage.lesson).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Scenario' })).toHaveCount(0);
  await expect(stage.button('Start')).toBeVisible();
  expect(
    await stage.stage.evaluate((box) => [box.clientHeight + 2 >= innerHeight, box.scrollHeight <= innerHeight]),
  ).toEqual([true, true]);
});
