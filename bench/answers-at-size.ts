import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { holdLocks, startProgram, waitForLocks } from './load/held-locks.ts';
import { cpuMsOf } from './load/process-figures.ts';

const GOAL_MS = 20;
const SIZES = [1000, 10_000, 50_000] as const;
const LARGEST = 50_000;
const LEVELS = ['monitor', 'events'] as const;
const ANSWERS = { page: '/api/locks?limit=10', insights: '/api/insights', scrape: '/metrics' } as const;
const WARM_UPS = 5;
const TURNS = 15;
/** By then, the detectors have run once, and the garbage of the first reads is collected. */
const SETTLE_MS = 4000;
const PAUSE_MS = 60;

/**
 * CPU time of the whole program for the first page of locks, for the insights and for a scrape of the metrics, at
 * 1,000, 10,000 and 50,000 held locks, at levels `monitor` and `events`. The figure is the largest mean at 50,000. What
 * the program does meanwhile counts too.
 */
export const answersAtSize: Bench = {
  name: 'answers-at-size',
  unit: 'ms CPU',
  goal: `≤ ${GOAL_MS} ms each at ${LARGEST.toLocaleString('en-US')} held locks`,
  async run(print) {
    const also: Record<string, number> = {};
    const means: number[] = [];
    for (const level of LEVELS) {
      for (const locks of SIZES) {
        for (const [answer, turns] of Object.entries(await turnsOf(level, locks))) {
          const mean = turns.reduce((sum, each) => sum + each, 0) / turns.length;
          print(
            `${level}, ${locks} locks, ${answer}: smallest ${Math.min(...turns).toFixed(1)}, mean ${mean.toFixed(1)} ms`,
          );
          also[`${answer} ${level} ${locks}`] = median(turns);
          if (locks === LARGEST) means.push(mean);
        }
      }
    }
    const ours = Math.max(...means);
    const ratios = means.map((each) => each / GOAL_MS);
    return {
      ours,
      peers: {},
      also,
      ratio: ours / GOAL_MS,
      ratios,
      ratioTo: 'goal',
      runs: TURNS,
      holds: ours <= GOAL_MS,
    };
  },
};

/** CPU time of each repetition, by answer. */
async function turnsOf(level: string, locks: number): Promise<Record<string, number[]>> {
  const redis = await startLocalRedis();
  try {
    await holdLocks(redis.url, locks);
    const program = await startProgram([redis.url, '--observe', level, '--memory', '1gb']);
    try {
      await waitForLocks(program.base, locks);
      await pause(SETTLE_MS);
      const found: Record<string, number[]> = {};
      for (const [answer, path] of Object.entries(ANSWERS)) {
        const turns: number[] = [];
        for (let turn = -WARM_UPS; turn < TURNS; turn++) {
          const before = cpuMsOf(program.pid);
          const reply = await fetch(program.base + path);
          if (!reply.ok) throw new Error(`${path} answered ${reply.status}`);
          await reply.arrayBuffer();
          if (turn >= 0) turns.push(cpuMsOf(program.pid) - before);
          await pause(PAUSE_MS);
        }
        found[answer] = turns;
      }
      return found;
    } finally {
      await program.stop();
    }
  } finally {
    await redis.stop();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
