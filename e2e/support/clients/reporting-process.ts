import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { end } from '../servers/server-process.ts';
import { waitFor } from '../wait-for.ts';

/** A program with its arguments and its working directory. */
export type Program = { readonly command: string; readonly args: readonly string[]; readonly cwd?: string };

const MOST_ERRORS = 4000;

/**
 * A real client in its own process: it reads operations from stdin and writes their results to stdout, line by line.
 */
export abstract class ReportingProcess {
  readonly name: string;
  /** Every line that the client wrote to stdout. */
  readonly truth: string[] = [];
  protected readonly child: ChildProcess;
  #errors = '';

  protected constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.child = child;
    createInterface({ input: child.stdout!, crlfDelay: 0 }).on('line', (line) => {
      this.truth.push(line);
      this.receive(line);
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-MOST_ERRORS);
    });
    child.once('exit', () => this.died());
    child.stdin?.on('error', () => undefined); // a request to a client that has ended is answered by `died`
  }

  /** The newest 4000 characters that the client wrote to stderr. */
  get errors(): string {
    return this.#errors;
  }

  isAlive(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** SIGKILL: the client does not close its connections. Running calls fail. */
  kill(): Promise<void> {
    return end(this.child, 'SIGKILL');
  }

  protected send(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Waits up to 60 s until the client is connected. Otherwise kills it and throws. */
  protected async connected(title: string, isConnected: () => boolean): Promise<this> {
    try {
      await waitFor(
        `${title} to connect`,
        () => {
          if (!this.isAlive()) throw new Error(`${title} ended: ${this.errors}`);
          return isConnected();
        },
        60_000,
      );
    } catch (error) {
      await this.kill();
      throw error;
    }
    return this;
  }

  protected abstract receive(line: string): void;
  protected abstract died(): void;
}

/** Starts a program with pipes for stdin, stdout and stderr. Throws if it does not start. */
export async function spawned({ command, args, cwd }: Program): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) });
  await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
    const isMissing = command === 'java' && error.code === 'ENOENT';
    const hint = isMissing ? 'java is not installed; on Debian: apt-get install default-jdk' : '';
    throw new Error(hint || `${command} did not start: ${error.message}`);
  });
  return child;
}
