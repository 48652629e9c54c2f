import type { Browser, Page } from '@playwright/test';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median, quantile } from './bench.ts';
import { openChromium, openPage } from './browser/chromium.ts';
import { type Frames, watchFrames } from './browser/frames.ts';
import { startLoad } from './browser/load-process.ts';
import { drawNaively, type PlainSpan } from './browser/naive-timeline.ts';
import { startProduct } from './browser/product.ts';
import { eventsBetween, nextSeq, type ReportedEvent } from './browser/recent-events.ts';

const ROUNDS = 3;
/** Number of locks, all open and visible: a key lane and two threads each. */
const LOCKS = 3;
const EVENTS = 44_000;
const EVENTS_PER_SECOND = 2000;
const SPANS = 10_000;
const GOAL_MS = 8;
const FRAME_MS = 1000 / 60;
/** Jitter of vsync itself, in ms. */
const JITTER_MS = 1;
/**
 * How long the first and the last key are held down. The others are held twice as long. The keys move the view back and
 * forth, but not beyond the spans beside the view.
 */
const HOLD_MS = 200;
const TURNS = 12;

/**
 * Milliseconds of script per frame (p99) while panning over more than 10,000 visible holds and waits, on the real
 * timeline in Chromium, with held-down keys. The spans came from a real Redis. The peer is a canvas that draws the same
 * spans one by one and skips none.
 */
export const timelineFrame: Bench = {
  name: 'timeline-frame',
  unit: 'ms',
  goal: `≤ ${GOAL_MS} ms script (p99), frames 16.7 ms apart (p99)`,
  async run(print) {
    const redis = await startLocalRedis();
    const load = await startLoad(redis.url);
    const product = await startProduct([redis.url, '--observe', 'monitor']);
    const browser = await openChromium();
    try {
      load.pace({ locks: LOCKS, eventsPerSecond: EVENTS_PER_SECOND });
      while ((await nextSeq(product.url)) < EVENTS) await new Promise((resolve) => setTimeout(resolve, 200));
      load.pace({ locks: LOCKS, eventsPerSecond: 0 });
      const events = await eventsBetween(product.url, 1, await nextSeq(product.url));
      const spans = plainSpans(events);
      const view = middleView(spans);
      const page = await openTimeline(browser, product.url, view);
      const rounds: { ours: Frames; naive: Frames }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const ours = await watchFrames(browser, page, () => pan(page));
        const naive = await naiveFrames(
          browser,
          spans.filter((span) => span.from >= view.from && span.to <= view.to),
        );
        rounds.push({ ours, naive });
        print(`round ${round + 1}: ${text(ours)}; naive: ${text(naive)}`);
      }
      const medianOf = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
      const ours = medianOf(({ ours }) => quantile(ours.scripts, 0.99));
      const interval = medianOf(({ ours }) => quantile(ours.intervals, 0.99));
      return {
        ours,
        peers: { 'naive canvas': medianOf(({ naive }) => quantile(naive.scripts, 0.99)) },
        also: {
          'script p50': medianOf(({ ours }) => quantile(ours.scripts, 0.5)),
          'script max': Math.max(...rounds.flatMap(({ ours }) => ours.scripts)),
          'interval p50': medianOf(({ ours }) => quantile(ours.intervals, 0.5)),
          'interval p99': interval,
          'interval max': Math.max(...rounds.flatMap(({ ours }) => ours.intervals)),
          'naive interval p50': medianOf(({ naive }) => quantile(naive.intervals, 0.5)),
        },
        ratio: ours / GOAL_MS,
        ratios: rounds.map(({ ours }) => quantile(ours.scripts, 0.99) / GOAL_MS),
        ratioTo: 'goal',
        runs: ROUNDS,
        holds: ours <= GOAL_MS && interval <= FRAME_MS + JITTER_MS,
      };
    } finally {
      await browser.close();
      await load.stop();
      await product.stop();
      await redis.stop();
    }
  },
};

function text({ intervals, scripts }: Frames): string {
  const quantilesOf = (numbers: readonly number[]) =>
    [0.5, 0.99, 1].map((share) => quantile(numbers, share).toFixed(1)).join(' / ');
  return `script ${quantilesOf(scripts)}, interval ${quantilesOf(intervals)} ms (p50 / p99 / max of ${intervals.length})`;
}

/** The holds and waits in the events. */
function plainSpans(events: readonly ReportedEvent[]): PlainSpan[] {
  const lanes = new Map<string, number>();
  const open = new Map<string, { from: number; isWait: boolean }>();
  const spans: PlainSpan[] = [];
  for (const { type, lock, holder, at } of events) {
    if (holder === undefined) continue;
    const key = `${lock} ${holder}`;
    const lane = lanes.get(key) ?? lanes.size;
    lanes.set(key, lane);
    const before = open.get(key);
    if (type === 'lock.refused' && !before) open.set(key, { from: at, isWait: true });
    if (type !== 'lock.acquired' && type !== 'lock.released') continue;
    if (before) spans.push({ lane, to: at, ...before });
    open.delete(key);
    if (type === 'lock.acquired') open.set(key, { from: at, isWait: false });
  }
  return spans;
}

/** A view with a little more than 10,000 spans, in the middle of all spans. */
function middleView(spans: readonly PlainSpan[]): { from: number; to: number } {
  const starts = spans.map(({ from }) => from).sort((a, b) => a - b);
  const spansBeside = Math.floor((starts.length - SPANS * 1.05) / 2);
  const from = starts[spansBeside];
  const to = starts[starts.length - 1 - spansBeside];
  if (spansBeside < SPANS * 0.05 || from === undefined || to === undefined)
    throw new Error(`only ${spans.length} spans`);
  return { from, to };
}

async function openTimeline(browser: Browser, url: string, view: { from: number; to: number }): Promise<Page> {
  const seconds = (micros: number) => (micros / 1e6).toFixed(6);
  const span = encodeURIComponent(`${seconds(view.from)}s+${seconds(view.to - view.from)}s`);
  const page = await openPage(browser, `${url}/timeline?v=1&src=live&view=${span}&at=${seconds(view.to)}s`);
  await page.locator('.tl-plot canvas').first().waitFor();
  // older events are loaded page by page until they cover the view
  let reads = 0;
  page.on('response', (response) => {
    if (response.url().includes('/api/events')) reads++;
  });
  for (let before = -1; before !== reads; ) {
    before = reads;
    await page.waitForTimeout(2000);
  }
  return page;
}

/** Holds the keys down: back, forward, back … and ends where it began. */
async function pan(page: Page): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    const key = turn % 2 === 0 ? 'a' : 'd';
    await page.keyboard.down(key);
    await page.waitForTimeout(turn === 0 || turn === TURNS - 1 ? HOLD_MS : HOLD_MS * 2);
    await page.keyboard.up(key);
  }
}

async function naiveFrames(browser: Browser, spans: readonly PlainSpan[]): Promise<Frames> {
  const page = await openPage(browser, 'about:blank');
  try {
    return await watchFrames(browser, page, () => page.evaluate(drawNaively, { spans, seconds: 4 }));
  } finally {
    await page.context().close();
  }
}
