import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROGRAMS } from '../../server/package-info.ts';
import { CommandPipe } from './command-pipe.ts';

const LEASE_MS = '3600000';
const POLL_MS = 500;
const GIVE_UP_MS = 180_000;

/** The name of a lock that `holdLocks` creates. */
export function nameOfHeld(number: number): string {
  return `warehouse:order-${number}`;
}

/** Creates held locks, each with its own name. They are held by up to 1,000 clients with up to seven threads each. */
export async function holdLocks(url: string, locks: number): Promise<void> {
  const pipe = new CommandPipe(url);
  for (let from = 0; from < locks; from += 1000) {
    const commands = Array.from({ length: Math.min(1000, locks - from) }, (_, n) => {
      const client = `${String(n).padStart(8, '0')}-a552-4cac-b9ed-4a986a0325f9`;
      const name = nameOfHeld(from + n);
      return [
        ['HINCRBY', name, `${client}:${40 + (from % 7)}`, '1'],
        ['PEXPIRE', name, LEASE_MS],
      ];
    }).flat();
    await new Promise((resolve) => pipe.send(commands, resolve));
  }
  pipe.close();
}

/** Lockscope as a process. */
export type Program = {
  readonly pid: number;
  /** The URL of the program's API. */
  readonly base: string;
  stop(): Promise<void>;
};

/** Starts the built program; settles when it is ready. */
export async function startProgram(words: readonly string[]): Promise<Program> {
  const program = spawn(process.execPath, [PROGRAMS.lockscope, ...words, '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => program.once('exit', resolve));
  const stop = async () => {
    program.kill('SIGTERM');
    await ended;
  };
  try {
    return { pid: Number(program.pid), base: await addressOf(program), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(program: ChildProcess): Promise<string> {
  if (!program.stdout) throw new Error('the program has no output');
  for await (const line of createInterface({ input: program.stdout })) {
    const base = /^lockscope ready (\S+)$/.exec(line)?.[1];
    if (base === undefined) continue;
    program.stdout.resume();
    return base;
  }
  throw new Error('lockscope ended without a ready line');
}

/** Waits until the program knows that many locks. Requesting the locks themselves would use memory too. */
export async function waitForLocks(base: string, locks: number): Promise<void> {
  const end = Date.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await fetch(`${base}/api/events?type=lock.found&limit=1`);
    const { events } = (await answer.json()) as { events: { seq: number }[] }; // docs/api.md has the form of this answer
    if ((events[0]?.seq ?? 0) >= locks) return;
    if (Date.now() > end) throw new Error(`not all of ${locks} locks are known after ${GIVE_UP_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
