import { OverviewPage } from '../../pages/overview-page.ts';
import { launchLockscope } from '../../support/lockscope/lockscope.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { freePort } from '../../support/servers/server-process.ts';
import { expect, test } from '../stage.ts';

test('the list of what cannot be seen is still open after Redis did not answer for a while', async ({
  watch,
  connect,
  redis,
  page,
}) => {
  await (await connect('billing')).acquire('invoice:nightly');
  const lockscope = await watch('--observe', 'events');
  await new OverviewPage(page).open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await wrong.getByText('cannot be ruled out').click();
  await expect(wrong).toContainText('To see more, choose level monitor');
  await redis.freeze();
  await expect(wrong).toBeHidden();
  await redis.thaw();
  await expect(wrong).toContainText('To see more, choose level monitor');
});

const TITLE = 'The client of the holder is gone';

test('the other locks of a client that is gone are one line beside the first lock, which opens to a line for each', async ({
  watch,
  startApplication,
  page,
}) => {
  const dead = await startApplication('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  for (let n = 1; n <= 5; n++) await dead.ask({ thread: 1, action: 'lock', lock: `job:${n}` });
  await expect.poll(async () => (await lockscope.lock('job:5'))?.holders[0]?.presence).toBe('connected');
  await dead.kill();
  await new OverviewPage(page).open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  const line = wrong.getByRole('list').first().locator('> li').filter({ hasText: '4 more locks' });
  await expect(line).toContainText(/job:\d.*job:\d.* and 2 more.*The client of the holder is gone.*billing-1/);

  await line.locator('summary').first().press('Enter');
  const each = line.getByRole('listitem');
  await expect(each).toHaveCount(4);
  const last = each.nth(3);
  await last.getByText(TITLE).click();
  await last.getByRole('textbox', { name: 'Note for everybody' }).fill('restarting billing-1');
  await last.getByRole('button', { name: 'I take care of it' }).click();
  await expect(last.getByRole('list', { name: 'Notes' })).toContainText('restarting billing-1');
  await expect(line.locator('summary').first()).toContainText('1 taken care of');
});

test('problems stay as they were last known while Redis does not answer, also on the page of their lock', async ({
  watch,
  startApplication,
  redis,
  page,
}) => {
  const dead = await startApplication('billing-1');
  const lockscope = await watch('--observe', 'monitor');
  await dead.ask({ thread: 1, action: 'lock', lock: 'invoice:nightly' });
  await expect.poll(async () => (await lockscope.lock('invoice:nightly'))?.holders[0]?.presence).toBe('connected');
  await dead.kill();
  const overview = new OverviewPage(page);
  await overview.open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).toContainText(/The client of the holder is gone.*ends by itself in/s);
  await redis.freeze();
  const known = /Last known at \d\d:\d\d:\d\d.*invoice:nightly.*The client of the holder is gone/s;
  await expect(wrong).toContainText(known);
  await expect(overview.status('Reconnecting')).toBeVisible({ timeout: 60_000 });
  await expect(wrong).toContainText(known);
  await expect(wrong).not.toContainText('ends by itself in');
  await wrong.getByRole('link', { name: 'invoice:nightly' }).first().click();
  await expect(wrong).toContainText(/Last known at .*The client of the holder is gone/s);
  await redis.thaw();
  await expect(wrong).toContainText('ends by itself in');
  await expect(wrong).not.toContainText('Last known');
});

test('problems stay as they were last known while Lockscope does not answer', async ({
  redis,
  startApplication,
  page,
}) => {
  const dead = await startApplication('billing-1');
  const port = await freePort();
  const lockscope = await launchLockscope(redis.url, ['--observe', 'monitor'], port);
  await dead.ask({ thread: 1, action: 'lock', lock: 'invoice:nightly' });
  await expect.poll(async () => (await lockscope.lock('invoice:nightly'))?.holders[0]?.presence).toBe('connected');
  await dead.kill();
  await new OverviewPage(page).open(lockscope.url);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).toContainText(/The client of the holder is gone.*ends by itself in/s);
  const ofLock = await page.context().newPage();
  await ofLock.goto(`${lockscope.url}/locks/invoice%3Anightly`);
  const wrongThere = ofLock.getByRole('region', { name: 'What is wrong' });
  await expect(wrongThere).toContainText(/The client of the holder is gone.*ends by itself in/s);
  await lockscope.stop();
  const known =
    /Last known at \d\d:\d\d:\d\d\. This page has not heard from Lockscope since.*The client of the holder is gone/s;
  await expect(wrong).toContainText(known);
  await expect(wrong).not.toContainText('ends by itself in');
  await expect(wrongThere).toContainText(known);

  const again = await launchLockscope(redis.url, ['--observe', 'monitor'], port);
  try {
    await expect(wrong).toContainText('The client of the holder');
    await expect(wrong).not.toContainText('Last known');
  } finally {
    await again.stop();
  }
});

test('the page of a lock that is first opened while Lockscope does not answer shows that in each part', async ({
  redis,
  startApplication,
  page,
}) => {
  const app = await startApplication('billing-1');
  const lockscope = await launchLockscope(redis.url, ['--observe', 'monitor'], await freePort());
  await app.ask({ thread: 1, action: 'lock', lock: 'invoice:nightly' });
  await app.ask({ thread: 2, action: 'lock', lock: 'invoice:daily' });
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await page.goto(`${lockscope.url}/locks/invoice%3Anightly`);
  await expect(part('Holds')).toBeVisible();
  await page.keyboard.press('1');
  await expect(page.getByRole('link', { name: 'invoice:daily' }).first()).toBeVisible();
  await lockscope.stop();
  await page.getByRole('link', { name: 'invoice:daily' }).first().click();
  for (const name of ['Hand-overs', 'Holds', 'Waits']) await expect(part(name)).toContainText('does not answer');
});

test('problems of a source that does not answer are still shown, as last known, while another source is watched', async ({
  watch,
  startApplication,
  redis,
  page,
}) => {
  const other = await startRedis();
  const dead = await startApplication('billing-1');
  const lockscope = await watch(other.url, '--observe', 'monitor');
  await dead.ask({ thread: 1, action: 'lock', lock: 'invoice:nightly' });
  await expect.poll(async () => (await lockscope.lock('invoice:nightly'))?.holders[0]?.presence).toBe('connected');
  await dead.kill();
  await new OverviewPage(page).open(lockscope.url);
  await expect(page.getByRole('region', { name: 'What is wrong' })).toContainText(TITLE);
  await redis.freeze();
  const then = page.getByRole('region', { name: 'What was wrong at redis-1' });
  await expect(then).toContainText(
    /Last known at \d\d:\d\d:\d\d\. redis-1 has not been watched since.*invoice:nightly/s,
  );
  await expect(then).toContainText(TITLE);
  await redis.thaw();
  await expect(then).toBeHidden();
  await expect(page.getByRole('region', { name: 'What is wrong' })).toContainText(TITLE);
  await other.stop();
});
