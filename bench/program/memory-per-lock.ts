import { startLocalRedis } from '../../server/redis/private-server/local-redis.ts';
import { type Bench, median } from '../bench.ts';
import { holdLocks, startProgram, waitForLocks } from '../load/held-locks.ts';
import { residentBytesOf } from '../load/process-figures.ts';

const GOAL_BYTES = 1536;
const RUNS = 3;
/**
 * About as many as fit into the default memory. They are read at some 650 a second, so that reading them does Redis no
 * harm.
 */
const LOCKS = 40_000;

/**
 * Bytes of resident memory of the whole program per held lock, with 40,000 locks: its memory once it knows all of
 * them, minus its memory with an empty Redis. Garbage that is not collected yet counts.
 */
export const memoryPerLock: Bench = {
  name: 'memory-per-lock',
  unit: 'bytes',
  goal: `≤ ${GOAL_BYTES} bytes`,
  async run(print) {
    const perLock: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const bytes = ((await residentBytes(LOCKS)) - (await residentBytes(0))) / LOCKS;
      perLock.push(bytes);
      print(`run ${run + 1}: ${Math.round(bytes)} bytes`);
    }
    const ours = median(perLock);
    const ratio = ours / GOAL_BYTES;
    const ratios = perLock.map((bytes) => bytes / GOAL_BYTES);
    return { ours, peers: {}, ratio, ratios, ratioTo: 'goal', runs: RUNS, holds: ours <= GOAL_BYTES };
  },
};

async function residentBytes(locks: number): Promise<number> {
  const redis = await startLocalRedis();
  try {
    const starting = startProgram([redis.url, '--observe', 'monitor']);
    await holdLocks(redis.url, locks);
    const program = await starting;
    try {
      await waitForLocks(program.base, locks);
      return residentBytesOf(program.pid);
    } finally {
      await program.stop();
    }
  } finally {
    await redis.stop();
  }
}
