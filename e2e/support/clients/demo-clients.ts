import { type DemoProcess, startDemoProcess } from '../lockscope/demo-process.ts';

/** The demo clients of a test file, by their names. A client that was not killed is used again by the next test. */
export class DemoClients {
  readonly #options: { readonly threads: number; readonly watchdogMs: number };
  readonly #clients = new Map<string, DemoProcess>();

  constructor(options: { threads: number; watchdogMs: number }) {
    this.#options = options;
  }

  /** The client with that name. Starts the client if it was not started yet, or has been killed. */
  async client(name: string, redisUrl: string): Promise<DemoProcess> {
    const running = this.#clients.get(name);
    if (running?.isAlive()) return running;
    const started = await startDemoProcess({ name, redisUrl, ...this.#options });
    this.#clients.set(name, started);
    return started;
  }

  /** Interrupts every wait and releases every hold. */
  async settle(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.settle()));
  }

  /** Kills all clients. */
  async end(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.kill()));
  }
}
