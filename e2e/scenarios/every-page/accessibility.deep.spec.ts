import { Frame } from '../../pages/frame.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';

test('the pages of clients, the graph, waits and the timeline are accessible', async ({ contend, watch, page }) => {
  const lockscope = await watch('--observe', 'monitor');
  await contend(LOCK);

  const frame = new Frame(page);
  await page.goto(`${lockscope.url}/clients`);
  const client = page.getByRole('table', { name: 'Clients' }).getByRole('link');
  await expect(client).toHaveText('order-svc-1');
  await frame.expectAccessible('clients');
  await client.click();
  await expect(page.getByRole('table', { name: 'Holds' })).toContainText(LOCK);
  await expect(page.getByRole('region', { name: 'About this client' })).toContainText('127.0.0.1:');
  await frame.expectAccessible('client');

  await page.goto(`${lockscope.url}/graph`);
  await expect(page.getByRole('table', { name: 'Waits' })).toContainText('order-svc-1:1');
  await frame.expectAccessible('graph');

  await page.goto(`${lockscope.url}/waits`);
  await expect(page.getByRole('table', { name: 'Locks' })).toContainText('held by order-svc-1:1');
  await page.getByRole('radio', { name: 'The range before' }).check({ force: true });
  await frame.expectAccessible('waits');

  await page.goto(`${lockscope.url}/timeline`);
  await expect(page.getByRole('region', { name: 'Lanes' })).toContainText(LOCK);
  await frame.expectAccessible('timeline');
});

test('empty pages are accessible', async ({ watch, page }) => {
  const { url } = await watch('--observe', 'monitor');
  const frame = new Frame(page);
  for (const [path, shownText] of [
    ['/', 'Watching. No lock activity seen yet.'],
    ['/events', 'Watching. No lock activity seen yet.'],
    ['/timeline', 'Each lock that is taken becomes a lane here.'],
    ['/waits', 'No wait was seen in this range.'],
    ['/clients', 'No client has been seen.'],
    ['/no-such-page', 'There is no page'],
  ] as const) {
    await page.goto(url + path);
    await expect(page.getByText(shownText).first()).toBeVisible();
    await frame.expectAccessible(`empty ${path}`);
  }
});
