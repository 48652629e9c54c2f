import { LOCK, UNLOCK } from '../server/demo/client/scripts.ts';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { copyFrom } from '../server/redis/private-server/replication.ts';
import { lockChannel } from '../shared/events/names/names.ts';
import { type Bench, interleaved, median, pairedRatio, pairedRatios } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';
import { cpuSeconds } from './load/cpu-seconds.ts';
import { startWatching, type Watcher } from './load/watchers.ts';

const WATCHED_BY = ['nothing', 'replication', 'events'] as const;
type Watched = (typeof WATCHED_BY)[number];
const LOCKS = 500;
const CYCLES = 40_000;
const WARM_UP = 4000;
const RUNS = 5;
const GOAL = 1.15;
const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
/** How long the settings of a new source may take to settle, before anything is measured. */
const SETTLED_MS = 1500;

/**
 * CPU time that a master with one replica spends on a lock that is acquired and released by script, by how it is
 * watched. One connection sends the scripts, those of 10 locks in one write. `ours` is level `replication`. The
 * throughput of the same runs is shown as well: it depends on how busy this machine is.
 */
export const replicationCost: Bench = {
  name: 'replication-cost',
  unit: 'µs/lock and unlock',
  goal: `≤ ${GOAL} × unwatched`,
  async run(print) {
    const throughput: Record<Watched, number[]> = { nothing: [], replication: [], events: [] };
    const micros = await interleaved(WATCHED_BY, RUNS, async (watched, round) => {
      const { each, perSecond } = await measure(watched);
      throughput[watched].push(perSecond);
      print(`round ${round + 1}: ${watched}: ${each.toFixed(1)} µs, ${Math.round(perSecond)} a second`);
      return each;
    });
    const ratios = pairedRatios(micros.replication, micros.nothing);
    const ratio = median(ratios);
    return {
      ours: median(micros.replication),
      peers: { nothing: median(micros.nothing), events: median(micros.events) },
      also: {
        'throughput left at replication': pairedRatio(throughput.replication, throughput.nothing),
        'throughput left at events': pairedRatio(throughput.events, throughput.nothing),
      },
      ratio,
      ratios,
      ratioTo: 'nothing',
      runs: RUNS,
      holds: ratio <= GOAL,
    };
  },
};

async function measure(watched: Watched): Promise<{ each: number; perSecond: number }> {
  const [master, replica] = await Promise.all([startLocalRedis(), startLocalRedis()]);
  let watcher: Watcher | undefined;
  const pipe = new CommandPipe(master.url);
  try {
    await copyFrom(master, replica);
    watcher = await startWatching(watched, master.url);
    await pipe.ask('SCRIPT', 'LOAD', LOCK.text);
    await pipe.ask('SCRIPT', 'LOAD', UNLOCK.text);
    await cycles(pipe, WARM_UP);
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const [cpuBefore, began] = [await cpuSeconds(pipe), performance.now()];
    await cycles(pipe, CYCLES);
    const seconds = (performance.now() - began) / 1000;
    return { each: ((await cpuSeconds(pipe)) - cpuBefore) * (1e6 / CYCLES), perSecond: CYCLES / seconds };
  } finally {
    pipe.close();
    await watcher?.stop();
    await Promise.all([master.stop(), replica.stop()]);
  }
}

async function cycles(pipe: CommandPipe, count: number): Promise<void> {
  for (let n = 0; n < count; n += 10) {
    const batch = Array.from({ length: 10 }, (_, k) => `orders:${(n + k) % LOCKS}`).flatMap((lock) => [
      ['EVALSHA', LOCK.sha, '1', lock, '30000', HOLDER],
      ['EVALSHA', UNLOCK.sha, '3', lock, lockChannel(lock), `latch:${lock}:${n}`, '0', '30000', HOLDER, 'publish', '1'],
    ]);
    await new Promise((resolve) => pipe.send(batch, resolve));
  }
}
