import { DemoPage } from '../../pages/demo-page.ts';
import { OverviewPage } from '../../pages/overview-page.ts';
import { stateOf } from '../../support/process-state.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';

test('the process of a frozen client stops, loses its lock, and continues when thawed', async ({ demo, context }) => {
  const stage = new DemoPage(await context.newPage());
  const overview = new OverviewPage(await context.newPage());
  await stage.open(demo.url);
  await overview.open(demo.url);
  await stage.order('Lock', 'A', 1);
  await expect(overview.cell(LOCK, 'holder')).toContainText('order-svc-1:1');
  const pid = await stage.pid('A');

  await stage.press('Freeze', 'A');
  await expect(stage.client('A')).toContainText('frozen');
  await expect.poll(() => stateOf(pid)).toBe('T');
  await expect(overview.cell(LOCK, 'holder')).toHaveText('free');

  await stage.press('Thaw', 'A');
  await expect(stage.client('A')).toContainText('running');
  await expect.poll(() => stateOf(pid)).not.toBe('T');
});

test('a killed client is shown as gone, its hold remains until the lease ends, and Start gives it a new process', async ({
  demo,
  context,
}) => {
  const stage = new DemoPage(await context.newPage());
  const overview = new OverviewPage(await context.newPage());
  await stage.open(demo.url);
  await overview.open(demo.url);
  await stage.chooseLease('10 s');
  await stage.order('Lock', 'B', 1);
  // The new lease is much longer than Lockscope takes to notice that a client is gone. The order is sent at once,
  // before the first lease ends.
  const again = () => demo.post('/api/demo/clients/B/threads/1/lock', { lock: LOCK, leaseMs: 30_000 });
  await expect.poll(async () => (await again()).status, { intervals: [50] }).toBe(202);
  await expect(overview.cell(LOCK, 'holder')).toContainText('order-svc-2:1');
  await expect(overview.cell(LOCK, 'holder')).toContainText('×2');
  const pid = await stage.pid('B');

  await stage.press('Kill', 'B');
  await expect(stage.client('B')).toContainText('no process');
  expect(stateOf(pid)).toBe('none');
  await expect(overview.cell(LOCK, 'holder')).toContainText('gone');
  await expect(overview.cell(LOCK, 'holder')).toHaveText('free', { timeout: 60_000 });

  await stage.press('Start', 'B');
  await expect(stage.client('B')).toContainText('running');
  expect(await stage.pid('B')).not.toBe(pid);
});
