import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';
import { holdLocks, nameOfHeld, startProgram, waitForLocks } from './load/held-locks.ts';

const GOAL_MS = 1000;
const SIZES = [10, 10_000, 50_000] as const;
const INCIDENTS = 9;
/** The pause between incidents: each one happens at another distance from the next run of the detectors. */
const APART_MS = 770;
const SETTLE_MS = 4000;
const POLL_MS = 10;
const GIVE_UP_MS = 120_000;

/**
 * Time from a plain DEL of a held lock, which proves a verdict, until the API shows its `insight.opened`. Measured with
 * 10, 10,000 and 50,000 held locks at level `monitor`. The figure is the slowest.
 */
export const verdictDelay: Bench = {
  name: 'verdict-delay',
  unit: 'ms',
  goal: `≤ ${GOAL_MS} ms, at ${Math.max(...SIZES).toLocaleString('en-US')} held locks too`,
  async run(print) {
    const also: Record<string, number> = {};
    const slowest: number[] = [];
    for (const locks of SIZES) {
      const delays = await delaysAt(locks);
      print(`${locks} locks: ${delays.map((each) => Math.round(each)).join(', ')} ms`);
      also[`median ${locks}`] = median(delays);
      slowest.push(Math.max(...delays));
    }
    const ours = Math.max(...slowest);
    const ratios = slowest.map((each) => each / GOAL_MS);
    return {
      ours,
      peers: {},
      also,
      ratio: ours / GOAL_MS,
      ratios,
      ratioTo: 'goal',
      runs: INCIDENTS,
      holds: ours <= GOAL_MS,
    };
  },
};

async function delaysAt(locks: number): Promise<number[]> {
  const redis = await startLocalRedis();
  try {
    await holdLocks(redis.url, locks);
    const program = await startProgram([redis.url, '--observe', 'monitor', '--memory', '1gb']);
    const pipe = new CommandPipe(redis.url);
    try {
      await waitForLocks(program.base, locks);
      await pause(SETTLE_MS);
      const delays: number[] = [];
      for (let n = 0; n < INCIDENTS; n++) {
        const began = performance.now();
        await pipe.ask('DEL', nameOfHeld(n));
        while (!(await isOpened(program.base, nameOfHeld(n)))) {
          if (performance.now() - began > GIVE_UP_MS) throw new Error(`no verdict after ${GIVE_UP_MS / 1000} s`);
          await pause(POLL_MS);
        }
        delays.push(performance.now() - began);
        await pause(APART_MS);
      }
      return delays;
    } finally {
      pipe.close();
      await program.stop();
    }
  } finally {
    await redis.stop();
  }
}

async function isOpened(base: string, lock: string): Promise<boolean> {
  const answer = await fetch(`${base}/api/events?type=insight.opened&lock=${encodeURIComponent(lock)}&limit=1`);
  return ((await answer.json()) as { events: unknown[] }).events.length > 0; // docs/api.md has the form of this answer
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
