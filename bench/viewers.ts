import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { startLoad } from './browser/load-process.ts';
import { startProduct } from './browser/product.ts';
import { cpuMsOf } from './load/process-figures.ts';
import { ViewerProcesses } from './load/viewer-processes.ts';

const ROUNDS = 3;
const SECONDS = 6;
const SETTLE_MS = 3000;
const EVENTS_PER_SECOND = 1000;
const LOCKS = 200;
const PAGES = [1, 20, 100] as const;
const MOST_PAGES = 100;
const PROCESSES = 4;
const GOAL_SHARE = 0.25;
const GOAL_MESSAGES = 15;

/**
 * What viewers cost: CPU time of Lockscope with 1, 20 and 100 pages at an even 1,000 lock events a second, level
 * `monitor`. The result is the cost of 100 pages, and the peer is one page. The pages are socket.io clients in other
 * processes; every event has to reach each of them once, otherwise the bench fails.
 */
export const viewers: Bench = {
  name: 'viewers',
  unit: 'of a core',
  goal: `≤ ${GOAL_SHARE} of a core more with ${MOST_PAGES} pages than with one, ≥ ${GOAL_MESSAGES} messages/s for each`,
  async run(print) {
    const rounds: Record<string, Cost>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const costs = await measure();
      rounds.push(costs);
      const textOf = ([pages, { share, messages }]: [string, Cost]) =>
        `${pages} pages ${(share * 100).toFixed(0)} %, ${messages.toFixed(1)} messages/s`;
      print(`round ${round + 1}: ${Object.entries(costs).map(textOf).join('; ')}`);
    }
    const costOf = (round: Record<string, Cost>, pages: number) => round[pages] ?? { share: Number.NaN, messages: 0 };
    const more = rounds.map((round) => costOf(round, MOST_PAGES).share - costOf(round, 1).share);
    const ratios = rounds.map((round) => costOf(round, MOST_PAGES).share / costOf(round, 1).share);
    const medianOf = (value: (cost: Cost) => number, pages: number) =>
      median(rounds.map((round) => value(costOf(round, pages))));
    const also = Object.fromEntries([
      ['20 pages', medianOf(({ share }) => share, 20)],
      ...PAGES.map((pages) => [`messages/s to each of ${pages}`, medianOf(({ messages }) => messages, pages)]),
    ]);
    const isOften = medianOf(({ messages }) => messages, MOST_PAGES) >= GOAL_MESSAGES;
    return {
      ours: medianOf(({ share }) => share, MOST_PAGES),
      peers: { '1 page': medianOf(({ share }) => share, 1) },
      also,
      ratio: median(ratios),
      ratios,
      ratioTo: '1 page',
      runs: ROUNDS,
      holds: median(more) <= GOAL_SHARE && isOften,
    };
  },
};

/** The share of a core, and the messages of one page in a second. */
type Cost = { readonly share: number; readonly messages: number };

/** The cost by number of pages. Pages are opened in addition to those before. */
async function measure(): Promise<Record<string, Cost>> {
  const redis = await startLocalRedis();
  const load = await startLoad(redis.url);
  const product = await startProduct([redis.url, '--observe', 'monitor']);
  const processes = new ViewerProcesses(product.url, PROCESSES);
  try {
    load.pace({ locks: LOCKS, eventsPerSecond: EVENTS_PER_SECOND });
    const costs: Record<string, Cost> = {};
    for (const pages of PAGES) {
      await processes.counts(pages);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const [before, cpuBefore, began] = [await processes.counts(pages), cpuMsOf(product.pid), performance.now()];
      await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
      const [after, cpu, ms] = [await processes.counts(pages), cpuMsOf(product.pid), performance.now() - began];
      const events = (after.events - before.events) / pages / SECONDS;
      if (events < EVENTS_PER_SECOND * 0.8) throw new Error(`only ${events.toFixed(0)} events a second came`);
      if (after.missed > before.missed) throw new Error(`${after.missed - before.missed} events were left out`);
      costs[pages] = {
        share: (cpu - cpuBefore) / ms,
        messages: ((after.messages - before.messages) * 1000) / pages / ms,
      };
    }
    return costs;
  } finally {
    processes.close();
    await load.stop();
    await product.stop();
    await redis.stop();
  }
}
