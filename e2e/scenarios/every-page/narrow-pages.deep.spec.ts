import { EventsPage } from '../../pages/events-page.ts';
import { visitEveryPage } from '../../pages/every-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { listenFor } from '../../support/clients/app.ts';
import { expect, test } from '../stage.ts';

/* A phone. `narrow.deep.spec.ts` has a zoom of 200 %. */
test.use({ viewport: { width: 320, height: 640 } });

test('with 320 pixels, overview, lock, events, help and timeline do not scroll sideways', async ({
  contend,
  watch,
  page,
}) => {
  const { url } = await watch('--observe', 'monitor');
  await contend('orders:42');
  await visitEveryPage(url, page);
});

test('with 320 pixels, the graph of a thread that blocks five others does not widen the page, and shortened names are links', async ({
  redis,
  connect,
  watch,
  page,
}) => {
  const { url } = await watch('--observe', 'monitor');
  const app = await connect('order-svc-1');
  const ends: (() => Promise<void>)[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    const lock = `warehouse:${n}:shelf:with-a-long-name`;
    await app.acquire(lock, { thread: 1 });
    await app.acquire(lock, { thread: 1 + n });
    ends.push(await listenFor(redis.url, lock));
    await app.acquire(lock, { thread: 1 + n });
  }
  const overview = new OverviewPage(page);
  await page.goto(`${url}/graph`);
  await expect(page.locator('.graph-box.is-lock')).toHaveCount(5);
  await overview.expectNarrow('blocking');
  // a name that may be shortened in its middle is still marked as a link
  const link = page.locator('.graph-box a .name.is-split').first();
  await expect(link).toHaveCSS('text-decoration-line', 'underline');
  for (const stopListening of ends) await stopListening();
});

test('the list of events does not scroll sideways at widths from 320 to 1920 pixels', async ({
  contend,
  watch,
  page,
}) => {
  const { url } = await watch('--observe', 'monitor');
  await contend('orders:42');
  const events = new EventsPage(page);
  const beyond = () => page.locator('.table-scroller').evaluate((box) => box.scrollWidth - box.clientWidth);
  for (const path of ['/events', '/locks/orders:42']) {
    await page.goto(`${url}${path}`);
    await expect(events.table).toContainText('order-svc-1');
    for (const width of [320, 700, 800, 900, 1000, 1300, 1536, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.soft.poll(beyond, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test('from 320 to 420 pixels, a name with a hyphen within a problem is on one line', async ({
  watch,
  startApplication,
  page,
}) => {
  const { url, lock } = await watch('--observe', 'monitor');
  const dead = await startApplication('billing-1');
  await dead.ask({ thread: 1, action: 'lock', lock: 'invoice:nightly' });
  await expect.poll(async () => (await lock('invoice:nightly'))?.holders[0]?.presence).toBe('connected');
  await dead.kill();
  await page.goto(`${url}/locks/invoice:nightly`);
  const wrong = page.getByRole('region', { name: 'What is wrong' });
  await expect(wrong).toContainText('The client of the holder is gone');
  const linesOf = (element: Element) =>
    Math.round(element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight));
  const names = wrong.locator('.whole-word, summary > .name');
  for (const width of [320, 330, 340, 350, 360, 370, 380, 390, 400, 410, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(names.filter({ hasText: 'billing-1' }).first(), `${width} px`).toBeVisible();
    for (const name of await names.all()) expect(await name.evaluate(linesOf), `${width} px`).toBe(1);
  }
});
