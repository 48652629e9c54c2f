import { Frame } from '../../pages/frame.ts';
import { latinWords } from '../../pages/page-text.ts';
import { listenFor } from '../../support/clients/app.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';

test('the page of a client that waited for a fair lock shows that its clock agrees with that of Redis', async ({
  recorded,
  page,
}) => {
  const demo = await recorded('fair-queue');
  const { clients } = (await demo.get('/api/clients')).body as { clients: { client: string; name: string }[] };
  const waiter = clients.find(({ name }) => name === 'order-svc-2');
  await page.goto(`${demo.url}/clients/${waiter?.client}`);
  const about = page.getByRole('region', { name: 'About this client' });
  await expect(about).toContainText('No difference of 1 s or more to the clock of Redis was seen. Measured');
  await new Frame(page).expectAccessible('client with a clock');
});

test('a subscription is listed until it ends, and the page of a client without fair locks shows that its clock is not measured', async ({
  redis,
  connect,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'monitor');
  const [app, other] = [await connect('order-svc-1'), await connect('order-svc-2')];
  await app.acquire(LOCK);
  await other.acquire(LOCK);
  const stopListening = await listenFor(redis.url, LOCK);
  await other.acquire(LOCK);
  const uuid = other.holder().split(':')[0];
  await page.goto(`${lockscope.url}/clients/${uuid}`);
  const subscriptions = page.getByRole('region', { name: 'Subscriptions' }).first();
  await expect(subscriptions.getByRole('row').last()).toContainText('redisson_lock__channel:{orders:42}');
  await expect(page.getByRole('region', { name: 'About this client' })).toContainText(
    'Not measured: no attempt at a fair lock showed it.',
  );
  await new Frame(page).expectAccessible('client with a subscription');
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => new Frame(page).sidewaysPixels()).toBeLessThanOrEqual(0);

  await stopListening();
  await expect(subscriptions).toContainText('No open subscription of this client is known. One from before');
  await expect(subscriptions.getByRole('table')).toHaveCount(0);
});

test('at level events, subscriptions are shown as not seen, in both languages', async ({ connect, watch, page }) => {
  const lockscope = await watch('--observe', 'events', '--configure-notifications');
  const app = await connect('order-svc-1');
  await app.acquire(LOCK);
  const uuid = app.holder().split(':')[0];
  await expect.poll(async () => (await lockscope.get(`/api/clients/${uuid}`)).status).toBe(200);
  await page.goto(`${lockscope.url}/clients/${uuid}`);
  await expect(page.getByRole('region', { name: 'Subscriptions' })).toContainText('At level events: not seen.');
  await page.evaluate(() => localStorage.setItem('lockscope.language', 'zh-CN'));
  await page.reload();
  const subscriptions = page.getByRole('region', { name: '订阅' });
  await expect(subscriptions).toContainText('看不到');
  expect(
    await latinWords(page, /orders:42|order-svc-1|UTC|Monitor|events|localhost|[0-9a-f-]{36}|\b[0-9a-f]{8}\b/g),
  ).toEqual([]);
});
