import { gzipSync } from 'node:zlib';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import type { Bench } from './bench.ts';
import { openChromium } from './browser/chromium.ts';
import { startProduct } from './browser/product.ts';

const GOAL_KILOBYTES = 150;
/** Parts that must be loaded only when a user opens them. */
const LATER = /\/(TimelinePage|Stage|TrendPanel|\w*Chart|en-later|zh-CN-\w+)-/;

/**
 * Kilobytes of every file the first page loads in Chromium (document, scripts, styles, pictures), as they are
 * transferred: scripts and styles in brotli. `gzip`: the same files for a browser that reads only gzip, `plain`:
 * uncompressed. API answers do not count. Parts that belong to other pages must not be loaded.
 */
export const firstLoad: Bench = {
  name: 'first-load',
  unit: 'kB transferred',
  goal: `≤ ${GOAL_KILOBYTES} kB, without charts, timeline and stage`,
  async run(print) {
    const redis = await startLocalRedis();
    const product = await startProduct([redis.url]);
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      const files: { path: string; bytes: number; gzip: number; plain: number }[] = [];
      const reading: Promise<void>[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (/^\/(api|socket\.io)\//.test(pathname)) return;
        const read = async () => {
          const body = await response.body();
          const { responseBodySize: bytes } = await response.request().sizes();
          files.push({ path: pathname, bytes, gzip: gzipSync(body).length, plain: body.length });
        };
        reading.push(read());
      });
      await page.goto(product.url);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle'); // by then, the icon is loaded too
      await Promise.all(reading);
      for (const { path, bytes } of files) print(`${(bytes / 1000).toFixed(1).padStart(7)} kB ${path}`);
      const tooSoon = files.filter(({ path }) => LATER.test(path));
      for (const { path } of tooSoon) print(`too soon: ${path}`);
      const sum = (part: 'bytes' | 'gzip' | 'plain') => files.reduce((all, file) => all + file[part], 0) / 1000;
      const ours = sum('bytes');
      const ratio = ours / GOAL_KILOBYTES;
      const holds = ours <= GOAL_KILOBYTES && tooSoon.length === 0;
      return {
        ours,
        peers: {},
        also: { files: files.length, gzip: sum('gzip'), plain: sum('plain') },
        ratio,
        ratioTo: 'goal',
        runs: 1,
        holds,
      };
    } finally {
      await browser.close();
      await product.stop();
      await redis.stop();
    }
  },
};
