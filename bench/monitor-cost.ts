import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, interleaved, median, pairedRatios } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';
import { cpuSeconds } from './load/cpu-seconds.ts';
import { startWatching } from './load/watchers.ts';

const WATCHED_BY = ['nothing', 'events', 'monitor', 'a bare MONITOR'] as const;
type Watched = (typeof WATCHED_BY)[number];
/** Sizes of values in bytes, and how many SETs are measured with each. */
const SIZES = [
  { bytes: 50, sets: 100_000 },
  { bytes: 1000, sets: 20_000 },
  { bytes: 20_000, sets: 2000 },
] as const;
const BATCH = 20;
const RUNS = 3;
const GOAL = 1.05;

/**
 * CPU time that Redis spends on one SET while it is watched, by the size of the value. MONITOR copies every byte of
 * every command, so its cost depends on the size.
 *
 * One connection sends SETs, 20 in one write. The peer is a socket that sends MONITOR and drops what arrives, which is
 * what any reader of MONITOR costs Redis. `ours` and the ratio are for values of 1,000 bytes.
 */
export const monitorCost: Bench = {
  name: 'monitor-cost',
  unit: 'µs/SET of 1 KB',
  goal: `≤ ${GOAL} × a bare MONITOR`,
  async run(print) {
    const bySize = new Map<number, Record<Watched, number[]>>();
    for (const { bytes, sets } of SIZES) {
      const micros = await interleaved(WATCHED_BY, RUNS, async (watched, round) => {
        const each = await microsPerSet(watched, bytes, sets);
        print(`round ${round + 1}: ${bytes} bytes, ${watched}: ${each.toFixed(1)} µs`);
        return each;
      });
      bySize.set(bytes, micros);
    }
    const middle = bySize.get(1000);
    if (!middle) throw new Error('1,000 bytes are one of the sizes');
    const ratios = pairedRatios(middle.monitor, middle['a bare MONITOR']);
    const ratio = median(ratios);
    const also = [...bySize].flatMap(([bytes, micros]) =>
      WATCHED_BY.map((watched) => [`${watched}, ${bytes} B`, median(micros[watched])] as const),
    );
    return {
      ours: median(middle.monitor),
      peers: { 'a bare MONITOR': median(middle['a bare MONITOR']) },
      also: Object.fromEntries(also),
      ratio,
      ratios,
      ratioTo: 'a bare MONITOR',
      runs: RUNS,
      holds: ratio <= GOAL,
    };
  },
};

async function microsPerSet(watched: Watched, bytes: number, sets: number): Promise<number> {
  const redis = await startLocalRedis();
  const watcher = await startWatching(watched, redis.url);
  const pipe = new CommandPipe(redis.url);
  try {
    const value = 'x'.repeat(bytes);
    const batch = Array.from({ length: BATCH }, (_, n) => ['SET', `blob:${n}`, value]);
    const sendSets = async (count: number) => {
      for (let sent = 0; sent < count; sent += BATCH) await new Promise((resolve) => pipe.send(batch, resolve));
    };
    await sendSets(sets / 10);
    const before = await cpuSeconds(pipe);
    await sendSets(sets);
    return ((await cpuSeconds(pipe)) - before) * (1e6 / sets);
  } finally {
    pipe.close();
    await watcher.stop();
    await redis.stop();
  }
}
