import { type ChildProcess, spawn } from 'node:child_process';
import { exitCodeOfSignal } from '../process/shutdown.ts';

/** Exit codes of a program that cannot be started, as shells report them. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** How a program ended. `problem`: it could not be started. */
type ProgramEnd = { readonly exitCode: number; readonly problem?: string };

/** A program that runs with our stdin, stdout and stderr, and gets the signals that we get. */
export class Program {
  #child: ChildProcess | undefined;

  /** Starts the program and waits until it has ended. */
  run([name, ...args]: readonly [string, ...string[]]): Promise<ProgramEnd> {
    return new Promise((resolve) => {
      const child = spawn(name, args, { stdio: 'inherit' });
      this.#child = child;
      const ended = (end: ProgramEnd) => {
        this.#child = undefined;
        resolve(end);
      };
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) ended(notStarted(name, error));
      });
      child.once('exit', (code, signal) =>
        ended({ exitCode: signal === null ? (code ?? 1) : exitCodeOfSignal(signal) }),
      );
    });
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Passes a signal on. A terminal sends Ctrl-C to both processes, so that signal is not passed on again. */
  pass(signal: NodeJS.Signals): void {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#child?.kill(signal);
  }
}

function notStarted(name: string, { code, message }: NodeJS.ErrnoException): ProgramEnd {
  if (code === 'ENOENT')
    return { exitCode: NOT_FOUND, problem: `There is no program ${name}. Check the command after "--".` };
  if (code === 'EACCES')
    return { exitCode: NOT_EXECUTABLE, problem: `${name} may not be executed. Check its permissions.` };
  return { exitCode: NOT_EXECUTABLE, problem: `${name} could not be started: ${message}.` };
}
