import { randomUUID } from 'node:crypto';
import { DemoClient, type DemoClientSettings } from './demo-client.ts';
import type { Milestone } from './protocol.ts';

const CONNECTED_WITHIN_MS = 2000;

/** The clients of one process: the main one for the demo's Redis, and one for each further server it uses. */
export class OwnClients {
  readonly main: DemoClient;
  readonly #settings: DemoClientSettings;
  readonly #report: (milestone: Omit<Milestone, 'type' | 'at'>) => void;
  readonly #reportUuid: (uuid: string) => void;
  readonly #others = new Map<string, { client: DemoClient; ready: Promise<void> }>();

  constructor(
    settings: DemoClientSettings,
    report: (milestone: Omit<Milestone, 'type' | 'at'>) => void,
    reportUuid: (uuid: string) => void,
  ) {
    this.#settings = settings;
    this.#report = report;
    this.#reportUuid = reportUuid;
    this.main = new DemoClient(settings, report);
  }

  /** Returns the client for a server; `undefined`: the main one. Waits up to 2 s until a further one is connected. */
  async of(server: string | undefined): Promise<DemoClient> {
    if (server === undefined) return this.main;
    let known = this.#others.get(server);
    if (!known) {
      const uuid = randomUUID();
      this.#reportUuid(uuid);
      const client = new DemoClient({ ...this.#settings, redisUrl: server, uuid }, this.#report);
      known = { client, ready: client.whenReady(CONNECTED_WITHIN_MS).catch(() => undefined) };
      this.#others.set(server, known);
    }
    await known.ready;
    return known.client;
  }

  interrupt(): void {
    for (const client of this.#all()) client.interrupt();
  }

  cut(): void {
    for (const client of this.#all()) client.cut();
  }

  async heal(): Promise<void> {
    await Promise.all(this.#all().map((client) => client.heal()));
  }

  /** Interrupts every wait, releases every hold, and disconnects from the further servers. */
  async settle(idle: () => Promise<void>): Promise<void> {
    const others = [...this.#others.values()].map(({ client }) => client);
    this.#others.clear();
    await Promise.all([this.main, ...others].map((client) => client.settle(idle)));
    for (const client of others) client.close();
  }

  #all(): DemoClient[] {
    return [this.main, ...[...this.#others.values()].map(({ client }) => client)];
  }
}
