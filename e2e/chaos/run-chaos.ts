import { expect } from 'vitest';
import { untilReadAgain, waitUntilSame } from '../support/compare/world-checks.ts';
import type { Strike } from '../support/faults/fault.ts';
import type { Range } from '../support/faults/steps.ts';
import { compareChaos, REST_MS, unnoticedUntil } from '../support/faults/story.ts';
import type { DemoProcess } from '../support/lockscope/demo-process.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import type { endsAfterEach } from '../support/random/ends-after-each.ts';
import { keepReading } from '../support/random/keep-reading.ts';
import { keepStory } from '../support/random/keep-story.ts';
import { EVERY_KIND, isCounting } from '../support/random/random-lock.ts';
import { runRandomProgram } from '../support/random/random-program.ts';
import { repeatUntilStopped } from '../support/random/repeat-until-stopped.ts';
import type { Chance } from '../support/random/seeded.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/**
 * At least this many operations run on one server, at each level. With the failovers, the Sentinels and the cluster,
 * they are 55,000 in all. For a night: `CHAOS_OPERATIONS=1000000`.
 */
const OPERATIONS = Number(process.env.CHAOS_OPERATIONS || 20_000);
/** All events of a run are compared at its end, so a run has at most this many operations. */
const MOST_IN_A_RUN = 50_000;
const CLIENTS = 8;
const WATCHDOG_MS = 3000;
/** Some clients are frozen for longer than the lease of the watchdog, so that they lose their holds. */
const FROZEN_MS = [1000, 4500] as const;
/** How many operations there are between two faults. */
const APART = [150, 450] as const;
/**
 * If a fault lasts as long as hundreds of operations, threads do less during the fault, and more before the next one.
 */
const OF_LONG_FAULTS = { apart: [300, 900], struckMs: 3000 } as const;
/** At level events, the next round of reads finds what changed without an event. A round begins every 10 s. */
const SAME_WITHIN_MS = 15_000;
/** At most this part of the steps may be left out of the comparison. */
const MOST_LEFT_OUT = 0.5;
/**
 * Only a run of at least this many steps is checked for what was left out: in a shorter one, one long fault could take
 * most of the time.
 */
const FEW_STEPS = 200;
const LOOK_EVERY_MS = 200;
const EACH_OPERATION_MS = 40;

type ChaosLevel = 'monitor' | 'events';

/** One run: what is watched, by which address applications reach it, and what may happen. */
type Chaos = {
  readonly what: string;
  readonly level: ChaosLevel;
  readonly seed: string;
  readonly operations: number;
  /** Many of the faults are failovers, which take longer than other faults. */
  readonly areFaultsLong?: true;
  readonly lockscope: Lockscope;
  /** Where the applications reach Redis. */
  readonly applicationsUrl: string;
  strike(chance: Chance, clients: readonly DemoProcess[]): Promise<Strike>;
  /** What differs between Redis and Lockscope now. */
  differences(): Promise<string[]>;
};

/** A run has its own servers and its own seed: `SEED=` with the seed that it printed repeats it alone. */
type Run = { readonly level: ChaosLevel; readonly seed: string; readonly operations: number };

/** The runs at each level. `part`: the share of the operations for these runs, because their faults take longer. */
export function runsOf(seed: string, part = 1): Run[] {
  const all = Math.ceil(OPERATIONS * part);
  const count = Math.ceil(all / MOST_IN_A_RUN);
  const operations = Math.ceil(all / count);
  const seeds = Array.from({ length: count }, (_, n) => (n === 0 ? seed : `${seed}-${n}`));
  return seeds.flatMap((each) => [
    { level: 'monitor', seed: each, operations },
    { level: 'events', seed: each, operations },
  ]);
}

/** How long the longest run may take. */
export const TIMEOUT_MS = 180_000 + MOST_IN_A_RUN * EACH_OPERATION_MS;

/**
 * Runs eight clients and random faults. After each fault all clients are frozen, and Lockscope must report what Redis
 * has. At the end, the events are compared with what the clients saw, outside of blind spots and faults.
 */
