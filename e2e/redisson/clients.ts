import { JavaClient } from '../support/clients/redisson.ts';

/** The watchdog timeout of clients that need a short one, in ms. */
export const SHORT_WATCHDOG_MS = 6000;

/**
 * The clients of one Redisson version. Each is started at its first use and then kept, because starting a JVM takes
 * longer than most scenarios.
 */
export class Clients {
  readonly #version: string;
  readonly #redisUrls: readonly string[];
  readonly #clients = new Map<string, Promise<JavaClient>>();

  constructor(version: string, redisUrls: readonly string[]) {
    this.#version = version;
    this.#redisUrls = redisUrls;
  }

  /** The client with that name. The first call starts it, with a short watchdog timeout if requested. */
  client(name: string, hasShortWatchdog: boolean): Promise<JavaClient> {
    const known = this.#clients.get(name);
    if (known) return known;
    const watchdog = hasShortWatchdog ? { watchdogMs: SHORT_WATCHDOG_MS } : {};
    const client = JavaClient.start({ version: this.#version, redisUrls: this.#redisUrls, name, ...watchdog });
    this.#clients.set(name, client);
    return client;
  }

  /** All clients that were started so far, also the dead ones. */
  async all(): Promise<JavaClient[]> {
    const started = await Promise.allSettled(this.#clients.values());
    return started.flatMap((client) => (client.status === 'fulfilled' ? [client.value] : []));
  }

  async killAll(): Promise<void> {
    await Promise.all((await this.all()).map((client) => client.kill()));
  }
}
