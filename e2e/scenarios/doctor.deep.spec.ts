import { seriousFindings } from '../pages/axe.ts';
import { Frame } from '../pages/frame.ts';
import { expect, test } from './stage.ts';

test('the doctor measures what a level costs', async ({ page, watch }) => {
  test.slow();
  const lockscope = await watch('--observe', 'events');
  const frame = new Frame(page);
  const server = page.getByRole('region', { name: /^redis:\/\// });

  await page.goto(`${lockscope.url}/doctor?source=redis`);
  await test.step('a measurement says what will run before it begins, and can be cancelled', async () => {
    await server.getByRole('button', { name: 'Measure …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Measure the cost of each level' });
    await expect(dialog).toContainText('MONITOR runs for about 2 s');
    await expect(dialog).toContainText('about 13 s');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await frame.sidewaysPixels()).toBeLessThanOrEqual(0);
    await dialog.getByRole('checkbox', { name: 'Monitor' }).uncheck();
    await expect(dialog).not.toContainText('MONITOR');
    // two levels: it takes long enough to be cancelled
    await dialog.getByRole('button', { name: 'Measure now' }).click();
    await expect(dialog).toBeHidden();
    await server.getByRole('button', { name: 'Cancel' }).click();
    await expect(server).toContainText('The measurement was cancelled.');
  });

  await test.step('its result says how sure it is', async () => {
    await server.getByRole('button', { name: 'Measure again …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Monitor' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Key events only' }).uncheck();
    await dialog.getByRole('button', { name: 'Measure now' }).click();
    const costs = server.getByRole('table', { name: 'Cost of each level' });
    await expect(costs.getByRole('row', { name: /Snapshots only/ })).toContainText(
      /too quiet to|ended early|not tried/,
      {
        timeout: 30_000,
      },
    );
    expect(await seriousFindings(page)).toEqual([]);
    expect(await frame.sidewaysPixels()).toBeLessThanOrEqual(0);
  });
});
