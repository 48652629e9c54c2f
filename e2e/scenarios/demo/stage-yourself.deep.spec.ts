import { recordTexts } from '../../pages/screen-recorder.ts';
import { StagePage } from '../../pages/stage-page.ts';
import { stateOf } from '../../support/process-state.ts';
import { expect, test } from '../stage.ts';

test('the user can lock, wait and unlock on the stage, and add a third client', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.button('Lock as A').click();
  await expect(stage.redis).toContainText('A order-svc-1:1 ×1');
  await stage.button('Lock again as A').click();
  await expect(stage.redis).toContainText('×2');
  await stage.button('Lock as B').click();
  await expect(stage.card('B')).toContainText('asleep');
  await stage.button('Add C').click();
  const waiter = await recordTexts(page, '.stage-actor[data-client="C"]');
  await stage.button('Try 2 s as C').click();
  await expect(stage.caption).toContainText('C gives up after');
  expect((await waiter.texts()).join()).toContain('asleep');
  await stage.button('Unlock as A').click();
  await expect(stage.caption).toContainText('A releases once.');
  await stage.button('Unlock as A').click();
  await expect(stage.redis).toContainText('B order-svc-2:1 ×1');
  await expect(stage.card('B')).toContainText('holds ×1');
});

test('freeze, thaw, kill and start on the stage act on the client’s process', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.button('Lock as A').click();
  await expect(stage.card('A')).toContainText('holds ×1');
  const pid = await stage.pid('A');

  const shown = await stage.recordShow();
  await stage.button('Freeze A on the stage').click();
  await expect(stage.card('A')).toContainText('frozen');
  await expect.poll(() => stateOf(pid)).toBe('T');
  // the caption is only shown until the lease ends
  await expect.poll(async () => (await shown()).map(({ caption }) => caption)).toContain('The renewal is overdue.');
  await stage.button('Thaw A on the stage').click();
  await expect.poll(() => stateOf(pid)).not.toBe('T');
  await expect(stage.card('A')).not.toContainText('frozen');

  await stage.button('Kill A on the stage').click();
  await expect(stage.card('A')).toContainText('crashed');
  await expect.poll(() => stateOf(pid)).toBe('none');
  await stage.button('Start A on the stage').click();
  await expect(stage.card('A')).not.toContainText('crashed');
  expect(await stage.pid('A')).not.toBe(pid);
});

test('a client that was cut off from Redis connects again with the button of its card', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await expect(stage.button('Freeze A on the stage')).toBeVisible();
  expect((await fetch(`${demo.url}/api/demo/clients/A/cut`, { method: 'POST' })).status).toBe(200);
  await stage.button('Heal A on the stage').click();
  await expect(stage.button('Heal A on the stage')).toBeHidden();
  await expect(stage.button('Freeze A on the stage')).toBeVisible();
});

test('a real client locks twice and unlocks twice with the buttons of the stage', async ({ demo, page }) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  await stage.button('Lock as A').click();
  await expect(stage.redis).toContainText('A order-svc-1:1 ×1');
  await stage.button('Lock again as A').click();
  await expect(stage.redis).toContainText('×2');
  await stage.button('Unlock as A').click();
  await expect(stage.caption).toContainText('A releases once.');
  await stage.button('Unlock as A').click();
  await expect(stage.redis).toContainText('Free. No client holds it.');
});
