import { fileURLToPath } from 'node:url';
import { Frame } from '../../pages/frame.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { TimelinePage } from '../../pages/timeline-page.ts';
import { connectApp } from '../../support/clients/app.ts';
import { launchLockscope, startLockscope } from '../../support/lockscope/lockscope.ts';
import { expect, NO_REDIS, test } from '../stage.ts';

const RECORDING = fileURLToPath(new URL('../../../shared/traces/recordings/format-1.lockscope', import.meta.url));
const PAGES = ['/', '/timeline', '/events', '/locks/orders%3A42'];

test('without Redis, overview, timeline, events and lock show that nothing is watched, and what to do meanwhile', async ({
  store,
  page,
}) => {
  const frame = new Frame(page);
  for (const path of PAGES) {
    await page.goto(store.url + path);
    await expect(page.getByRole('alert')).toContainText(`No Redis at ${NO_REDIS}.`);
    await expect(page.getByText('Not watching, so there is nothing to show.').first()).toBeVisible();
    await expect(page.getByText(/Retrying automatically, next try in \d+ s\./).first()).toBeVisible();
    await expect(page.getByText('lockscope demo')).toBeVisible();
    await expect(frame.status('Not observing')).toBeVisible();
    for (const unknown of ['Snapshot –', 'Lag –', 'Drift –']) await expect(frame.health).toContainText(unknown);
    await expect(page.locator('main')).not.toContainText(/\blive\b/i);
    await expect(page.locator('body')).not.toContainText('Watching. No lock activity seen yet.');
    await frame.expectAccessible(`no Redis ${path}`);
  }
});

test('for a user who may not run MONITOR, the page shows the exact command that allows it', async ({ redis, page }) => {
  await redis.command('ACL', 'SETUSER', 'app', 'on', '>pw', '~*', '&*', '+@all', '-monitor');
  const lockscope = await startLockscope(redis.url.replace('//', '//app:pw@'), ['--observe', 'monitor']);
  const frame = new Frame(page);
  await page.goto(lockscope.url);
  await expect(page.getByText('User app may not run MONITOR.')).toBeVisible();
  await expect(page.getByText('ACL SETUSER app +monitor', { exact: true })).toBeVisible();
  await expect(frame.health).toContainText('Key events only');
  await frame.expectAccessible('MONITOR refused');
  await lockscope.stop();
});

test('for a user who may not read locks, four pages show the exact command that allows it, and claim nothing about locks', async ({
  redis,
  page,
}) => {
  const rules = ['on', '>pw', '~*', '&*', '+@read', '+@connection', '+@transaction', '-@dangerous'];
  await redis.command('ACL', 'SETUSER', 'app', ...rules);
  const lockscope = await launchLockscope(redis.url.replace('//', '//app:pw@'), []);
  const frame = new Frame(page);
  for (const path of PAGES) {
    await page.goto(lockscope.url + path);
    await expect(page.getByRole('alert')).toContainText('User app may not read locks: it may not run TIME.');
    await expect(page.getByText('ACL SETUSER app +time +info', { exact: true })).toBeVisible();
    await expect(page.getByText('This user may not read locks, so there is nothing to show.').first()).toBeVisible();
    await expect(frame.status('Not observing')).toBeVisible();
    const claims = page.getByText(/0 held|Nothing is wrong|Watching\.|to protect Redis|proxy/);
    await expect(claims.filter({ visible: true })).toHaveCount(0);
    await frame.expectAccessible(`no rights ${path}`);
  }
  await page.goto(lockscope.url);
  await expect(page.locator('.counters')).toHaveText('– held');
  await redis.command('ACL', 'SETUSER', 'app', '+time', '+info', '+psubscribe', '+subscribe', '+config|get');
  await expect(frame.status('Live')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.locator('.counters')).toContainText('0 held');
  await lockscope.stop();
});

