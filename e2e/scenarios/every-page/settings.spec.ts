import { Frame } from '../../pages/frame.ts';
import { expect, test } from '../stage.ts';

test('the settings change the theme and the density', async ({ watch, page }) => {
  const { url } = await watch('--observe', 'events');
  await page.goto(url);
  await new Frame(page).isReady();
  await page.keyboard.press('o');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const theme = settings.getByRole('group', { name: 'Theme' });
  for (const [name, value] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
  ] as const) {
    await theme.getByRole('radio', { name, exact: true }).check({ force: true });
    await expect(page.locator('html')).toHaveAttribute('data-theme', value);
  }
  await settings.getByRole('radio', { name: 'Compact', exact: true }).check({ force: true });
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact');
});

test('the settings show which sources are watched, and change the level', async ({ watch, redis, page }) => {
  const { url } = await watch('--observe', 'events');
  await page.goto(url);
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toContainText(redis.url);
  await expect(settings).toContainText('What cannot be seen now:');
  await settings.getByRole('button', { name: 'Switch to snapshots only' }).click();
  await expect(settings.getByRole('region', { name: redis.url })).toContainText('Live, Snapshots only');

  await test.step('desktop notifications need the permission of the browser', async () => {
    const on = settings.getByRole('radio', { name: 'On', exact: true });
    await on.click();
    await expect(settings.getByRole('alert')).toContainText('This browser does not permit notifications');
    await page.context().grantPermissions(['notifications']);
    await on.click();
    await expect(on).toBeChecked();
    await expect(settings.getByRole('alert')).toBeHidden();
  });
});
