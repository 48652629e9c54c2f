import { type Program, ReportingProcess, spawned } from '../support/clients/reporting-process.ts';

/** A real client of a lock library in its own process. Each of its actors runs one call at a time. */
export class DrivenClient extends ReportingProcess {
  readonly #calls = new Map<string, (result: string) => void>();
  #isReady = false;

  /** Starts the client and waits until it is connected. */
  static async start(name: string, program: Program): Promise<DrivenClient> {
    const client = new DrivenClient(name, await spawned(program));
    return client.connected(program.args.join(' '), () => client.#isReady);
  }

  /** Runs one operation of one actor. Resolves to its result, or to `! Error: message` for an exception. */
  call(actor: string, operation: string, kind: string, name: string, ...args: number[]): Promise<string> {
    if (!this.isAlive()) return Promise.resolve('! ended');
    return new Promise((resolve) => {
      this.#calls.set(actor, resolve);
      this.say([actor, operation, kind, name, ...args].join(' '));
    });
  }

  protected hear(line: string): void {
    const [, , actor = '', direction] = line.split(' ');
    if (actor === 'ready') this.#isReady = true;
    if (direction !== '<') return;
    const [, mark, result = ''] = / ([=!]) (.*)$/.exec(line) ?? [];
    const answer = this.#calls.get(actor);
    this.#calls.delete(actor);
    answer?.(mark === '!' ? `! ${result}` : result);
  }

  protected died(): void {
    for (const answer of this.#calls.values()) answer('! ended');
  }
}
