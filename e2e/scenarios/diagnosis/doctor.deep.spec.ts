import { seriousFindings } from '../../pages/axe.ts';
import { Frame } from '../../pages/frame.ts';
import { expect, test } from '../stage.ts';

test('the doctor shows what a measurement of the levels will run, can cancel it, and shows how sure the result is', async ({
  page,
  watch,
}) => {
  test.slow();
  const lockscope = await watch('--observe', 'events');
  const frame = new Frame(page);
  const server = page.getByRole('region', { name: /^redis:\/\// });

  await page.goto(`${lockscope.url}/doctor?source=redis`);
  await test.step('a measurement shows what will run before it begins, and can be cancelled', async () => {
    await server.getByRole('button', { name: 'Measure …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Measure the cost of each level' });
    await expect(dialog).toContainText('MONITOR runs for about 2 s');
    await expect(dialog).toContainText('about 13 s');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await frame.sidewaysPixels()).toBeLessThanOrEqual(0);
    await dialog.getByRole('checkbox', { name: 'Monitor' }).uncheck();
    await expect(dialog).not.toContainText('MONITOR');
    // two levels, so that the measurement takes long enough to be cancelled
    await dialog.getByRole('button', { name: 'Measure now' }).click();
    await expect(dialog).toBeHidden();
    await server.getByRole('button', { name: 'Cancel' }).click();
    await expect(server).toContainText('The measurement was cancelled.');
  });

  await test.step('the result shows how sure it is', async () => {
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

test('the doctor shows what endangers locks, and the command that removes the danger', async ({
  page,
  redis,
  watch,
  context,
}) => {
  await redis.command('CONFIG', 'SET', 'maxmemory', '1gb');
  await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'volatile-lru');
  const lockscope = await watch('--observe', 'events');
  const frame = new Frame(page);
  const server = page.getByRole('region', { name: /^redis:\/\// });
  const finding = (title: string) => server.getByRole('listitem').filter({ hasText: title });

  await test.step('the doctor opens from the panel of the source, with dangers first', async () => {
    await page.goto(lockscope.url);
    await frame.status('Live').click();
    await page.getByRole('link', { name: 'What endangers locks on this server' }).click();
    await expect(page).toHaveURL(/\/health\?source=redis$/);
    await expect(frame.heading).toHaveText('Health');
    await expect(server.getByRole('heading', { level: 3 }).first()).toHaveText('Redis may evict locks');
    await expect(finding('Redis may evict locks')).toContainText('maxmemory-policy volatile-lru');
    await expect(finding('After a restart, every lock is gone')).toContainText('Danger');
  });

  await test.step('the line for a danger can be copied, and once it has run, the danger is gone', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await finding('Redis may evict locks').getByRole('button', { name: 'Copy' }).click();
    await expect(finding('Redis may evict locks').getByRole('button', { name: 'Copied' })).toBeVisible();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).toBe('CONFIG SET maxmemory-policy noeviction');
    await redis.command(...line.split(' '));
    // a report that is younger than 2 s is shown again
    const dangers = async () => {
      await page.getByRole('button', { name: 'Examine again' }).click();
      return finding('Redis may evict locks').count();
    };
    await expect.poll(dangers).toBe(0);
    await server.getByText(/\d+ good/).click();
    await expect(finding('Redis evicts no lock')).toBeVisible();
  });

  await test.step('the doctor is accessible in both themes, and nothing scrolls sideways at 320 pixels', async () => {
    await frame.expectAccessible('doctor');
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => frame.sidewaysPixels()).toBeLessThanOrEqual(0);
  });
});
