import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { end } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/** A program with its arguments, and where it runs. */
export type Program = { readonly command: string; readonly args: readonly string[]; readonly cwd?: string };

/**
 * A real client of a lock library in a process of its own. Its actors are driven one call at a time; `truth` grows with
 * every line it tells.
 */
export class DrivenClient {
  readonly name: string;
  readonly truth: string[] = [];
  readonly #child: ChildProcess;
  readonly #calls = new Map<string, (result: string) => void>();
  #isReady = false;
  #errors = '';

  /** Starts the client and waits until it is connected. */
  static async start(name: string, { command, args, cwd }: Program): Promise<DrivenClient> {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], ...(cwd === undefined ? {} : { cwd }) });
    await once(child, 'spawn').catch((error: Error) => {
      throw new Error(`${command} did not start: ${error.message}`);
    });
    const client = new DrivenClient(name, child);
    try {
      await waitFor(
        `${args.join(' ')} to connect`,
        () => {
          if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended: ${client.#errors}`);
          return client.#isReady;
        },
        60_000,
      );
    } catch (error) {
      await client.stop();
      throw error;
    }
    return client;
  }

  private constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    createInterface({ input: child.stdout!, crlfDelay: 0 }).on('line', (line) => this.#hear(line));
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4000);
    });
    child.once('exit', () => {
      for (const answer of this.#calls.values()) answer('! ended');
    });
  }

  /** One operation of one actor; resolves to what its caller was told, `! Error: message` for an exception. */
  call(actor: string, operation: string, kind: string, name: string, ...args: number[]): Promise<string> {
    return new Promise((resolve) => {
      this.#calls.set(actor, resolve);
      this.#child.stdin?.write(`${[actor, operation, kind, name, ...args].join(' ')}\n`);
    });
  }

  stop(): Promise<void> {
    return end(this.#child, 'SIGKILL');
  }

  #hear(line: string): void {
    this.truth.push(line);
    const [, , actor = '', direction] = line.split(' ');
    if (actor === 'ready') this.#isReady = true;
    if (direction !== '<') return;
    const [, mark, result = ''] = / ([=!]) (.*)$/.exec(line) ?? [];
    const answer = this.#calls.get(actor);
    this.#calls.delete(actor);
    answer?.(mark === '!' ? `! ${result}` : result);
  }
}
