import { Frame } from '../../pages/frame.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { expect, test } from '../stage.ts';

test('after an unwatched time, an empty page names that time', async ({ redis, watch, page }) => {
  const { url } = await watch('--observe', 'monitor');
  const frame = new Frame(page);
  await page.goto(url);
  await expect(page.getByText('Watching. No lock activity seen yet.')).toBeVisible();
  await redis.crash();
  await expect(frame.status('Reconnecting')).toBeVisible();
  await redis.comeBack();
  await expect(frame.status('Live')).toBeVisible();
  for (const path of ['/', '/timeline']) {
    await page.goto(url + path);
    await expect(page.locator('.empty-state')).toContainText(
      /^Watching\. No lock activity seen since \d\d:\d\d:\d\d\./,
    );
    await expect(page.locator('.empty-state')).toContainText(/Not watched: redis, \S+ to \S+\./);
    await expect(page.locator('main')).not.toContainText('No lock activity seen yet');
  }
});

test('a timeline reports that locks were used only before its view', async ({ redis, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  await app.acquire('orders:42');
  await app.release('orders:42');
  await expect.poll(() => lockscope.eventsAfter(0)).not.toEqual([]);
  const [first] = await lockscope.eventsAfter(0);
  // a live view shows the last 30 s, or 40 s until the column beside it is drawn; the page also loads the same length
  // of time before the view
  await expect.poll(() => Date.now() / 1000, { timeout: 120_000 }).toBeGreaterThan(Number(first?.at) / 1e6 + 85);
  await page.goto(`${lockscope.url}/timeline`);
  await expect(page.getByText('No use of a lock is known in this time range.')).toBeVisible();
  await expect(page.locator('main')).not.toContainText('No lock activity seen yet');
  await page.getByRole('button', { name: 'Jump there' }).click();
  await expect(page.getByRole('button', { name: 'orders:42' }).first()).toBeVisible();
  await app.close();
});

test('if the Redis user may not run MONITOR, starting it on the page shows the command that allows it', async ({
  redis,
  page,
}) => {
  await redis.command('ACL', 'SETUSER', 'app', 'on', '>pw', '~*', '&*', '+@all', '-monitor');
  const lockscope = await startLockscope(redis.url.replace('//', '//app:pw@'), ['--observe', 'events']);
  await page.goto(lockscope.url);
  await page.getByRole('button', { name: 'Start monitor …' }).click();
  await page.getByRole('button', { name: /^Start monitor for 5 minutes/ }).click();
  await expect(page.getByRole('alert')).toContainText('ACL SETUSER app +monitor');
  await new Frame(page).expectAccessible('MONITOR refused on asking');
  await lockscope.stop();
});

test('for a user who may not search for locks, overview, timeline and events show the missing right', async ({
  redis,
  page,
}) => {
  await redis.command('ACL', 'SETUSER', 'app', 'on', '>pw', '~*', '&*', '+@all', '-scan');
  const lockscope = await startLockscope(redis.url.replace('//', '//app:pw@'), ['--observe', 'events']);
  for (const path of ['/', '/timeline', '/events']) {
    await page.goto(lockscope.url + path);
    await expect(page.getByText('ACL SETUSER app +scan', { exact: true })).toBeVisible();
    await expect(page.getByText('No lock has been seen with the rights of this user.')).toBeVisible();
  }
  await lockscope.stop();
});

test('the notice about key events shows a command, and the one about MONITOR a cost, until MONITOR is started', async ({
  watch,
  page,
}) => {
  const { url } = await watch('--observe', 'events');
  const frame = new Frame(page);
  await page.goto(url);
  const hints = page.getByRole('region', { name: 'Hints' });
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).toContainText(
    /It would take (about|less than) \d+(\.\d)? % of a core|Its cost for this Redis is shown before/,
  );
  await expect(hints).toBeHidden(); // the overview has no hints: its list of problems shows the same
  await page.goto(`${url}/timeline`);
  await expect(hints.locator('.notice')).toHaveCount(1);
  await expect(hints).toContainText(
    /It would take (about|less than) \d+(\.\d)? % of a core|Its cost for this Redis is shown before/,
  );
  await frame.health.getByRole('button', { name: 'Key tracking' }).click();
  const keyEvents = page.getByRole('dialog', { name: 'Key events' });
  await expect(keyEvents).toContainText(/CONFIG SET notify-keyspace-events Eghxec?/);
  await frame.expectAccessible('hints');
  await page.keyboard.press('Escape');

  await hints.getByRole('button', { name: 'Start monitor …' }).click();
  await hints.getByRole('button', { name: /^Start monitor for 5 minutes/ }).click();
  await expect(frame.health.getByRole('button', { name: /^Monitor/ })).toBeVisible();
  await expect(hints).toBeHidden();
});

test('a part whose first request is cut is loaded again automatically', async ({ connect, watch, page }) => {
  await (await connect('order-svc-1')).acquire('orders:42');
  const { url } = await watch();
  await page.route('**/TrendPanel-*.js', (route) => route.abort(), { times: 1 });
  await new OverviewPage(page).open(url);
  const part = page.getByRole('region', { name: 'Last 5 minutes' });
  await expect(part.getByText('Hidden at this level')).toBeVisible();
});

test('a page reports that another version of the server runs now', async ({ watch, page }) => {
  const overview = new OverviewPage(page);
  await overview.open((await watch()).url);
  await expect(overview.health).toContainText('Live');
  const notice = page.getByText('The server is Lockscope 9.9.9 now. This page is of another version.');
  await page.route('**/api/health', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), version: '9.9.9' } });
  });
  await expect(notice).toBeVisible();
  await page.unroute('**/api/health');
  await page.locator('.problems').getByRole('button', { name: 'Reload' }).click();
  await expect(overview.health).toContainText('Live');
  await expect(notice).toBeHidden();
});

test('a page whose filter or time range hides everything reports that, and offers to remove it', async ({
  connect,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const { url } = lockscope;
  const app = await connect('order-svc-1');
  await app.acquire('orders:42');
  await app.release('orders:42');
  await expect.poll(() => lockscope.eventsAfter(0, { type: 'lock.released' })).not.toEqual([]);
  const overview = new OverviewPage(page);
  await page.goto(`${url}/?q=nothing-like-this`);
  await expect(page.getByText('1 lock hidden by “nothing-like-this”.')).toBeVisible();
  await overview.expectAccessible('filtered away');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(overview.row('orders:42')).toBeVisible();

  await page.goto(`${url}/events?lock=no-such-lock`);
  await expect(page.getByText('No event in memory matches.')).toBeVisible();
  await overview.expectAccessible('no event matches');

  const [first] = await lockscope.eventsAfter(0);
  const from = Number(first?.at) / 1e6 + 3600;
  await page.goto(`${url}/timeline?v=1&src=live&view=${from}s%2B5s&at=${from}s`);
  await expect(page.getByText(/^Nothing between .* earlier\.$/)).toBeVisible();
  await overview.expectAccessible('nothing in this range');
  await page.getByRole('button', { name: 'Jump there' }).click();
  await expect(page.getByText(/^Nothing between/)).toBeHidden();
});
