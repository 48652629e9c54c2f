import { redisTime } from '../../../shared/base/time.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { WaitsPage } from '../../pages/waits-page.ts';
import { type DemoProcess, startDemoProcess } from '../../support/lockscope/demo-process.ts';
import { launchLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { startObserver } from '../../support/lockscope/observer-process.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { OLD_LOCK, storeOldDays } from '../../support/stored/old-days.ts';
import { expect, test } from '../stage.ts';

const DAY_MS = 86_400_000;
const WEEKS = 2;

/** Ends what a test started, also if the test fails: the newest first. */
const ends: (() => Promise<unknown>)[] = [];

test.afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Acquires a lock in a thread, on the client's own server or on a further one. */
async function acquire(client: DemoProcess, thread: number, lock: string, server?: string): Promise<void> {
  const answer = await client.ask({ thread, action: 'lock', lock, ...(server === undefined ? {} : { server }) });
  if (!answer?.ok) throw new Error(`${client.name} does not get ${lock}: ${answer?.result}`);
}

test('a deadlock over two servers is named on the fleet page, with links to its locks, and the weeks before can be compared', async ({
  redis,
  page,
}) => {
  test.setTimeout(300_000);
  const store = test.info().outputPath('fleet.store');
  // whole weeks that ended yesterday: the second week has three times as many waits
  const end = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS;
  const from = end - WEEKS * 7 * DAY_MS;
  await storeOldDays(store, 'orders', {
    ...{ from: redisTime(from * 1000), days: WEEKS * 7 },
    timesOf: (day) => (day < 7 ? 1 : 3),
  });
  const [bus, second] = await Promise.all([startRedis(), startRedis()]);
  ends.push(bus.stop, second.stop);
  const observers = await Promise.all([
    startObserver(redis.url, bus.url, 'orders'),
    startObserver(second.url, bus.url, 'stock'),
  ]);
  ends.push(...observers.map(({ stop }) => stop));
  const viewer = await launchLockscopeProcess('view', ['--bus', bus.url, '--store', store]);
  ends.push(viewer.stop);
  const [billing, packing] = await Promise.all(
    ['billing', 'packing'].map((name) =>
      startDemoProcess({ name, redisUrl: redis.url, threads: 3, watchdogMs: 30_000 }),
    ),
  );
  if (!billing || !packing) throw new Error('the clients have not started');
  ends.push(billing.kill, packing.kill);

  const spanning = page.getByRole('region', { name: 'Over several sources' });
  const waits = spanning.getByRole('table', { name: 'The waits of this deadlock' });

  await test.step('without a deadlock, the page says that none was found', async () => {
    await page.goto(viewer.url);
    await expect(spanning).toContainText('No threads were found that wait for each other over several sources.');
    await expect(spanning).not.toContainText('Some waits are not known');
  });

  await test.step('a deadlock over two servers is named, with its threads, locks and sources', async () => {
    await acquire(billing, 1, 'order:7');
    await acquire(packing, 2, 'pallet:3', second.url);
    void billing.ask({ thread: 1, action: 'lock', lock: 'pallet:3', server: second.url });
    void packing.ask({ thread: 2, action: 'lock', lock: 'order:7' });
    await expect(waits).toBeVisible({ timeout: 60_000 });
    await expect(waits.getByRole('row')).toHaveText([
      'ThreadWaits forOnHeld by',
      /^(billing:1pallet:3stockpacking:2|packing:2order:7ordersbilling:1)$/,
      /^(billing:1pallet:3stockpacking:2|packing:2order:7ordersbilling:1)$/,
    ]);
    await expect(spanning).toContainText('Deadlock: threads wait for each other');
    await expect(spanning).toContainText('the same connection name, host and thread number');
    const clients = spanning.getByRole('table', { name: /^Processes that hold or wait/ });
    await expect(clients.getByRole('row').filter({ hasText: 'billing' })).toContainText(
      /orders: 1 lock.*stock: 1 lock/,
    );
    for (const [width, height] of [
      [1280, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: test.info().outputPath(`fleet-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await new OverviewPage(page).expectAccessible('fleet with a deadlock');
  });

  await test.step('both sources are shown as parts of the deadlock, although neither observer sees it', async () => {
    const rows = page.getByRole('table', { name: /^Sources/ }).getByRole('row');
    await expect(rows.filter({ hasText: 'part of a deadlock over several sources' })).toHaveCount(2);
    await expect(rows.filter({ hasText: /critical|Deadlock:/ })).toHaveCount(0);
  });

  await test.step('a click opens the lock on its source', async () => {
    await waits.getByRole('link', { name: 'order:7' }).click();
    await expect(page).toHaveURL(/\/sources\/orders\/locks\/order%3A7/);
    await expect(page.getByRole('heading', { name: 'order:7' })).toBeVisible();
    await expect(page.getByText('billing:1').first()).toBeVisible();
    await expect(page.getByText('packing:2').first()).toBeVisible();
  });

  await test.step('two weeks of the same source are compared: the second one cost more', async () => {
    const costs = new WaitsPage(page);
    await page.getByRole('link', { name: 'Blocking' }).first().click();
    await page.getByRole('link', { name: 'Cost' }).first().click();
    await costs.chooseRange('Range', from + 7 * DAY_MS, end);
    await costs.option('Compare with', 'The range before').check({ force: true });
    const row = page.getByRole('table', { name: 'Locks', exact: true }).getByRole('row').filter({ hasText: OLD_LOCK });
    await expect(row).toBeVisible({ timeout: 60_000 });
    const [, before = 0, after = 0, change = 0, waitsThen] = (await row.getByRole('cell').allInnerTexts()).map(
      Number.parseFloat,
    );
    expect(waitsThen).toBe(7 * 3);
    expect(after / before).toBeCloseTo(3, 1);
    expect(change).toBeCloseTo(after - before, 1);
  });

  await test.step('the page of a lock that is only in the store lists its days', async () => {
    await page.goto(`${viewer.url}/sources/orders/locks/${encodeURIComponent(OLD_LOCK)}`);
    const month = page.getByRole('region', { name: 'Day by day, from the store' });
    await expect(month).toBeVisible({ timeout: 60_000 });
    const days = month.getByRole('table').getByRole('row');
    expect(await days.count()).toBeGreaterThanOrEqual(1 + WEEKS * 7);
    const holdsOf = async (nth: number) =>
      Number.parseInt((await days.nth(nth).getByRole('cell').first().innerText()).replace(/\D/g, ''), 10);
    expect(await holdsOf(WEEKS * 7 - 1)).toBe(3 * (await holdsOf(2)));
    await month.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/sources\/orders\/timeline/);
  });
});
