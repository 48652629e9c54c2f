import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Bench, median } from './bench.ts';
import type { Measured } from './load/answering-process.ts';
import { measureAnswer, measureTurn, started } from './load/ask-process.ts';
import { END, HOUR_MICROS } from './load/full-memory.ts';

const PROCESS = fileURLToPath(new URL('./load/answering-process.js', import.meta.url));
const GOAL_CPU_MS = 100;
const GOAL_TURN_MS = 15;
const WARM_UPS = 4;
const RUNS = 9;
const MEMORIES = [
  { events: 500_000, held: 200 },
  { events: 500_000, held: 5000 },
  { events: 2_000_000, held: 200 },
  { events: 2_000_000, held: 5000 },
];

/** Half an hour back, and a little later at each request, so that the distance from the last checkpoint varies. */
const fromOf = (run: number) => END - HOUR_MICROS / 2 + run * 7_000_000;
const QUESTIONS: Readonly<Record<string, (run: number) => string>> = {
  window: (run) => `/api/window?from=${fromOf(run)}&to=${fromOf(run) + 60_000_000}`,
  'locks at': (run) => `/api/locks?at=${fromOf(run)}`,
  'spans of 60 s': (run) => `/api/spans?from=${fromOf(run)}&to=${fromOf(run) + 60_000_000}`,
  'spans of all': () => '/api/spans',
};

/**
 * CPU time of the program for one answer from a full memory, and its longest turn of the event loop, which is how long
 * other pages may have to wait. The history has an hour of events: 1,000 locks that change hands, and others that stay
 * held. A window of 60 s has at most 10,000 events. CPU time and turns are measured with separate requests.
 */
export const pastAnswers: Bench = {
  name: 'past-answers',
  unit: 'ms CPU',
  goal: `window ≤ ${GOAL_CPU_MS} ms, turns ≤ ${GOAL_TURN_MS} ms`,
  async run(print) {
    const also: Record<string, number> = {};
    const windows: number[] = [];
    const turns: number[] = [];
    for (const memory of MEMORIES) {
      for (const [question, { cpuMs, turnMs }] of Object.entries(await measure(memory))) {
        const name = `${question}, ${memory.events / 1000}k/${memory.held}`;
        also[name] = cpuMs;
        also[`${name}: turn`] = turnMs;
        turns.push(turnMs);
        if (question === 'window') windows.push(cpuMs);
        print(`${name} held: ${cpuMs.toFixed(0)} ms CPU, turns of ${turnMs.toFixed(1)} ms`);
      }
    }
    const ours = Math.max(...windows);
    return {
      ours,
      peers: {},
      also: { ...also, 'longest turn': Math.max(...turns) },
      ratio: ours / GOAL_CPU_MS,
      ratioTo: 'goal',
      runs: RUNS,
      holds: ours <= GOAL_CPU_MS && Math.max(...turns) <= GOAL_TURN_MS,
    };
  },
};

async function measure({ events, held }: (typeof MEMORIES)[number]): Promise<Record<string, Measured>> {
  const program = fork(PROCESS, [String(events), String(held)], { execArgv: [] });
  try {
    const url = await started(program);
    const results: Record<string, Measured> = {};
    for (const [question, pathOf] of Object.entries(QUESTIONS)) {
      const cpu: number[] = [];
      const turns: number[] = [];
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const cpuMs = await measureAnswer(program, url + pathOf(run));
        const turnMs = await measureTurn(program, url + pathOf(run));
        if (run < 0) continue;
        cpu.push(cpuMs);
        turns.push(turnMs);
      }
      results[question] = { cpuMs: median(cpu), turnMs: Math.max(...turns) };
    }
    return results;
  } finally {
    program.disconnect();
  }
}
