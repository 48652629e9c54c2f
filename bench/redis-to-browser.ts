import type { Page } from '@playwright/test';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median, quantile } from './bench.ts';
import { busyShare, openChromium, openPage } from './browser/chromium.ts';
import { echoEvents } from './browser/echo.ts';
import { startLoad } from './browser/load-process.ts';
import { delaysFrom, watchPainted } from './browser/painted.ts';
import { startProduct } from './browser/product.ts';
import { eventsBetween, nextSeq, type ReportedEvent } from './browser/recent-events.ts';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_MS = 4000;
const EVENTS_PER_SECOND = 1000;
const LOCKS = 200;
const FRAME_MS = 1000 / 60;

/**
 * Milliseconds from when Redis ran a command to the end of the frame in which the page shows its event, at 1,000 lock
 * events a second, on the events page. Both clocks are this machine's. The peer, in the same rounds and the same
 * Chromium, is a page that sends events at the same rate and with the same number per message to an echo process. Its
 * time runs from when an event is due until it comes back. The round trip of a message alone is shown as well.
 */
export const redisToBrowser: Bench = {
  name: 'redis-to-browser',
  unit: 'ms',
  goal: 'p99 ≤ 3 × the echo’s p99 + a frame',
  async run(print) {
    const redis = await startLocalRedis();
    const load = await startLoad(redis.url);
    const product = await startProduct([redis.url, '--observe', 'monitor']);
    const browser = await openChromium();
    const rounds: Round[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        load.pace({ locks: LOCKS, eventsPerSecond: EVENTS_PER_SECOND });
        const page = await openPage(browser, `${product.url}/events`);
        const ours = await measure(page, product.url);
        await page.context().close();
        load.pace({ locks: LOCKS, eventsPerSecond: 0 });
        const everyMs = 1000 / ours.messagesPerSecond;
        const { events, trips } = await echoEvents(browser, ours.sample, { everyMs, seconds: SECONDS });
        const echo = { p50: quantile(events, 0.5), p99: quantile(events, 0.99), trip: quantile(trips, 0.99) };
        rounds.push({ ...ours, echo });
        print(
          `round ${round + 1}: p50 ${ours.p50.toFixed(1)}, p99 ${ours.p99.toFixed(1)} of ${ours.count} events; ` +
            `${ours.sample.length} events a message; main thread ${(ours.busy * 100).toFixed(0)} %; ` +
            `echo p50 ${echo.p50.toFixed(1)}, p99 ${echo.p99.toFixed(1)}, p99 of its messages alone ${echo.trip.toFixed(1)}`,
        );
      }
    } finally {
      await browser.close();
      await load.stop();
      await product.stop();
      await redis.stop();
    }
    const medianOf = (value: (round: Round) => number) => median(rounds.map(value));
    const ours = medianOf(({ p99 }) => p99);
    return {
      ours,
      peers: { 'socket.io echo': medianOf(({ echo }) => echo.p99) },
      also: {
        p50: medianOf(({ p50 }) => p50),
        'echo p50': medianOf(({ echo }) => echo.p50),
        'echo, messages alone': medianOf(({ echo }) => echo.trip),
        'events a message': medianOf(({ sample }) => sample.length),
        'main thread %': medianOf(({ busy }) => busy * 100),
      },
      ratio: medianOf(({ p99, echo }) => p99 / (3 * echo.p99 + FRAME_MS)),
      ratios: rounds.map(({ p99, echo }) => p99 / (3 * echo.p99 + FRAME_MS)),
      ratioTo: 'goal',
      runs: ROUNDS,
      holds: medianOf(({ p99, echo }) => p99 - (3 * echo.p99 + FRAME_MS)) <= 0,
    };
  },
};

type Measured = {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  readonly messagesPerSecond: number;
  readonly busy: number;
  /** The events of one message. */
  readonly sample: readonly ReportedEvent[];
};
type Round = Measured & { readonly echo: { readonly p50: number; readonly p99: number; readonly trip: number } };

async function measure(page: Page, url: string): Promise<Measured> {
  await page.locator('table[aria-label="Events"] tbody tr').first().waitFor();
  await page.waitForTimeout(WARM_UP_MS);
  let messages = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.webSocketFrameReceived', () => messages++);
  const first = await nextSeq(url);
  const painted = await watchPainted(page);
  const busy = await busyShare(page, () => page.waitForTimeout(SECONDS * 1000));
  const end = await nextSeq(url);
  const messagesPerSecond = messages / busy.seconds;
  await page.waitForTimeout(500); // until the last events reach the page
  const frames = await painted();
  const events = await eventsBetween(url, first, end);
  // inferred events are dated back, so their delay means nothing
  const delays = delaysFrom(
    events.filter(({ certainty }) => certainty === 'observed'),
    frames,
  );
  if (delays.length < EVENTS_PER_SECOND * SECONDS * 0.8) throw new Error(`only ${delays.length} events came`);
  const perMessage = Math.max(1, Math.round(events.length / messages));
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    count: delays.length,
    messagesPerSecond,
    busy: busy.share,
    sample: events.slice(0, perMessage),
  };
}
