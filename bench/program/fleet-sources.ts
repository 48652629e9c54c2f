import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from '../../server/package-info.ts';
import { startLocalRedis } from '../../server/redis/private-server/local-redis.ts';
import { PrivatePostgres } from '../../server/store/testing/private-postgres.ts';
import { type Bench, quantile } from '../bench.ts';
import { CommandPipe } from '../load/command-pipe.ts';
import { startProgram } from '../load/held-locks.ts';
import { LagMeter } from '../load/lag-meter.ts';
import { cpuMsOf, postgresProcesses, residentBytesOf } from '../load/process-figures.ts';
import type { Pace, Written } from '../load/simulated-sources.ts';
import { StoredPlaces } from '../load/stored-places.ts';

const SOURCES = Number(process.env.FLEET_SOURCES ?? 300);
/** Rates that are tried in this order, in events a second of each source, until the store does not keep up. */
const RATES = (process.env.FLEET_RATES ?? '30,100,200,300').split(',').map(Number);
const GOAL = 90_000;
const GOAL_AGE_MS = 2000;
const SETTLE_MS = 10_000;
const MEASURE_MS = Number(process.env.FLEET_SECONDS ?? 30) * 1000;
/** The fleet page asks this often. */
const ASK_MS = 1000;
const LIST_MS = 120_000;
/** The store keeps up if it stores this part of what the bus takes; blocks make each of the two numbers uneven. */
const ENOUGH = 0.97;

type Engine = 'sqlite' | 'postgres';

/**
 * 300 simulated sources, whose blocks, states and pulses are written by the code of a real observer → a bus →
 * `lockscope store` and `lockscope view`. The rate goes up until the store does not keep up. The result is the highest
 * rate that was both made and stored in SQLite, while all processes share this machine. One process makes all sources:
 * if it does not get the CPU time that it needs, pulses are late, and the page is older than with real observers.
 *
 *   simulated-sources ─► redis-server ─► StoredPlaces ─► lockscope store ─► SQLite, or PostgreSQL
 *                              └────► lockscope view ─► GET /api/fleet, each second
 *
 * The lag is the time from the confirmation of a block by the bus to the XREAD of the writer that follows its
 * transaction. Each simulated pulse names the time at which it was made in the version of its observer. Set
 * `BENCH_CPU_PROFILE=DIR` for a CPU profile of the store writer.
 */
export const fleetSources: Bench = {
  name: 'fleet-sources',
  unit: 'events/s',
  goal: `≥ ${GOAL} stored, page ≤ ${GOAL_AGE_MS} ms old (p99)`,
  isMoreBetter: true,
  async run(say) {
    const also: Record<string, number> = {};
    const engines = await enginesHere();
    const reached = new Map<Engine, Taken>();
    for (const engine of engines) {
      for (const taken of await measure(engine, say)) {
        const { rate, figures, keepsUp } = taken;
        for (const [name, value] of Object.entries(figures)) also[`${engine}, ${rate} each: ${name}`] = value;
        if (keepsUp) reached.set(engine, taken);
      }
    }
    const best = reached.get('sqlite');
    const ours = best?.figures['stored events/s'] ?? 0;
    const inPostgres = reached.get('postgres')?.figures['stored events/s'];
    return {
      ours,
      peers: inPostgres === undefined ? {} : { 'in PostgreSQL': inPostgres },
      also,
      ratio: ours / GOAL,
      ratioTo: 'goal',
      runs: 1,
      holds: ours >= GOAL * ENOUGH && (best?.figures['page age p99 ms'] ?? Number.NaN) <= GOAL_AGE_MS,
    };
  },
};

type Figures = Readonly<Record<string, number>>;
type Taken = {
  readonly rate: number;
  readonly figures: Figures;
  readonly isStored: boolean;
  readonly keepsUp: boolean;
};

async function enginesHere(): Promise<readonly Engine[]> {
  const wanted = process.env.FLEET_ENGINES?.split(',') as Engine[] | undefined;
  if (wanted) return wanted;
  const folders = (process.env.PATH ?? '').split(':');
  const isThere = folders.some((folder) => statSync(join(folder, 'postgres'), { throwIfNoEntry: false }));
  return isThere ? ['sqlite', 'postgres'] : ['sqlite'];
}

