import { startLocalServers } from '../../server/redis/private-server/local-redis.ts';
import { type Bench, median } from '../bench.ts';
import { type Program, startProgram } from '../load/held-locks.ts';
import { cpuMsOf, residentBytesOf } from '../load/process-figures.ts';

/** The goal for each further source, in % of a core and in MB. */
const GOAL_CPU = 0.2;
const GOAL_MB = 5;
/** The goal for 20 sources, in % of a core. */
const GOAL_OF_20 = 4;
const COUNTS = [1, 5, 20, 100] as const;
const MOST = Math.max(...COUNTS);
const RUNS = 3;
/** The program compiles its code and reads the servers for a while after its start. */
const SETTLE_MS = 30_000;
const MEASURE_MS = 20_000;
const LOOK_MS = 500;
const GIVE_UP_MS = 120_000;

type Taken = { readonly cpu: number; readonly mb: number };

/**
 * What a further idle source costs: CPU time of the whole program in % of a core, and its resident memory, with 1, 5,
 * 20 and 100 empty servers at level `events`. A further source is the difference between 20 and 100, divided by 80.
 */
export const idleSources: Bench = {
  name: 'idle-sources',
  unit: '% of a core',
  goal: `≤ ${GOAL_CPU} % and ${GOAL_MB} MB each, 20 ≤ ${GOAL_OF_20} %`,
  async run(print) {
    const servers = await startLocalServers(MOST, { args: ['--hz', '1'] });
    try {
      const taken = new Map(COUNTS.map((count) => [count, [] as Taken[]] as const));
      for (let run = 0; run < RUNS; run++) {
        for (const count of run % 2 === 0 ? COUNTS : [...COUNTS].reverse()) {
          const each = await takenBy(servers.slice(0, count).map(({ url }) => url));
          taken.get(count)?.push(each);
          print(`run ${run + 1}, ${count} sources: ${each.cpu.toFixed(2)} %, ${each.mb.toFixed(0)} MB`);
        }
      }
      return figuresFrom(taken);
    } finally {
      await Promise.all(servers.map(({ stop }) => stop()));
    }
  },
};

function figuresFrom(taken: ReadonlyMap<number, readonly Taken[]>) {
  const valuesOf = (count: number, what: keyof Taken) => (taken.get(count) ?? []).map((each) => each[what]);
  const further = (what: keyof Taken) =>
    valuesOf(100, what).map((many, run) => (many - (valuesOf(20, what)[run] ?? Number.NaN)) / (100 - 20));
  const ours = median(further('cpu'));
  const mbEach = median(further('mb'));
  const also: Record<string, number> = { 'MB each': mbEach };
  for (const count of COUNTS) {
    also[`% of ${count}`] = median(valuesOf(count, 'cpu'));
    also[`MB of ${count}`] = median(valuesOf(count, 'mb'));
  }
  return {
    ours,
    peers: {},
    also,
    ratio: ours / GOAL_CPU,
    ratios: further('cpu').map((cpu) => cpu / GOAL_CPU),
    ratioTo: 'goal',
    runs: RUNS,
    holds: ours <= GOAL_CPU && mbEach <= GOAL_MB && median(valuesOf(20, 'cpu')) <= GOAL_OF_20,
  };
}

async function takenBy(urls: readonly string[]): Promise<Taken> {
  const program = await startProgram([...urls, '--observe', 'events']);
  try {
    await untilObserving(program);
    await pause(SETTLE_MS);
    const [before, began] = [cpuMsOf(program.pid), performance.now()];
    await pause(MEASURE_MS);
    const cpu = ((cpuMsOf(program.pid) - before) / (performance.now() - began)) * 100;
    return { cpu, mb: residentBytesOf(program.pid) / 1024 / 1024 };
  } finally {
    await program.stop();
  }
}

async function untilObserving({ base }: Program): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await fetch(`${base}/api/health`);
    const { sources } = (await answer.json()) as { sources: { status: string; missing?: object }[] }; // docs/api.md has the form of this answer
    if (sources.every(({ status, missing }) => status === 'observing' && missing === undefined)) return;
    if (performance.now() > end) throw new Error(`not all of ${sources.length} sources are watched`);
    await pause(LOOK_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
