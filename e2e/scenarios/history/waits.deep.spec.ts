import { setTimeout as sleep } from 'node:timers/promises';
import { WaitsPage } from '../../pages/waits-page.ts';
import { type App, connectApp, listenFor } from '../../support/clients/app.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import type { RunningRedis } from '../../support/servers/redis.ts';
import { expect, test } from '../stage.ts';

const LOCK = 'orders:42';
const WAITS = 'Waits that ended with the lock, seen from beginning to end';
const TURNS = 24;
type Range = { from: number; to: number };

/** In each turn, thread 2 waits for a hold of thread 1 that takes `holdMs`. */
async function turns(app: App, redisUrl: string, count: number, holdMs: number): Promise<Range> {
  const from = Date.now();
  const stopListening = await listenFor(redisUrl, LOCK);
  for (let turn = 0; turn < count; turn++) {
    await app.acquire(LOCK, { thread: 1 });
    await app.acquire(LOCK, { thread: 2 });
    await app.acquire(LOCK, { thread: 2 });
    await sleep(holdMs);
    await app.release(LOCK, { thread: 1 });
    await app.acquire(LOCK, { thread: 2 });
    await app.release(LOCK, { thread: 2 });
  }
  await stopListening();
  await sleep(50);
  return { from, to: Date.now() };
}

/** The middle value, or the lower of the two middle values, as the page computes its median. */
function medianOf(lengths: readonly number[]): number {
  return lengths.toSorted((a, b) => a - b)[Math.ceil(lengths.length / 2) - 1] ?? Number.NaN;
}

/** A ratio as the page writes it. */
function ratioText(ratio: number): string {
  return `× ${ratio >= 9.95 ? Math.round(ratio) : ratio.toFixed(2)}`;
}

/**
 * Short waits before a deploy, four times as long ones after it; on a busy machine, both are longer than asked for.
 * `ratio`: how much the median has really grown.
 */
async function deploy(redis: RunningRedis, watch: (...flags: string[]) => Promise<Lockscope>) {
  const lockscope = await watch('--observe', 'monitor');
  const app = await connectApp(redis.url);
  const before = await turns(app, redis.url, TURNS, 20);
  await sleep(200);
  const after = await turns(app, redis.url, TURNS, 80);
  await app.close();
  const released = async () => (await lockscope.eventsAfter(0, { type: 'lock.released' })).length;
  await expect.poll(released).toBe(4 * TURNS);
  const acquired = await lockscope.eventsAfter(0, { type: 'lock.acquired' });
  const waited = acquired.flatMap((event) =>
    'waitedMs' in event && event.waitedMs !== undefined ? [event.waitedMs] : [],
  );
  expect(waited).toHaveLength(2 * TURNS);
  const ratio = medianOf(waited.slice(TURNS)) / medianOf(waited.slice(0, TURNS));
  return { url: lockscope.url, before, after, ratio };
}

test('two chosen ranges of live events are compared side by side, and the link opens the same comparison', async ({
  redis,
  watch,
  page,
}) => {
  const { url, before, after, ratio } = await deploy(redis, watch);
  const waits = new WaitsPage(page);
  await waits.open(url);
  await waits.chooseRange('Range', after.from, after.to);
  await waits.option('Compare with', 'Another range').check({ force: true });
  await waits.chooseRange('Compared with', before.from, before.to);

  const isCompared = async () => {
    for (const which of ['Range', 'Compared with'] as const) {
      await expect(waits.column(which)).toContainText('Seen as a whole.');
      await expect(waits.column(which)).toContainText(`${TURNS} waits took`);
    }
    await expect(waits.row(WAITS, 'How many').getByRole('cell')).toHaveText([
      String(TURNS),
      String(TURNS),
      /^× [\d.]+ per minute/,
    ]);
    const median = waits.row(WAITS, 'Median').getByRole('cell').last();
    await expect(median).toHaveText(new RegExp(`^${ratioText(ratio)} ?from 24 and 24$`));
    await expect(waits.row(WAITS, '95th').getByRole('cell').last()).toHaveText('too few: 24 and 24, 100 needed');
    await expect(waits.row('Locks', LOCK).getByRole('cell')).toHaveText([
      /^1\. waited/,
      /^1\. waited/,
      /^× \d+\.\d\d per minute ?from 24 and 24$/,
    ]);
  };
  await isCompared();
  const link = page.url();
  expect(new URL(link).searchParams.get('compare')).toMatch(/^\d+(\.\d+)?s\+\d+(\.\d+)?s$/);

  await page.goto(`${url}/events`);
  await page.goto(link);
  await isCompared();

  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(waits.row(WAITS, 'Median').getByRole('cell').last()).toHaveText(
    new RegExp(`^${ratioText(1 / ratio)} ?from`),
  );
  await page.goBack();
  await isCompared();
});

test('at level events, the number of waits is shown as not seen, because level monitor was off', async ({
  redis,
  watch,
  page,
}) => {
  const lockscope = await watch('--observe', 'events', '--configure-notifications');
  const app = await connectApp(redis.url);
  const seen = await turns(app, redis.url, 2, 300);
  await app.close();
  const waits = new WaitsPage(page);
  await waits.open(lockscope.url);
  await waits.chooseRange('Range', seen.from, seen.to);
  await waits.option('Compare with', 'The range before').check({ force: true });
  await expect(waits.column('Range')).toContainText('level monitor was off');
  await expect(waits.row(WAITS, 'How many').getByRole('cell').first()).toHaveText('not seen');
});
