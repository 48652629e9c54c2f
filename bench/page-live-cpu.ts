import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, interleaved, median, pairedRatio, pairedRatios } from './bench.ts';
import { openChromium, openPage } from './browser/chromium.ts';
import { startLoad } from './browser/load-process.ts';
import { listNaively } from './browser/naive-pages.ts';
import { startProduct } from './browser/product.ts';
import { rendererShare } from './browser/renderer-cpu.ts';
import { EVENTS_PER_CYCLE, STEPS_PER_CYCLE } from './load/lock-cycle.ts';

const ROUNDS = 3;
const OPERATIONS_PER_SECOND = 420;
const LOCKS = 60;
const WARM_UP_MS = 4000;
const MEASURED_MS = 8000;
const GOAL_PERCENT = 15;

const PAGES = {
  events: '/events',
  overview: '/',
  timeline: '/timeline',
  lock: '/locks/warehouse%3Aorder-10000',
  // a document of the same origin without scripts
  'naive list': '/api/health',
};
type PageName = keyof typeof PAGES;

/**
 * CPU time of the renderer of a live page at 420 lock operations a second (about 2,100 MONITOR lines), in percent of a
 * core. Each page runs alone in its own Chromium. The result is the page of events; the other pages are shown beside
 * it. The peer is a page that reads the same events and appends one table row for each. Painting is not included,
 * because without a GPU another process paints on the CPU.
 */
export const pageLiveCpu: Bench = {
  name: 'page-live-cpu',
  unit: '% of a core',
  goal: `≤ ${GOAL_PERCENT} % on the events page`,
  async run(print) {
    const redis = await startLocalRedis();
    const load = await startLoad(redis.url);
    const product = await startProduct([redis.url, '--observe', 'monitor']);
    try {
      const names = Object.keys(PAGES) as PageName[]; // the keys of a constant have this type
      load.pace({ locks: LOCKS, eventsPerSecond: (OPERATIONS_PER_SECOND * EVENTS_PER_CYCLE) / STEPS_PER_CYCLE });
      const results = await interleaved(names, ROUNDS, async (name, round) => {
        const share = await shareOf(name, product.url);
        print(`round ${round + 1}: ${name} ${share.toFixed(1)} %`);
        return share;
      });
      const { events, 'naive list': naive, ...others } = results;
      const ours = median(events);
      return {
        ours,
        peers: { 'naive list': median(naive) },
        also: Object.fromEntries(Object.entries(others).map(([name, shares]) => [name, median(shares)])),
        ratio: pairedRatio(events, naive),
        ratios: pairedRatios(events, naive),
        ratioTo: 'naive list',
        runs: ROUNDS,
        holds: ours <= GOAL_PERCENT,
      };
    } finally {
      await load.stop();
      await product.stop();
      await redis.stop();
    }
  },
};

async function shareOf(name: PageName, url: string): Promise<number> {
  const browser = await openChromium();
  try {
    const page = await openPage(browser, url + PAGES[name]);
    if (name === 'naive list') await page.evaluate(listNaively, url);
    else await page.locator('.health-strip').waitFor();
    await page.waitForTimeout(WARM_UP_MS);
    const { renderer } = await rendererShare(browser, () => page.waitForTimeout(MEASURED_MS));
    return renderer * 100;
  } finally {
    await browser.close();
  }
}
