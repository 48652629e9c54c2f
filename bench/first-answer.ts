import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROGRAMS } from '../server/package-info.ts';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';
import { ordinaryCommands } from './load/ordinary-commands.ts';

const GOAL_SECONDS = 5;
const RUNS = 5;
const OTHER_KEYS = 100_000;
const LOCK = 'orders:42';
const HOLDER = 'edb3d187-a552-4cac-b9ed-4a986a0325f9:63';
const POLL_MS = 20;
const GIVE_UP_SECONDS = 60;

/**
 * Seconds from starting the program until its API shows a held lock, on a Redis with 100,000 other keys, at the default
 * level (`events`).
 */
export const firstAnswer: Bench = {
  name: 'first-answer',
  unit: 's',
  goal: `≤ ${GOAL_SECONDS} s`,
  async run(print) {
    const redis = await startLocalRedis();
    try {
      await fill(redis.url);
      const seconds: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        seconds.push(await secondsToFirstLock(redis.url));
        print(`run ${run + 1}: ${seconds.at(-1)?.toFixed(2)} s`);
      }
      const ours = median(seconds);
      const worst = Math.max(...seconds);
      const ratios = seconds.map((each) => each / GOAL_SECONDS);
      const ratio = median(ratios);
      return {
        ours,
        peers: {},
        also: { worst },
        ratio,
        ratios,
        ratioTo: 'goal',
        runs: RUNS,
        holds: worst <= GOAL_SECONDS,
      };
    } finally {
      await redis.stop();
    }
  },
};

async function secondsToFirstLock(redisUrl: string): Promise<number> {
  const began = performance.now();
  const words = [PROGRAMS.lockscope, redisUrl, '--port', '0', '--no-open'];
  const program = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => program.once('exit', resolve));
  try {
    let base: string | undefined;
    for await (const line of createInterface({ input: program.stdout })) {
      base = /^lockscope ready (\S+)$/.exec(line)?.[1];
      if (base !== undefined) break;
    }
    if (base === undefined) throw new Error('lockscope ended without a ready line');
    for (;;) {
      const seconds = (performance.now() - began) / 1000;
      if (await isShown(base)) return seconds;
      if (seconds > GIVE_UP_SECONDS) throw new Error(`no lock within ${GIVE_UP_SECONDS} s`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    program.kill('SIGTERM');
    await ended;
  }
}

async function isShown(base: string): Promise<boolean> {
  const answer = await fetch(`${base}/api/locks`);
  const { locks } = (await answer.json()) as { locks: { name: string; held: boolean }[] }; // docs/api.md has the form of this answer
  return locks.some((lock) => lock.name === LOCK && lock.held);
}

/** Creates the keys of an ordinary application, about one in five a hash, and one held lock. */
async function fill(url: string): Promise<void> {
  const pipe = new CommandPipe(url);
  const commands = ordinaryCommands(11);
  let keys = 0;
  while (keys < OTHER_KEYS) {
    const batch = Array.from({ length: 1000 }, () => commands.next().value);
    await new Promise((resolve) => pipe.send(batch, resolve));
    keys = Number(await pipe.ask('DBSIZE'));
  }
  await pipe.ask('HINCRBY', LOCK, HOLDER, '1');
  await pipe.ask('PEXPIRE', LOCK, '3600000');
  pipe.close();
}
