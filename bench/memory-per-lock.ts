import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PROGRAMS } from '../server/package-info.ts';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, median } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';

const GOAL_BYTES = 1536;
const RUNS = 3;
/** About as many as fit into the default memory. They are read at some 650 a second, so that reading them does Redis no harm. */
const LOCKS = 40_000;
const LEASE_MS = '3600000';
const POLL_MS = 500;
const GIVE_UP_MS = 180_000;

/**
 * Bytes of resident memory of the whole program per held lock, with 40,000 locks: its memory once it knows all of
 * them, minus its memory with an empty Redis. Garbage that is not collected yet counts.
 */
export const memoryPerLock: Bench = {
  name: 'memory-per-lock',
  unit: 'bytes',
  goal: `≤ ${GOAL_BYTES} bytes`,
  async run(say) {
    const perLock: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const bytes = ((await residentBytes(LOCKS)) - (await residentBytes(0))) / LOCKS;
      perLock.push(bytes);
      say(`run ${run + 1}: ${Math.round(bytes)} bytes`);
    }
    const ours = median(perLock);
    const ratio = ours / GOAL_BYTES;
    const ratios = perLock.map((bytes) => bytes / GOAL_BYTES);
    return { ours, peers: {}, ratio, ratios, ratioTo: 'goal', runs: RUNS, holds: ours <= GOAL_BYTES };
  },
};

async function residentBytes(locks: number): Promise<number> {
  const redis = await startLocalRedis();
  const program = spawn(
    process.execPath,
    [PROGRAMS.lockscope, redis.url, '--port', '0', '--no-open', '--observe', 'monitor'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const ended = new Promise((resolve) => program.once('exit', resolve));
  try {
    await hold(redis.url, locks);
    const base = await address(program);
    const end = Date.now() + GIVE_UP_MS;
    while ((await locksKnown(base)) < locks) {
      if (Date.now() > end) throw new Error(`not all of ${locks} locks are known after ${GIVE_UP_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  } finally {
    program.kill('SIGTERM');
    await ended;
    await redis.stop();
  }
}

async function address(program: ChildProcess): Promise<string> {
  if (!program.stdout) throw new Error('the program has no output');
  for await (const line of createInterface({ input: program.stdout })) {
    const base = /^lockscope ready (\S+)$/.exec(line)?.[1];
    if (base !== undefined) return base;
  }
  throw new Error('lockscope ended without a ready line');
}

/** Number of locks found so far: the seq of the newest event. Requesting the locks themselves would use memory too. */
async function locksKnown(base: string): Promise<number> {
  const answer = await fetch(`${base}/api/events?type=lock.found&limit=1`);
  const { events } = (await answer.json()) as { events: { seq: number }[] }; // see docs/api.md
  return events[0]?.seq ?? 0;
}

/** Creates held locks: each with its own name, held by a thousand clients with several threads each. */
async function hold(url: string, locks: number): Promise<void> {
  const pipe = new CommandPipe(url);
  for (let from = 0; from < locks; from += 1000) {
    const commands = Array.from({ length: 1000 }, (_, n) => {
      const client = `${String(n).padStart(8, '0')}-a552-4cac-b9ed-4a986a0325f9`;
      const name = `warehouse:order-${from + n}`;
      return [
        ['HINCRBY', name, `${client}:${40 + (from % 7)}`, '1'],
        ['PEXPIRE', name, LEASE_MS],
      ];
    }).flat();
    await new Promise((resolve) => pipe.send(commands, resolve));
  }
  pipe.close();
}
