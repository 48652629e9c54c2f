import { gzipSync } from 'node:zlib';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import type { Bench } from './bench.ts';
import { openChromium } from './browser/chromium.ts';
import { startProduct } from './browser/product.ts';

const GOAL_KILOBYTES = 150;
/** Parts that must be loaded only when a user opens them. */
const LATER = /\/(TimelinePage|Stage|TrendPanel|\w*Chart|en-later|zh-CN-\w+)-/;

/**
 * Kilobytes of every file the first page loads in Chromium (document, scripts, styles, pictures), each compressed with
 * gzip. API answers do not count. Parts that belong to other pages must not be loaded.
 */
export const firstLoad: Bench = {
  name: 'first-load',
  unit: 'kB gzip',
  goal: `≤ ${GOAL_KILOBYTES} kB, without charts, timeline and stage`,
  async run(say) {
    const redis = await startLocalRedis();
    const product = await startProduct([redis.url]);
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      const files: { path: string; bytes: number }[] = [];
      const reading: Promise<void>[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (/^\/(api|socket\.io)\//.test(pathname)) return;
        reading.push(response.body().then((body) => void files.push({ path: pathname, bytes: gzipSync(body).length })));
      });
      await page.goto(product.url);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('load');
      await Promise.all(reading);
      for (const { path, bytes } of files) say(`${(bytes / 1000).toFixed(1).padStart(7)} kB ${path}`);
      const tooSoon = files.filter(({ path }) => LATER.test(path));
      for (const { path } of tooSoon) say(`too soon: ${path}`);
      const ours = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
      const ratio = ours / GOAL_KILOBYTES;
      const holds = ours <= GOAL_KILOBYTES && tooSoon.length === 0;
      return { ours, peers: {}, also: { files: files.length }, ratio, ratioTo: 'goal', runs: 1, holds };
    } finally {
      await browser.close();
      await product.stop();
      await redis.stop();
    }
  },
};
