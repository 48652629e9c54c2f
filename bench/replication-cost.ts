import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LOCK, UNLOCK } from '../server/demo/client/scripts.ts';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { copyFrom } from '../server/redis/private-server/replication.ts';
import { lockChannel } from '../shared/events/names/names.ts';
import { type Bench, interleaved, median, pairedRatio, pairedRatios } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';

const MAIN = fileURLToPath(new URL('../server/main.js', import.meta.url));
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
 * CPU time that a master with one replica spends on a lock that is acquired and released by script, by how it is watched.
 * One connection sends the scripts, those of 10 locks in one write. `ours` is level `replication`. The throughput of
 * the same runs is shown as well: it depends on how busy this machine is.
 */
export const replicationCost: Bench = {
  name: 'replication-cost',
  unit: 'µs/lock and unlock',
  goal: `≤ ${GOAL} × unwatched`,
  async run(say) {
    const throughput: Record<Watched, number[]> = { nothing: [], replication: [], events: [] };
    const micros = await interleaved(WATCHED_BY, RUNS, async (watched, round) => {
      const { each, perSecond } = await measure(watched);
      throughput[watched].push(perSecond);
      say(`round ${round + 1}: ${watched}: ${each.toFixed(1)} µs, ${Math.round(perSecond)} a second`);
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
  let program: ChildProcess | undefined;
  const pipe = new CommandPipe(master.url);
  try {
    await copyFrom(master, replica);
    if (watched !== 'nothing') program = await watch(master.url, watched);
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
    if (program) await end(program);
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

async function watch(url: string, level: Watched): Promise<ChildProcess> {
  const program = spawn(process.execPath, [MAIN, url, '--observe', level, '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: program.stdout })) {
    const base = /^lockscope ready (\S+)$/.exec(line)?.[1];
    if (base === undefined) continue;
    const answer = await fetch(`${base}/api/health`);
    const { sources } = (await answer.json()) as { sources: { level: string; status: string }[] }; // see docs/api.md
    if (sources.every((source) => source.level === level && source.status === 'observing')) return program;
    await end(program);
    throw new Error(`not watched at level ${level}: ${JSON.stringify(sources)}`);
  }
  throw new Error('Lockscope ended');
}

async function end(program: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGTERM');
  await ended;
}

/** CPU time of the server so far, user and system. */
async function cpuSeconds(pipe: CommandPipe): Promise<number> {
  const info = String(await pipe.ask('INFO', 'cpu'));
  const field = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return field('used_cpu_user') + field('used_cpu_sys');
}
