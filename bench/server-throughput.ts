import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { copyFrom } from '../server/redis/private-server/replication.ts';
import { type Bench, type Figures, median, pairedRatios } from './bench.ts';
import type { Phase, Speed } from './load/full-speed.ts';
import { GaveUp, startWatching, type WatchedBy } from './load/watchers.ts';

type Load = Phase['kindOfLoad'];
type Rounds = Record<Load, number[]>;
/** The goal for each load: at least this share of the throughput with the peer. */
type Goals = Partial<Record<Load, number>>;

const RUNS = 5;
const WARM_UP_MS = 1000;
const FOR_MS = 2500;
/**
 * How long a watcher runs under load before anything is measured: a watcher runs for hours, so its first seconds do not
 * count.
 */
const FIRST_MS = 6000;
/** Before a measurement, the watcher is at most this far behind. */
const CAUGHT_UP_MS = 300;

/*
 * Commands a second that a Redis serves while it is watched, beside the same Redis watched by a peer. Server, load and
 * watcher share this machine, two cores in our measurements, and the load leaves the server no rest. So the CPU time of
 * the watcher counts as well.
 *
 * Two loads (`load/full-speed.ts`): `locks` acquires and releases locks by script and sends nothing else, `ordinary`
 * has no lock. Each measurement has a new server. All contestants of a round run one after the other; the next round
 * runs them in reverse order. The ratio of each round is computed for itself: its median counts, and `also` has the
 * lowest and the highest.
 */

/**
 * Ordinary commands only: under lock scripts at full speed on two cores, 15 MB of MONITOR output wait within seconds,
 * and the guard ends MONITOR.
 */
export const serverThroughputMonitor: Bench = {
  name: 'server-throughput-monitor',
  unit: 'commands/s, ordinary',
  isMoreBetter: true,
  goal: '≥ 0.95 × redis-cli monitor',
  run: (print) => throughput(print, { level: 'monitor', peer: 'redis-cli monitor', goals: { ordinary: 0.95 } }),
};

export const serverThroughputEvents: Bench = {
  name: 'server-throughput-events',
  unit: 'commands/s, locks',
  isMoreBetter: true,
  goal: '≥ 0.75 × nothing, ordinary ≥ 0.95',
  run: (print) => throughput(print, { level: 'events', peer: 'nothing', goals: { ordinary: 0.95, locks: 0.75 } }),
};

/** The server has a replica in each measurement, also when nothing watches. */
export const serverThroughputReplication: Bench = {
  name: 'server-throughput-replication',
  unit: 'commands/s, locks',
  isMoreBetter: true,
  goal: '≥ 0.93 × nothing',
  run: (print) => throughput(print, { level: 'replication', peer: 'nothing', goals: { locks: 0.93 } }),
};

type ThroughputOptions = { readonly level: WatchedBy; readonly peer: WatchedBy; readonly goals: Goals };

/** The load whose figures are in the table: locks, if they are measured. */
const mainLoad = (goals: Goals): Load => ('locks' in goals ? 'locks' : 'ordinary');

async function throughput(
  print: (progress: string) => void,
  { level, peer, goals }: ThroughputOptions,
): Promise<Figures> {
  const loads = Object.keys(goals) as Load[]; // the keys of `Goals` have this type
  const main = mainLoad(goals);
  const contestants = [...new Set<WatchedBy>(['nothing', peer, level])];
  const found = new Map<WatchedBy, Rounds>(contestants.map((by) => [by, { locks: [], ordinary: [] }]));
  for (let round = 0; round < RUNS; round++) {
    for (const by of round % 2 === 0 ? contestants : [...contestants].reverse()) {
      const { speeds, lagMs } = await measure(by, loads, level === 'replication', print);
      for (const [load, perSecond] of speeds) found.get(by)?.[load].push(perSecond);
      const shown = [...speeds].map(([load, n]) => `${load} ${Math.round(n)}/s`).join(', ');
      print(`round ${round + 1}: ${by}: ${shown}${lagMs > 0 ? `, ${lagMs} ms behind` : ''}`);
    }
  }
  const speedsOf = (by: WatchedBy, load: Load) => found.get(by)?.[load] ?? [];
  const ratios = (load: Load, to: WatchedBy) => pairedRatios(speedsOf(level, load), speedsOf(to, load));
  const also: Record<string, number> = {};
  for (const load of loads) {
    for (const to of contestants.filter((by) => by !== level)) {
      const all = ratios(load, to);
      also[`${load}, of ${to}`] = median(all);
      also[`${load}, of ${to}, lowest`] = Math.min(...all);
      also[`${load}, of ${to}, highest`] = Math.max(...all);
    }
  }
  return {
    ours: median(speedsOf(level, main)),
    peers: Object.fromEntries(contestants.filter((by) => by !== level).map((by) => [by, median(speedsOf(by, main))])),
    also,
    ratio: median(ratios(main, peer)),
    ratioTo: peer,
    ratios: ratios(main, peer),
    runs: RUNS,
    holds: loads.every((load) => median(ratios(load, peer)) >= (goals[load] ?? 0)),
  };
}

/**
 * Measures how many commands a second the Redis serves, for each load. The speed is 0 if the watcher gives up, because
 * it then no longer shows what happens.
 */
async function measure(by: WatchedBy, loads: readonly Load[], hasReplica: boolean, print: (progress: string) => void) {
  const redis = await startLocalRedis();
  const replica = hasReplica ? await startLocalRedis() : undefined;
  if (replica) await copyFrom(redis, replica);
  const load = await startLoad(redis.url);
  const watcher = await startWatching(by, redis.url);
  const speeds = new Map<Load, number>();
  let lagMs = 0;
  const play = async (phase: Phase) => {
    while ((await watcher.check()) > CAUGHT_UP_MS) await new Promise((resolve) => setTimeout(resolve, 100));
    load.send(phase);
    const [speed] = (await once(load, 'message')) as [Speed]; // what full-speed sends
    lagMs = await watcher.check();
    return speed.perSecond;
  };
  try {
    if (by !== 'nothing')
      for (const kindOfLoad of loads) await play({ kindOfLoad, warmUpMs: 0, forMs: FIRST_MS / loads.length });
    for (const kindOfLoad of loads)
      speeds.set(kindOfLoad, await play({ kindOfLoad, warmUpMs: WARM_UP_MS, forMs: FOR_MS }));
  } catch (error) {
    if (!(error instanceof GaveUp)) throw error;
    for (const kindOfLoad of loads) speeds.set(kindOfLoad, 0);
    print(error.message);
  } finally {
    await watcher.stop();
    load.kill();
    await replica?.stop();
    await redis.stop();
  }
  return { speeds, lagMs };
}

async function startLoad(url: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./load/full-speed.js', import.meta.url)), [url]);
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['it ended'])]);
  if (message !== 'ready') throw new Error(`the load did not start: ${message}`);
  return child;
}
