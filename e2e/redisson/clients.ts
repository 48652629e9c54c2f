import { JavaClient } from '../support/clients/redisson.ts';

/** Lease that the watchdog of a client with a short one keeps alive. */
export const SHORT_WATCHDOG_MS = 3000;

/**
 * The clients of one Redisson version: each is started when it is first asked for, and stays. Starting a JVM takes
 * longer than most stories.
 */
export class Clients {
  readonly #version: string;
  readonly #redisUrls: readonly string[];
  readonly #clients = new Map<string, Promise<JavaClient>>();

  constructor(version: string, redisUrls: readonly string[]) {
    this.#version = version;
    this.#redisUrls = redisUrls;
  }

  /** The client of that name; `hasShortWatchdog` says how it is started when it has to be. */
  client(name: string, hasShortWatchdog: boolean): Promise<JavaClient> {
    const known = this.#clients.get(name);
    if (known) return known;
    const watchdog = hasShortWatchdog ? { watchdogMs: SHORT_WATCHDOG_MS } : {};
    const client = JavaClient.start({ version: this.#version, redisUrls: this.#redisUrls, name, ...watchdog });
    this.#clients.set(name, client);
    return client;
  }

  /** Every client there was, the dead ones too. */
  async all(): Promise<JavaClient[]> {
    const started = await Promise.allSettled(this.#clients.values());
    return started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async killAll(): Promise<void> {
    await Promise.all((await this.all()).map((client) => client.kill()));
  }
}
