import { OverviewPage } from '../../pages/overview-page.ts';
import { expect, test } from '../stage.ts';

test('if J is pressed before the events are loaded, the step to the earlier event is made once they are loaded', async ({
  connect,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connect('order-svc-1');
  for (const lock of ['first', 'second', 'third']) await app.acquire(lock);
  await expect.poll(async () => (await lockscope.eventsAfter(0, { type: 'lock.acquired' })).length).toBe(3);
  const [, second] = await lockscope.eventsAfter(0, { type: 'lock.acquired' });
  const from = second?.at ?? 0;
  const before = Math.max(...(await lockscope.eventsAfter(0)).map(({ at }) => at).filter((at) => at < from));
  let answer = (): void => {};
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/events?*', async (route) => {
    await late;
    await route.continue();
  });
  const overview = new OverviewPage(page);
  await page.goto(`${lockscope.url}/?v=1&src=live&at=${from / 1e6}s`);
  await expect(overview.row('second')).toBeVisible();
  await page.keyboard.press('j');
  answer();
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(`${before / 1e6}s`);
  await expect(overview.row('first')).toBeVisible();
  await expect(overview.row('second')).toBeHidden();
});
