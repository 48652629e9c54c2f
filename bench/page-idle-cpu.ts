import type { Browser, Page } from '@playwright/test';
import { type Bench, interleaved, median, pairedRatio, pairedRatios } from './bench.ts';
import { openChromium, openPage } from './browser/chromium.ts';
import { drawEveryFrame } from './browser/naive-pages.ts';
import { startProduct } from './browser/product.ts';
import { rendererShare } from './browser/renderer-cpu.ts';

const ROUNDS = 3;
const MEASURED_MS = 8000;
/** By then, queries have settled and the last transition has ended. */
const SETTLE_MS = 4000;
/** Long enough for the show, which plays for about 40 s. */
const SHOW_MS = 120_000;
const GOAL_PERCENT = 2;

const PAGES = {
  overview: '/',
  timeline: '/timeline',
  lock: '/locks/orders%3A42',
  events: '/events',
  demo: '/demo',
  'empty page': 'about:blank',
  'naive page': 'about:blank',
};
type PageName = keyof typeof PAGES;
const PEERS = new Set<PageName>(['empty page', 'naive page']);

/**
 * CPU time of the renderer of an idle page, in percent of a core: the show of the demo has ended, and no lock changes.
 * The result is that of the most expensive page. The page of the demo is the one that played the show. After the
 * show, each other page is opened alone in its own Chromium. Peers: an empty page, and a page that draws a clock in
 * every frame.
 */
export const pageIdleCpu: Bench = {
  name: 'page-idle-cpu',
  unit: '% of a core',
  goal: `≤ ${GOAL_PERCENT} % on every page`,
  async run(print) {
    const product = await startProduct(['demo']);
    const demoBrowser = await openChromium();
    try {
      const demo = await openPage(demoBrowser, `${product.url}/demo`);
      await playTheShow(demo);
      print('the show has ended');
      const names = Object.keys(PAGES) as PageName[]; // the keys of a constant have this type
      const results = await interleaved(names, ROUNDS, async (name, round) => {
        const share = name === 'demo' ? await shareOf(demoBrowser, demo) : await shareAlone(name, product.url);
        print(`round ${round + 1}: ${name} ${share.toFixed(2)} %`);
        return share;
      });
      const ours = names.filter((name) => !PEERS.has(name));
      const worst = ours.reduce((a, b) => (median(results[b]) > median(results[a]) ? b : a));
      const medians = (wanted: readonly PageName[]) =>
        Object.fromEntries(wanted.map((name) => [name, median(results[name])]));
      return {
        ours: median(results[worst]),
        peers: medians(names.filter((name) => PEERS.has(name))),
        also: medians(ours),
        ratio: pairedRatio(results[worst], results['naive page']),
        ratios: pairedRatios(results[worst], results['naive page']),
        ratioTo: 'naive page',
        runs: ROUNDS,
        holds: median(results[worst]) <= GOAL_PERCENT,
      };
    } finally {
      await demoBrowser.close();
      await product.stop();
    }
  },
};

async function playTheShow(page: Page): Promise<void> {
  const stage = page.getByRole('region', { name: 'Stage', exact: true });
  await stage.getByRole('button', { name: 'Play the show', exact: true }).click();
  await stage.getByRole('region', { name: 'What woke the waiter' }).waitFor({ timeout: SHOW_MS });
}

async function shareAlone(name: PageName, url: string): Promise<number> {
  const browser = await openChromium();
  try {
    const page = await openPage(browser, PEERS.has(name) ? PAGES[name] : url + PAGES[name]);
    if (name === 'naive page') await page.evaluate(drawEveryFrame);
    return await shareOf(browser, page);
  } finally {
    await browser.close();
  }
}

async function shareOf(browser: Browser, page: Page): Promise<number> {
  await page.waitForTimeout(SETTLE_MS);
  const { renderer } = await rendererShare(browser, () => page.waitForTimeout(MEASURED_MS));
  return renderer * 100;
}
