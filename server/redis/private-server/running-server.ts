import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { endWithUs } from './end-with-us.ts';

/** The private server is unavailable. The message is one line for the terminal, the problem is for pages. */
export class LocalRedisError extends Error {
  override readonly name = 'LocalRedisError';

  constructor(
    message: string,
    readonly problem: Problem = servers(message),
  ) {
    super(message);
  }
}

function servers(quote: string): Problem {
  return problem('servers-failed', { quote });
}

/** A server that runs: its pid, and how to end it. */
export type RunningServer = {
  pid: number;
  /** Settles with the reason when the server ends. */
  ended: Promise<string>;
  stop(): Promise<void>;
  /** Ends the server at once, also from a process that is exiting. */
  killNow(): void;
};

/** Where servers run: this machine, or a container. They reach each other at the same addresses as we do. */
export type ServerPlace = {
  /** A port of 127.0.0.1 for one more server. */
  takePort(): Promise<number>;
  /** Runs a server. Its password goes to stdin, since every user of the machine can read a command line. */
  run(port: number, args: readonly string[], password?: string): Promise<RunningServer>;
  /** Called when all servers of this place have been stopped. */
  close(): Promise<void>;
};

/**
 * Runs a command like redis-server as a child process. `hasOwnFiles`: the command may not see our files, so it gets no
 * folder.
 */
export async function runCommand(
  command: string,
  hasOwnFiles: boolean,
  port: number,
  args: readonly string[],
  password?: string,
): Promise<RunningServer> {
  const dir = hasOwnFiles ? undefined : await mkdtemp(join(tmpdir(), 'lockscope-redis-'));
  const server = spawnServer(command, [], { port, bind: '127.0.0.1', dir: dir ?? '/tmp' }, args, password);
  const { child } = server;
  const callOff = child.pid ? endWithUs(child.pid, dir) : () => undefined;
  const ended = server.ended.finally(callOff);
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 1000);
      await ended;
      clearTimeout(hard);
      if (dir) await rm(dir, { recursive: true, force: true });
    },
    killNow: () => child.kill('SIGKILL'),
  };
}

type Own = { port: number; bind: string; dir: string };

/**
 * Starts a server that stores nothing. `ended` settles with the lines of its log that contain the reason of its end, or
 * else with its exit code or signal.
 */
export function spawnServer(
  command: string,
  words: readonly string[],
  { port, bind, dir }: Own,
  args: readonly string[],
  password?: string,
): { child: ChildProcessWithoutNullStreams; ended: Promise<string> } {
  const own = { port: `${port}`, bind, save: '', appendonly: 'no', dir };
  const settings = [...Object.entries(own).flatMap(([name, value]) => [`--${name}`, value]), ...args];
  const isSecret = password !== undefined;
  const child = spawn(command, [...words, ...(isSecret ? ['-'] : settings)], { stdio: 'pipe', detached: true });
  child.stdin.on('error', () => undefined); // it ended before it read its input: `ended` has the reason
  child.stdin.end(isSecret ? configFrom([...settings, '--requirepass', password]) : '');
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      tail = (tail + text).slice(-2000);
    });
  }
  return { child, ended: endOf(child).then((reason) => reasonIn(tail) || reason) };
}

/** The arguments of a redis-server as lines of its configuration file. */
export function configFrom(args: readonly string[]): string {
  const lines: string[] = [];
  for (const arg of args) {
    if (arg.startsWith('--')) lines.push(arg.slice(2));
    else lines.push(`${lines.pop() ?? ''} ${JSON.stringify(arg)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Settles with the reason when a child has ended, or could not be started. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
}

/** The lines of a server's log that contain the reason of its end. */
function reasonIn(log: string): string {
  const lines = log.split('\n').map((line) => line.trim());
  const report = lines.filter((line) => /error|fail|bind|address|unknown|bad /i.test(line));
  return report.slice(-2).join(' ');
}
