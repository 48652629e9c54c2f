import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Bench, median, pairedRatio, pairedRatios } from './bench.ts';
import { measureAnswer, measureReplay, started } from './load/ask-process.ts';
import { END, HOUR_MICROS } from './load/full-memory.ts';

const PROCESS = fileURLToPath(new URL('./load/answering-process.js', import.meta.url));
const GOAL_MS = 50;
const EVENTS = 1_000_000;
const HELD = 1000;
const WARM_UPS = 10;
const INSTANTS = 40;
/** How many requests are sent for each instant. */
const RUNS = 3;
/** A full replay takes long, and takes longer the later the instant is: it is measured at every tenth instant. */
const REPLAY_EACH = 10;

/** Instants spread over the hour. Their distance from the last checkpoint varies. */
const instantOf = (n: number) => END - HOUR_MICROS + Math.round(((n + 0.5) / INSTANTS) * HOUR_MICROS);

/**
 * CPU time of the program for the locks as they were at a past instant, of 1,000,000 events in memory: the first page
 * of `GET /api/locks?at=`, which is what the page asks for when it moves to an instant. There are 1,000 locks that
 * change hands and 1,000 that stay held. The program starts at the checkpoint before the instant and replays the events
 * since. The peer replays all events up to the instant. `ours` is the slowest instant; each counts with the median of 3
 * requests.
 */
export const seek: Bench = {
  name: 'seek',
  unit: 'ms CPU',
  goal: `≤ ${GOAL_MS} ms at any instant`,
  async run(print) {
    const program = fork(PROCESS, [String(EVENTS), String(HELD)], { execArgv: [] });
    try {
      const url = await started(program);
      const pathOf = (n: number) => `${url}/api/locks?at=${instantOf(n)}`;
      for (let n = 0; n < WARM_UPS; n++) await measureAnswer(program, pathOf((n * 7) % INSTANTS));
      const seeks: number[] = [];
      const replays = { seeks: [] as number[], full: [] as number[] };
      for (let n = 0; n < INSTANTS; n++) {
        const asked: number[] = [];
        for (let run = 0; run < RUNS; run++) asked.push(await measureAnswer(program, pathOf(n)));
        seeks.push(median(asked));
        if (n % REPLAY_EACH !== REPLAY_EACH - 1) continue;
        replays.seeks.push(median(asked));
        replays.full.push(await measureReplay(program, instantOf(n)));
        print(`instant ${n + 1}: ${median(asked).toFixed(1)} ms, full replay ${replays.full.at(-1)?.toFixed(0)} ms`);
      }
      const ours = Math.max(...seeks);
      return {
        ours,
        peers: { 'full replay': median(replays.full) },
        also: { 'median instant': median(seeks) },
        ratio: pairedRatio(replays.seeks, replays.full),
        ratios: pairedRatios(replays.seeks, replays.full),
        ratioTo: 'full replay',
        runs: RUNS,
        holds: ours <= GOAL_MS,
      };
    } finally {
      program.disconnect();
    }
  },
};
