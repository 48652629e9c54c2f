import type { CommandConnection } from '../../redis/connection/command-connection.ts';
import type { Script } from './scripts.ts';

const CONNECTED_WITHIN_MS = 3000;

/**
 * The command connections of one client. Each command uses the least busy connection that is ready, and waits up to 3 s
 * if none is.
 */
export class ConnectionPool {
  readonly #connections: { connection: CommandConnection; underWay: number }[];

  constructor(open: () => CommandConnection, size: number) {
    this.#connections = Array.from({ length: size }, () => ({ connection: open(), underWay: 0 }));
  }

  async whenReady(withinMs: number): Promise<void> {
    await Promise.all(this.#connections.map(({ connection }) => connection.whenReady(withinMs)));
  }

  /** True while at least one of the connections is ready. */
  isReady(): boolean {
    return this.#connections.some(({ connection }) => connection.isReady());
  }

  close(): void {
    for (const { connection } of this.#connections) connection.close();
  }

  command(name: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#use((connection) => connection.call(name, ...args));
  }

  /** Runs a script by its hash. If the server does not know the script, loads it and runs it again. */
  script(script: Script, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown> {
    return this.#use(async (connection) => {
      const run = () => connection.call('EVALSHA', script.sha, keys.length, ...keys, ...args);
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        await connection.call('SCRIPT', 'LOAD', script.text);
        return run();
      }
    });
  }

  cut(): void {
    for (const { connection } of this.#connections) connection.cut();
  }

  heal(): void {
    for (const { connection } of this.#connections) connection.heal();
  }

  async #use<T>(job: (connection: CommandConnection) => Promise<T>): Promise<T> {
    const ready = this.#connections.filter(({ connection }) => connection.isReady());
    const choice = ready.length > 0 ? ready : this.#connections;
    const chosen = choice.reduce((best, other) => (other.underWay < best.underWay ? other : best));
    chosen.underWay++;
    try {
      if (ready.length === 0) await chosen.connection.whenReady(CONNECTED_WITHIN_MS);
      return await job(chosen.connection);
    } finally {
      chosen.underWay--;
    }
  }
}
