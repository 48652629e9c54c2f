import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Strike } from '../faults/fault.ts';
import { REST_MS } from '../faults/story.ts';
import { keepStory } from '../random/keep-story.ts';
import { type RandomProgram, runRandomProgram } from '../random/random-program.ts';
import type { Chance } from '../random/seeded.ts';
import { storyProblems } from './check/story-problems.ts';
import { Simulation } from './simulation.ts';
import type { Trial } from './trials.ts';

const CLIENTS = 3;
/**
 * How long threads stay in the queue of a fair lock, in ms: behind a dead head, the other waiters attempt all the time.
 */
const QUEUE_MS = [20, 60] as const;
/** How many operations there are between two faults. */
const APART = [100, 500] as const;
/** Lost answers are noticed after 10 s, and connections are opened again after pauses of up to 10 s. */
const AFTER_FAULTS_MS = 25_000;

/** How long threads go on after a fault that leaves Lockscope blind, in ms. */
const UNSEEN_MS = [10, 200] as const;
/**
 * How long threads begin no operation once they have gone on for `UNSEEN_MS`, in ms, so that few of their steps are
 * left out of the comparison.
 */
const NOTICED_MS = { cut: REST_MS, silence: 12_000 };

type Ran = {
  readonly operations: number;
  /** The names of the faults that struck. */
  readonly faults: readonly string[];
  readonly events: number;
  /** How many times Lockscope has read a hash (HGETALL) since the server was last started. */
  readonly reads: number;
  /** How many acquisitions were reported, and how many of them were observed. */
  readonly acquired: number;
  readonly observed: number;
  /** The hash of every event, of everything that the clients reported and of every fault. */
  readonly hash: string;
};

type Story = {
  readonly simulation: Simulation;
  readonly program: RandomProgram | undefined;
  readonly strikes: readonly Strike[];
  /** What is wrong; empty if all is well. */
  readonly problems: readonly string[];
};

/** Runs one random program in simulated time. Fails if what Lockscope reports is not what happened. */
export async function runTrial(trial: Trial, seed: string, operations: number): Promise<Ran> {
  const { simulation, program, strikes, problems } = await storyOf(trial, seed, operations);
  const { events } = simulation.lockscope;
  const story = {
    strikes,
    events,
    reported: simulation.clients.map(({ name, uuid, reported }) => ({ name, uuid, reported })),
  };
  const where = problems.length === 0 ? '' : keepStory({ seed, ...story, trace: simulation.tap.lines, problems });
  expect(problems.slice(0, 20), `${trial.name}, SEED=${seed}: ${problems.length} problems, story in ${where}`).toEqual(
    [],
  );
  const hash = createHash('sha256').update(JSON.stringify(story)).digest('hex');
  const acquired = events.filter(({ type }) => type === 'lock.acquired');
  return {
    operations: program?.operations ?? 0,
    faults: strikes.map(({ name }) => name),
    events: events.length,
    reads: simulation.tap.lines.filter((line) => line.includes('"HGETALL"')).length,
    acquired: acquired.length,
    observed: acquired.filter(({ certainty }) => certainty === 'observed').length,
    hash,
  };
}

async function storyOf(trial: Trial, seed: string, operations: number): Promise<Story> {
  const { level, flags, version, locks, faults, watchdogMs, sameWithinMs, sameEndMs } = trial;
  const simulation = new Simulation({ seed: `${trial.name}/${seed}`, level, flags, version, sameEndMs });
  const strikes: Strike[] = [];
  /** The faults that have not struck in this round. When all have, the next round begins. */
  let left = faults;
  const micros = () => simulation.surroundings.time.micros;
  let program: RandomProgram | undefined;
  const check = async () => {
    const last = strikes.at(-1);
    try {
      await simulation.untilSame(last?.blind ? AFTER_FAULTS_MS : sameWithinMs);
    } catch (error) {
      throw new Error(`after "${last?.name ?? 'no fault'}": ${(error as Error).message}`, { cause: error });
    }
  };
  try {
    await simulation.run(async () => {
      await simulation.untilSame(sameWithinMs);
      program = await runRandomProgram({
        ...{ redisUrl: '', seed, clients: CLIENTS, operations, locks, watchdogMs, check, apart: APART, micros },
        ...{ queueMs: QUEUE_MS, wait: simulation.wait, startClient: simulation.startClient },
        ...(faults.length > 0 && {
          strike: async (chance: Chance) => {
            const next = chance.oneOf(left);
            left = left.length > 1 ? left.filter((each) => each !== next) : faults;
            const { name, blind, confuses = false, isRefusing = false, strike } = next;
            const from = micros();
            await strike(simulation, chance);
            strikes.push({ name, ...(blind && { blind }), confuses, isRefusing, from, to: micros() });
            if (blind) await simulation.wait(chance.whole(...UNSEEN_MS));
            return blind ? NOTICED_MS[blind] : confuses ? REST_MS : 0;
          },
        }),
      });
      if (strikes.some(({ blind }) => blind)) await simulation.wait(AFTER_FAULTS_MS);
      await simulation.wait(sameWithinMs);
      await check();
    });
  } catch (error) {
    return { simulation, program, strikes, problems: [(error as Error).message] };
  }
  const problems = program ? storyProblems({ trial, simulation, program, strikes }) : ['the program did not run'];
  return { simulation, program, strikes, problems };
}