test('for a user who may see a part of the locks, the page shows that part, and the command that allows the rest', async ({
  redis,
  page,
}) => {
  const app = await connectApp(redis.url);
  for (const lock of ['orders:42', 'payments:7']) await app.acquire(lock, { leaseMs: 600_000 });
  await redis.command('ACL', 'SETUSER', 'app', 'on', '>pw', '~orders:*', '&*', '+@all', '-getrange');
  const lockscope = await startLockscope(redis.url.replace('//', '//app:pw@'), ['--observe', 'events']);
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.row('orders:42')).toBeVisible();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('User app may not see all locks.');
  await expect(alert).toContainText('Locks whose keys user app may not read, such as payments:*.');
  await expect(page.getByText('ACL SETUSER app +getrange ~*', { exact: true })).toBeVisible();
  await expect(page.locator('.counters')).toContainText('at least 1 held');
  await expect(page.getByRole('region', { name: 'What is wrong' })).toContainText(
    /^No problem is visible, but \d+ of \d+ checks .* This user may not see all locks\./,
  );
  await new Frame(page).expectAccessible('a part of the locks');
  await page.goto(`${lockscope.url}/locks/payments%3A7`);
  const noLock = page.locator('main').getByText('No lock of that name is in memory.').locator('..');
  await expect(noLock).toContainText('This user may not see all locks.');
  await lockscope.stop();
  await app.close();
});

test('a page without locks shows that no lock was used yet', async ({ watch, page }) => {
  const { url } = await watch('--observe', 'monitor');
  const frame = new Frame(page);
  await page.goto(url);
  await expect(page.getByText('Watching. No lock activity seen yet.')).toBeVisible();
  await expect(page.getByText(/commands a second/)).toBeVisible();
  await expect(page.getByText(/No lock activity seen for \d+ s\./)).toBeVisible();
  await frame.expectAccessible('no locks yet');
  await page.goto(`${url}/timeline`);
  await expect(page.getByText('Each lock that is taken becomes a lane here.')).toBeVisible();
  await frame.expectAccessible('empty timeline');
});

test('an opened recording is at its beginning, and four pages do not show it as live', async ({
  openRecording,
  page,
}) => {
  const { url } = await openRecording(RECORDING);
  const timeline = new TimelinePage(page);
  for (const path of PAGES) {
    await page.goto(url + path);
    await expect(timeline.status('Recording')).toBeVisible();
    await expect(timeline.position).toHaveAttribute('aria-valuetext', /^0\.0 s of /);
    await timeline.position.press('End');
    await expect(page.getByText('orders:42').first()).toBeVisible();
    await expect(page.locator('body')).not.toContainText(/\blive\b/i);
    await expect(page.locator('body')).not.toContainText('Watching');
    await timeline.expectAccessible(`recording ${path}`);
  }
  // the whole recording is in view, and its clock does not run
  await timeline.open(url);
  const clock = await page.getByTitle('The end of the recording').innerText();
  await expect(page.getByRole('button', { name: /order-svc-1/ }).first()).toBeVisible();
  await timeline.showAs('Table');
  await expect(timeline.mark('released')).toHaveCount(2);
  expect(await page.getByTitle('The end of the recording').innerText()).toBe(clock);
});

test('if the server is unavailable, the page keeps its content, its clock stops, and it shows the time of the last message', async ({
  connect,
  watch,
  page,
}) => {
  await (await connect('order-svc-1')).acquire('orders:42');
  const lockscope = await watch('--observe', 'monitor');
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  await expect(overview.row('orders:42')).toBeVisible();
  await expect(page.getByText('Waits p95')).toBeVisible(); // the charts load last: the whole page is loaded
  await lockscope.stop();
  await expect(overview.banner).toContainText('The connection to Lockscope is lost.');
  await expect(overview.banner).toContainText(/Last message \d+ s ago/);
  await expect(overview.banner.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(overview.health).toContainText('stopped at');
  await expect(overview.row('orders:42')).toBeVisible();
  await overview.expectAccessible('server gone');
});

test('a part that does not load reports that, the other parts stay, and a retry loads it', async ({
  connect,
  watch,
  page,
}) => {
  await (await connect('order-svc-1')).acquire('orders:42');
  const { url } = await watch();
  await page.route('**/TrendPanel-*.js', (route) => route.abort());
  const overview = new OverviewPage(page);
  await overview.open(url);
  const part = page.getByRole('region', { name: 'Last 5 minutes' });
  await expect(part.getByRole('alert')).toContainText('Last 5 minutes could not be shown.');
  await expect(part.getByRole('alert')).toContainText('Try again when the page is connected.');
  await expect(overview.row('orders:42')).toBeVisible();
  await page.unroute('**/TrendPanel-*.js');
  await part.getByRole('button', { name: 'Try again' }).click();
  await expect(part.getByText('Hidden at this level')).toBeVisible();
});