export async function runChaos(chaos: Chaos, keep: ReturnType<typeof endsAfterEach>): Promise<void> {
  const { what, level, seed, operations: wanted, lockscope } = chaos;
  const title = `chaos (${what}) at level ${level}: SEED=${seed}`;
  console.log(`${title}, at least ${wanted} operations`);
  // Semaphores and latches send no key event that is subscribed to: at level events they are read every 10 s.
  const locks = level === 'monitor' ? EVERY_KIND : EVERY_KIND.filter((lock) => !isCounting(lock));
  const events = keepReading(lockscope);
  const strikes: Strike[] = [];
  const findings = keep(new HealthFindings(lockscope, level), (each) => each.stop());

  const check = async () => {
    // Lost answers are noticed after 10 s. Until then Lockscope cannot know that it is wrong.
    while (Date.now() * 1000 < unnoticedUntil(strikes, await events.all())) await pause(LOOK_EVERY_MS);
    await untilObserving(lockscope, level);
    const after = strikes.at(-1)?.name ?? 'no fault';
    const what = `Lockscope and Redis after "${after}", SEED=${seed}`;
    await waitUntilSame(what, chaos.differences, SAME_WITHIN_MS).catch(async (error: Error) => {
      const story = keepStory({ seed, strikes, events: await events.all() });
      throw new Error(`${error.message}\nstory in ${story}`, { cause: error });
    });
  };
  const program = await runRandomProgram({
    redisUrl: chaos.applicationsUrl,
    seed,
    clients: CLIENTS,
    operations: wanted,
    locks,
    watchdogMs: WATCHDOG_MS,
    frozenMs: FROZEN_MS,
    check,
    ...(chaos.areFaultsLong ? OF_LONG_FAULTS : { apart: APART }),
    strike: async (chance, clients) => {
      const strike = await chaos.strike(chance, clients);
      strikes.push(strike);
      return strike.confuses ? REST_MS : 0;
    },
  });
  for (const client of program.clients) keep(client, () => client.kill());
  await check();
  await untilReadAgain(lockscope);
  const { sources } = await lockscope.health();
  const all = await events.stop();
  const { operations, checks, kills, freezes } = program;
  const {
    problems: found,
    steps,
    leftOut,
  } = compareChaos({
    ...{ level, clients: program.clients, events: all, strikes },
    atOtherLevel: findings.atOtherLevel,
  });
  console.log(
    `${title}: ${operations} operations, ${all.length} events, ${strikes.length} faults, ${kills} kills, ` +
      `${freezes} freezes, ${checks} checks, drift ${sources.map(({ drift }) => drift).join(' ')}; ` +
      `${steps} steps, ${Math.round((100 * leftOut) / steps)} % of them left out`,
  );
  const problems = [
    ...events.ahead.map(({ seq, type, at }) => `seq ${seq}: ${type} is dated ${at}, after it was read`),
    ...found,
    ...findings.refusedOutside(strikes),
  ];
  const story = () => keepStory({ seed, problems, strikes, events: all, reported: program.clients });
  const where = problems.length === 0 ? '' : story();
  expect(problems.slice(0, 20), `SEED=${seed}: ${problems.length} problems, story in ${where}`).toEqual([]);
  for (const source of sources) expect(source, `SEED=${seed}`).toMatchObject({ drift: 0, status: 'observing' });
  expect(steps - leftOut, `SEED=${seed}: steps that were compared`).toBeGreaterThan(0);
  if (steps >= FEW_STEPS)
    expect(leftOut / steps, `SEED=${seed}: part of the steps left out`).toBeLessThan(MOST_LEFT_OUT);
  expect(operations).toBeGreaterThanOrEqual(wanted);
  expect(strikes.length).toBeGreaterThan(0);
}

/** After several cuts, Lockscope gives up MONITOR for a while, so it is requested again. */
async function untilObserving(lockscope: Lockscope, level: ChaosLevel): Promise<void> {
  await waitFor('Lockscope to observe', async (missing) => {
    const { sources } = await lockscope.health();
    const others = sources.filter((source) => source.level !== level);
    const answers = await Promise.all(others.map(({ id }) => lockscope.post(`/api/sources/${id}/observe`, { level })));
    return (
      sources.every((source) => source.status === 'observing' && source.level === level) ||
      missing(JSON.stringify([answers, sources]))
    );
  });
}

/** In µs. A refused read is counted in the next answer of the health, at most this much later. */
const COUNTED_WITHIN_US = 1_500_000;

/** Findings in the health responses of a run: when a source was at another level than requested, and refused reads. */
class HealthFindings {
  readonly atOtherLevel: Range[] = [];
  /** The refused reads: the two answers of the health between which they were refused, and their number. */
  readonly #refused: (Range & { readonly reads: number })[] = [];
  readonly #asking: ReturnType<typeof repeatUntilStopped>;

  constructor(from: Lockscope, level: string) {
    let before = Date.now() * 1000;
    let refusedBefore = 0;
    this.#asking = repeatUntilStopped(async () => {
      const { sources } = await from.health();
      const now = Date.now() * 1000;
      if (sources.some((source) => source.level !== level)) this.atOtherLevel.push({ from: before, to: now });
      const refused = sources.reduce((sum, { rejected }) => sum + rejected, 0);
      if (refused > refusedBefore) this.#refused.push({ from: before, to: now, reads: refused - refusedBefore });
      before = now;
      refusedBefore = refused;
    }, LOOK_EVERY_MS);
  }

  /**
   * The refused reads that no fault explains. A Redis without memory, or a cluster with a failed master, refuses our
   * reads while that lasts. Each other fault may cause one refused read.
   */
  refusedOutside(strikes: readonly Strike[]): string[] {
    const refusing = strikes.filter(({ isRefusing }) => isRefusing);
    const isExplained = ({ from, to }: Range) =>
      refusing.some((strike) => from <= strike.to + COUNTED_WITHIN_US && to >= strike.from);
    const others = this.#refused.filter((range) => !isExplained(range));
    const reads = others.reduce((sum, range) => sum + range.reads, 0);
    return reads <= strikes.length ? [] : [`${reads} reads were refused without a fault: ${JSON.stringify(others)}`];
  }

  stop(): Promise<void> {
    return this.#asking.stop();
  }
}
