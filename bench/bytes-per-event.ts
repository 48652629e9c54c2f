import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { openChromium, openPage } from './browser/chromium.ts';
import { startCountingProxy } from './browser/counting-proxy.ts';
import { startLoad } from './browser/load-process.ts';
import { startProduct } from './browser/product.ts';
import { eventsBetween, nextSeq } from './browser/recent-events.ts';

const ROUNDS = 3;
const SECONDS = 6;
const WARM_UP_MS = 5000;
const EVENTS_PER_SECOND = 1000;
const FEW = 10;
const MANY = 1000;
const GOAL_SHARE = 1 / 5;

/**
 * Bytes sent to a page per lock event, at 1,000 events a second: everything on its live channel, including changes of
 * locks, counted on a socket between Chromium and the program. 1,000 locks are busy; the result for 10 busy locks is
 * shown as well, and has the same goal. The size of the peer is computed: each event as JSON in its own socket.io
 * message, and nothing about locks.
 */
export const bytesPerEvent: Bench = {
  name: 'bytes-per-event',
  unit: 'bytes',
  goal: '≤ 1/5 of each event as JSON',
  async run(print) {
    const rounds: { few: Sizes; many: Sizes }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const sizes = { few: await measure(FEW), many: await measure(MANY) };
      rounds.push(sizes);
      const textOf = (name: string, { ours, json }: Sizes) => `${name} ${ours.toFixed(0)} of ${json.toFixed(0)}`;
      print(`round ${round + 1}: ${textOf('10 locks', sizes.few)}, ${textOf('1,000 locks', sizes.many)} bytes`);
    }
    const medianOf = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
    const share = (sizes: Sizes) => sizes.ours / sizes.json;
    return {
      ours: medianOf(({ many }) => many.ours),
      peers: { 'event as JSON': medianOf(({ many }) => many.json) },
      also: { '10 locks': medianOf(({ few }) => few.ours), '10 locks: ratio': medianOf(({ few }) => share(few)) },
      ratio: medianOf(({ many }) => share(many)),
      ratios: rounds.map(({ many }) => share(many)),
      ratioTo: 'event as JSON',
      runs: ROUNDS,
      holds: medianOf(({ many, few }) => Math.max(share(many), share(few))) <= GOAL_SHARE,
    };
  },
};

type Sizes = { readonly ours: number; readonly json: number };

async function measure(locks: number): Promise<Sizes> {
  const redis = await startLocalRedis();
  const load = await startLoad(redis.url);
  const product = await startProduct([redis.url, '--observe', 'monitor']);
  const proxy = await startCountingProxy(product.url);
  const browser = await openChromium();
  try {
    load.pace({ locks, eventsPerSecond: EVENTS_PER_SECOND });
    const page = await openPage(browser, proxy.url);
    await page.waitForTimeout(WARM_UP_MS);
    const first = await nextSeq(product.url);
    const before = proxy.bytes();
    await page.waitForTimeout(SECONDS * 1000);
    const bytes = proxy.bytes() - before;
    const events = await eventsBetween(product.url, first, await nextSeq(product.url));
    if (events.length < EVENTS_PER_SECOND * SECONDS * 0.8) throw new Error(`only ${events.length} events came`);
    const json = events.reduce((sum, event) => sum + messageBytes(JSON.stringify(event)), 0);
    return { ours: bytes / events.length, json: json / events.length };
  } finally {
    await browser.close();
    proxy.close();
    await load.stop();
    await product.stop();
    await redis.stop();
  }
}

/** Bytes of a socket.io message with one event, in a WebSocket frame. */
function messageBytes(json: string): number {
  const payload = Buffer.byteLength(`42["event",${json}]`);
  return payload + (payload < 126 ? 2 : 4);
}
