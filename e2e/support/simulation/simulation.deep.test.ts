import { expect, test } from 'vitest';
import { TIME_LIMIT_FACTOR, TIMES } from '../random/ends-after-each.ts';
import { seedOfRun } from '../random/seeded.ts';
import { runTrial } from './run-trial.ts';
import { TRIALS } from './trials.ts';

/** How many operations all trials together have. */
const OPERATIONS = 200_000 * TIMES;
/** How many operations one program has. All its events are compared at its end. */
const IN_A_PROGRAM = 5000;
const PROGRAMS = Math.ceil(OPERATIONS / TRIALS.length / IN_A_PROGRAM);

const seed = seedOfRun();

/** The most programs that run: after the first `PROGRAMS`, further ones run until every fault has struck. */
const MOST_PROGRAMS = 2 * PROGRAMS;

/** The first program has the seed of this run: `SEED=` with the seed of a failure repeats it at once. */
const seeds = Array.from({ length: MOST_PROGRAMS }, (_, n) => (n === 0 ? seed : `${seed}-${n}`));

test.each(TRIALS)(
  'Lockscope reports what many simulated programs did ($name)',
  { timeout: 600_000 * TIME_LIMIT_FACTOR },
  async (trial) => {
    const began = performance.now();
    const faults = new Set<string>();
    let operations = 0;
    for (const [n, each] of seeds.entries()) {
      if (n >= PROGRAMS && faults.size === trial.faults.length) break;
      const ran = await runTrial(trial, each, IN_A_PROGRAM);
      operations += ran.operations;
      for (const name of ran.faults) faults.add(name);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`simulated programs (${trial.name}): SEED=${seed}, ${operations} operations in ${seconds} s`);
    expect([...faults].sort(), 'every fault has struck').toEqual(trial.faults.map(({ name }) => name).sort());
  },
);