async function measure(engine: Engine, say: (progress: string) => void): Promise<Taken[]> {
  const ends: (() => unknown)[] = [];
  try {
    const bus = await startLocalRedis({ args: ['--maxmemory-policy', 'noeviction'] });
    ends.push(() => bus.stop());
    const postgres = engine === 'postgres' ? await PrivatePostgres.start() : undefined;
    if (postgres) ends.push(() => postgres.stop());
    const folder = mkdtempSync(join(tmpdir(), 'lockscope-bench-'));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'fleet.store');
    const meter = new LagMeter();
    const places = await StoredPlaces.before(new URL(bus.url), (name, seq) => meter.stored(name, seq));
    ends.push(() => places.close());
    const store = await startStore(places.url, postgres?.url() ?? file);
    ends.push(() => ended(store));
    const viewer = await startProgram(['view', '--bus', bus.url]);
    ends.push(() => viewer.stop());
    const load = fork(fileURLToPath(new URL('../load/simulated-sources.js', import.meta.url)), [
      bus.url,
      String(SOURCES),
    ]);
    ends.push(() => load.disconnect());
    load.on('message', (message: Written) => meter.written(message));
    await untilListed(viewer.base);
    const pipe = new CommandPipe(bus.url);
    ends.push(() => pipe.close());
    const bytesStored = async () => {
      if (!postgres) return sizeOf(file) + sizeOf(`${file}-wal`);
      const [row] = await postgres.sql('SELECT pg_database_size(current_database()) AS bytes');
      return Number(row?.bytes);
    };
    const pids = () => ({
      sources: [Number(load.pid)],
      bus: [bus.pid],
      store: [Number(store.pid)],
      viewer: [viewer.pid],
      ...(postgres ? { postgres: postgresProcesses(postgres.port) } : {}),
    });
    const taken: Taken[] = [];
    for (const rate of RATES) {
      load.send({ eventsPerSecond: rate } satisfies Pace);
      await pause(SETTLE_MS);
      const next = await measureRate(rate, { meter, base: viewer.base, pipe, bytesStored, pids });
      taken.push(next);
      say(`${engine}, ${rate} events/s each: ${textOf(next)}`);
      if (!next.isStored) break;
    }
    return taken;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

type Parts = {
  readonly meter: LagMeter;
  readonly base: string;
  readonly pipe: CommandPipe;
  bytesStored(): Promise<number>;
  pids(): Readonly<Record<string, readonly number[]>>;
};

async function measureRate(rate: number, { meter, base, pipe, bytesStored, pids }: Parts): Promise<Taken> {
  const all = Object.entries(pids());
  const cpuOf = (each: readonly number[]) => each.reduce((sum, pid) => sum + orZero(cpuMsOf, pid), 0);
  const before = { at: performance.now(), ...meter.begin(), bytes: await bytesStored(), bus: await busBytes(pipe) };
  const cpuBefore = all.map(([, each]) => cpuOf(each));
  const ages: number[] = [];
  const answers: number[] = [];
  for (const end = before.at + MEASURE_MS; performance.now() < end; ) {
    const asked = performance.now();
    ages.push(...(await agesOf(base)));
    answers.push(performance.now() - asked);
    await pause(ASK_MS);
  }
  const seconds = (performance.now() - before.at) / 1000;
  const after = meter.end();
  const [bytes, onBus] = [await bytesStored(), await busBytes(pipe)];
  const [wrote, stored] = [after.writtenLines - before.writtenLines, after.storedLines - before.storedLines];
  const figures: Record<string, number> = {
    'made events/s': (after.made - before.made) / seconds,
    'events/s on the bus': wrote / seconds,
    'stored events/s': stored / seconds,
    'blocks/s stored': after.lags.length / seconds,
    'lag p50 ms': quantile(after.lags, 0.5),
    'lag p99 ms': quantile(after.lags, 0.99),
    'not stored at the end, events': after.writtenLines - after.storedLines,
    'sources with a gap': after.gaps,
    'bytes an event on the bus': (onBus - before.bus) / wrote,
    'bytes an event in the store': (bytes - before.bytes) / stored,
    'page age p50 ms': quantile(ages, 0.5),
    'page age p99 ms': quantile(ages, 0.99),
    'answer p99 ms': quantile(answers, 0.99),
  };
  for (const [n, [name, each]] of all.entries()) {
    figures[`CPU of ${name}, % of a core`] = (cpuOf(each) - (cpuBefore[n] ?? 0)) / seconds / 10;
    figures[`MB of ${name}`] = each.reduce((sum, pid) => sum + orZero(residentBytesOf, pid), 0) / 1024 ** 2;
  }
  const isMade = wrote / seconds >= ENOUGH * rate * SOURCES;
  const isStored = stored >= ENOUGH * wrote;
  return { rate, figures, isStored, keepsUp: isMade && isStored };
}

/** Starts `lockscope store`; settles when it writes. */
async function startStore(bus: string, store: string): Promise<ChildProcess> {
  const profiles = process.env.BENCH_CPU_PROFILE;
  const flags = profiles === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profiles];
  const words = [...flags, PROGRAMS.lockscope, 'store', '--bus', bus, '--store', store, '--store-size', '1000gb'];
  const program = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: program.stdout })) {
    if (!line.startsWith('lockscope stores ')) continue;
    program.stdout.resume();
    return program;
  }
  throw new Error('lockscope store ended');
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return;
  const exit = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGTERM');
  await exit;
}

type Fleet = { readonly sources: readonly { readonly observer: { readonly version: string } }[] };

/** The age of what the page shows of each source, in ms. */
async function agesOf(base: string): Promise<number[]> {
  const answer = await fetch(`${base}/api/fleet`);
  const { sources } = (await answer.json()) as Fleet; // docs/api.md has the form of this answer
  const nowMs = Date.now();
  return sources.map(({ observer }) => nowMs - Number(observer.version));
}

async function untilListed(base: string): Promise<void> {
  for (const end = performance.now() + LIST_MS; ; ) {
    const ages = await agesOf(base);
    if (ages.length === SOURCES) return;
    if (performance.now() > end) throw new Error(`the viewer lists ${ages.length} of ${SOURCES} sources`);
    await pause(ASK_MS);
  }
}

/** The memory of all streams of blocks on the bus. */
async function busBytes(pipe: CommandPipe): Promise<number> {
  let sum = 0;
  for (let n = 0; n < SOURCES; n++) {
    const key = `lockscope:{source-${String(n).padStart(3, '0')}}:blocks`;
    sum += Number(await pipe.ask('MEMORY', 'USAGE', key));
  }
  return sum;
}

function orZero(figure: (pid: number) => number, pid: number): number {
  try {
    return figure(pid);
  } catch {
    return 0; // a process of PostgreSQL has ended
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function textOf({ figures, keepsUp }: Taken): string {
  const all = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(value < 10 ? 1 : 0)}`);
  return `${keepsUp ? 'keeps up' : 'does not keep up'}; ${all.join(', ')}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
