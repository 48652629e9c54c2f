import { type Program, ReportingProcess, spawned } from '../support/clients/reporting-process.ts';

/** Longer than any call waits: a call that has not returned by then hangs. */
const ANSWER_WITHIN_MS = 300_000;

/** A real client of a lock library in its own process. Each of its actors runs one call at a time. */
export class DrivenClient extends ReportingProcess {
  readonly #calls = new Map<string, (result: string) => void>();
  #isReady = false;

  /** Starts the client and waits until it is connected. */
  static async start(name: string, program: Program): Promise<DrivenClient> {
    const client = new DrivenClient(name, await spawned(program));
    return client.connected(program.args.join(' '), () => client.#isReady);
  }

  /**
   * Runs one operation of one actor. Resolves to its result, to `! Error: message` for an exception, or to `! ended` if
   * the process has ended. Throws if the operation does not return within 5 minutes.
   */
  call(actor: string, operation: string, kind: string, name: string, ...args: number[]): Promise<string> {
    if (!this.isAlive()) return Promise.resolve('! ended');
    const call = [actor, operation, kind, name, ...args].join(' ');
    return new Promise((resolve, reject) => {
      const hangs = setTimeout(() => {
        this.#calls.delete(actor);
        reject(new Error(`${this.name}: ${call} has not returned within 5 minutes. ${this.errors}`));
      }, ANSWER_WITHIN_MS);
      this.#calls.set(actor, (result) => {
        clearTimeout(hangs);
        resolve(result);
      });
      this.send(call);
    });
  }

  protected receive(line: string): void {
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
