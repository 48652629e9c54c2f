import type { CDPSession, Page } from '@playwright/test';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { openChromium, openPage } from './browser/chromium.ts';
import { startLoad } from './browser/load-process.ts';
import { startProduct } from './browser/product.ts';
import { lineThrough } from './browser/slope.ts';
import { CommandPipe } from './load/command-pipe.ts';

/** Duration in minutes. `PAGE_MINUTES=60 npm run bench -- page-for-an-hour` watches the whole hour. */
const MINUTES = Number(process.env.PAGE_MINUTES ?? 6);
const EVENTS_PER_SECOND = 1000;
const LOCKS = 200;
const SAMPLES = 24;
/** Warm-up: until the lists are full (10,000 events) and the charts have their five minutes of data. */
const WARM_UP_MS = 330_000;
const GOAL_MEGABYTES = 5;
/** The clock shows whole seconds and is updated ten times a second. */
const GOAL_CLOCK_MS = 250;

/**
 * Growth of a page's heap in MB per hour at 1,000 lock events a second, after garbage collection. Measured for some
 * minutes and extrapolated along the line through the samples. The error is twice the standard error of its slope, and
 * does not cover what happens later. The growth of DOM nodes and listeners, and the difference between the page's clock
 * and Redis's `TIME`, are printed as well.
 */
export const pageForAnHour: Bench = {
  name: 'page-for-an-hour',
  unit: 'MB/h',
  goal: `≤ ${GOAL_MEGABYTES} MB/h or within the error, clock within ${GOAL_CLOCK_MS} ms`,
  async run(print) {
    const redis = await startLocalRedis();
    const load = await startLoad(redis.url);
    const product = await startProduct([redis.url, '--observe', 'monitor']);
    const browser = await openChromium();
    const pipe = new CommandPipe(redis.url);
    try {
      load.pace({ locks: LOCKS, eventsPerSecond: EVENTS_PER_SECOND });
      const page = await openPage(browser, `${product.url}/events`);
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      await page.waitForTimeout(WARM_UP_MS);
      const samples: Sample[] = [];
      const began = performance.now();
      for (let n = 0; n <= SAMPLES; n++) {
        await page.waitForTimeout(Math.max(0, began + (n * MINUTES * 60_000) / SAMPLES - performance.now()));
        const sample = await look(page, session, pipe, (performance.now() - began) / 3_600_000);
        samples.push(sample);
        const { hours, megabytes, nodes, listeners, clockMs } = sample;
        print(
          `${(hours * 60).toFixed(1)} min: ${megabytes.toFixed(2)} MB, ${nodes} nodes, ${listeners} listeners, ` +
            `clock ${clockMs.toFixed(0)} ms from Redis`,
        );
      }
      const heap = lineThrough(samples.map(({ hours, megabytes }) => [hours, megabytes]));
      const nodes = lineThrough(samples.map(({ hours, nodes }) => [hours, nodes]));
      const listeners = lineThrough(samples.map(({ hours, listeners }) => [hours, listeners]));
      // a stalling machine delays single ticks, but a wrong clock is wrong in every sample
      const errors = samples.map(({ clockMs }) => Math.abs(clockMs));
      const clock = median(errors);
      print(
        `an extrapolation from ${MINUTES} minutes: ${heap.slope.toFixed(1)} ± ${heap.error.toFixed(1)} MB an hour, ` +
          `${nodes.slope.toFixed(0)} ± ${nodes.error.toFixed(0)} nodes, ` +
          `${listeners.slope.toFixed(0)} ± ${listeners.error.toFixed(0)} listeners`,
      );
      const isFlat = heap.slope <= GOAL_MEGABYTES || heap.slope <= heap.error;
      return {
        ours: heap.slope,
        peers: {},
        also: {
          '± MB/h': heap.error,
          'minutes watched': MINUTES,
          'heap MB': samples.at(-1)?.megabytes ?? Number.NaN,
          'nodes/h': nodes.slope,
          'listeners/h': listeners.slope,
          'clock ms, median': clock,
          'clock ms, worst': Math.max(...errors),
        },
        ratio: heap.slope / GOAL_MEGABYTES,
        ratioTo: 'goal',
        runs: 1,
        holds: isFlat && clock <= GOAL_CLOCK_MS,
      };
    } finally {
      pipe.close();
      await browser.close();
      await load.stop();
      await product.stop();
      await redis.stop();
    }
  },
};

type Sample = { hours: number; megabytes: number; nodes: number; listeners: number; clockMs: number };

async function look(page: Page, session: CDPSession, pipe: CommandPipe, hours: number): Promise<Sample> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
  return {
    hours,
    megabytes: usedSize / 1e6,
    nodes: metric('Nodes'),
    listeners: metric('JSEventListeners'),
    clockMs: await clockError(page, pipe),
  };
}

/**
 * The page's clock minus Redis's, in ms. The page shows whole seconds, so this waits until the second changes. At that
 * instant the page's clock is exact, except for its tick of 100 ms and one frame.
 */
async function clockError(page: Page, pipe: CommandPipe): Promise<number> {
  const turned = await page.evaluate(
    () =>
      new Promise<{ shown: string; wallMs: number }>((resolve) => {
        const clock = document.querySelector('.redis-clock');
        if (!clock) throw new Error('the page shows no clock');
        const before = clock.textContent;
        const observer = new MutationObserver(() => {
          if (clock.textContent === before) return;
          observer.disconnect();
          resolve({ shown: clock.textContent ?? '', wallMs: Date.now() });
        });
        observer.observe(clock, { childList: true, characterData: true, subtree: true });
      }),
  );
  const sentAt = Date.now();
  const time = await pipe.ask('TIME');
  const heardAt = Date.now();
  const [seconds, micros] = (time as unknown[]).map((part) => Number(String(part))); // TIME answers with two numbers
  const redisAhead = (seconds ?? 0) * 1000 + (micros ?? 0) / 1000 - (sentAt + heardAt) / 2;
  const [hour = 0, minute = 0, second = 0] = turned.shown.split(':').map(Number.parseFloat);
  const day = 86_400_000;
  const shown = ((hour * 60 + minute) * 60 + second) * 1000;
  const real = (turned.wallMs + redisAhead) % day;
  // around midnight the two may be on different days
  return ((shown - real + day * 1.5) % day) - day / 2;
}
