import { StagePage } from '../pages/stage-page.ts';
import { expect, test } from './stage.ts';

test('a real client locks twice and unlocks twice by the buttons of the stage', async ({ demo, page }) => {
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
