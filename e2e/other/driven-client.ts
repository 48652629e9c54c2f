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

  /** Runs one operation of one client. Resolves to its result, or to `! Error: message` for an exception. */
  call(client: string, operation: string, kind: string, name: string, ...args: number[]): Promise<string> {
    if (!this.isAlive()) return Promise.resolve('! ended');
    return new Promise((resolve) => {
      this.#calls.set(client, resolve);
      this.say([client, operation, kind, name, ...args].join(' '));
    });
  }

  protected hear(line: string): void {
    const [, , client = '', direction] = line.split(' ');
    if (client === 'ready') this.#isReady = true;
    if (direction !== '<') return;
    const [, mark, result = ''] = / ([=!]) (.*)$/.exec(line) ?? [];
    const answer = this.#calls.get(client);
    this.#calls.delete(client);
    answer?.(mark === '!' ? `! ${result}` : result);
  }

  protected died(): void {
    for (const answer of this.#calls.values()) answer('! ended');
  }
}
