import { DrivenClient } from '../other/driven-client.ts';
import { type ClientId, PROGRAMS } from '../other/libraries.ts';
import { type App, connectApp } from '../support/clients/app.ts';
import { JavaClient, type JavaClientOptions } from '../support/clients/redisson.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/** The version of the clients, if an incident does not need another one. */
const VERSION = process.env.INCIDENT_VERSION ?? '4.7.0';

/** The levels at which the same Redis is watched, each by a Lockscope of its own. */
export const LEVELS = ['monitor', 'events'] as const;
export type Level = (typeof LEVELS)[number];

export type Confidence = 'certain' | 'likely' | 'hint';

/** What must be reported once an incident has been provoked. A field that is left out may be anything. */
export type Expected = {
  /** Absent: the incident is about the whole server. Several: about one of them. */
  readonly lock?: string | readonly string[];
  readonly holders?: readonly string[];
  /** All holders that the verdict names must be among these. */
  readonly among?: readonly string[];
  readonly confidence?: Confidence;
  /** The highest confidence with which level `events` may report the incident. */
  readonly atEvents?: Confidence;
  /** The incident must be reported at level `events` too. */
  readonly isShownByEvents?: true;
  /** The incident is not a problem by itself, so it is reported only if its lock is requested by name. */
  readonly isOnRequest?: true;
  /** Some of the values in the sentences of the verdict. */
  readonly values?: Readonly<Record<string, string | number | null>>;
  /** Whether the incident ends by itself at a known time. */
  readonly healsItself?: boolean;
};

/** One incident: how it is provoked with real clients, and what must be reported. */
export type IncidentCase = {
  /** The incident, by its id in the catalogue. */
  readonly id: string;
  /** What happens, in one line. */
  readonly how: string;
  /** Settings of the case's Redis. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The Redis of the case is a cluster of one server. */
  readonly isCluster?: true;
  /** The case has this many servers, each with `settings`. Absent: one. */
  readonly servers?: number;
  /** Provokes the incident. Resolves as soon as it has happened. */
  play(setup: IncidentSetup): Promise<Expected>;
};

/** A private Redis, a Lockscope at each level, and the clients of one case. */
export class IncidentSetup {
  /** The Redis of the case, or the first one. */
  readonly redis: RunningRedis;
  readonly servers: readonly RunningRedis[];
  readonly lockscopes: Readonly<Record<Level, Lockscope>>;
  readonly #clients: JavaClient[] = [];
  readonly #proxies: CuttingProxy[] = [];
  readonly #apps: App[] = [];
  readonly #others: DrivenClient[] = [];
  readonly #replicas: RunningRedis[] = [];

  static async open({ settings = {}, isCluster, servers: count = 1 }: IncidentCase): Promise<IncidentSetup> {
    const start = () => startRedis({ 'notify-keyspace-events': 'KA', ...settings }, { cluster: isCluster === true });
    const servers = await Promise.all(Array.from({ length: count }, start));
    const [first = '', ...more] = servers.map(({ url }) => url);
    try {
      const [monitor, events] = await Promise.all(
        LEVELS.map((level) => startLockscopeProcess(first, [...more, '--observe', level])),
      );
      if (!monitor || !events) throw new Error('a Lockscope is missing');
      return new IncidentSetup(servers, { monitor, events });
    } catch (error) {
      await Promise.all(servers.map((server) => server.stop()));
      throw error;
    }
  }

  private constructor(servers: readonly RunningRedis[], lockscopes: Readonly<Record<Level, Lockscope>>) {
    const [first] = servers;
    if (!first) throw new Error('a setup needs a Redis');
    this.redis = first;
    this.servers = servers;
    this.lockscopes = lockscopes;
  }

  /** Starts a Redisson client. */
  async client(name: string, options: Partial<Omit<JavaClientOptions, 'name'>> = {}) {
    const client = await JavaClient.start({ version: VERSION, redisUrls: [this.redis.url], name, ...options });
    this.#clients.push(client);
    return client;
  }

  /** Starts a Redisson client whose connections can be cut. */
  async clientBehindProxy(name: string): Promise<{ client: JavaClient; proxy: CuttingProxy }> {
    const proxy = await startCuttingProxy(Number(new URL(this.redis.url).port));
    this.#proxies.push(proxy);
    return { client: await this.client(name, { redisUrls: [`redis://127.0.0.1:${proxy.port}`] }), proxy };
  }

  /** Connects a client that is not Redisson. */
  async app(): Promise<App> {
    const app = await connectApp(this.redis.url);
    this.#apps.push(app);
    return app;
  }

  /** Starts a client of another library. */
  async other(id: ClientId, name: string): Promise<DrivenClient> {
    const client = await DrivenClient.start(name, await PROGRAMS[id](this.redis.port, name));
    this.#others.push(client);
    return client;
  }

  /** Starts a replica of the first Redis, and waits until it has all data. */
  async replica(): Promise<RunningRedis> {
    const replica = await startRedis({});
    this.#replicas.push(replica);
    await replica.command('REPLICAOF', '127.0.0.1', new URL(this.redis.url).port);
    await waitFor('the replica to be up to date', async (missing) => {
      const info = String(await replica.command('INFO', 'replication'));
      return info.includes('master_link_status:up') || missing(info);
    });
    return replica;
  }

  /**
   * Blocks Redis for about this long with one script that runs no command. A shorter script before it measures how fast
   * this Redis is. Returns how long the long script blocked Redis, in ms.
   */
  async block(seconds: number): Promise<number> {
    const perTurn = (await this.#spin(20_000_000)) / 20_000_000;
    return this.#spin(Math.round((seconds * 1000) / perTurn));
  }

  async #spin(turns: number): Promise<number> {
    const began = performance.now();
    await this.redis.command('EVAL', `for n = 1, ${turns} do end`, '0');
    return performance.now() - began;
  }

  /** Cuts every connection on which a client is subscribed. */
  async cutSubscription(name: string): Promise<void> {
    const listed = String(await this.redis.command('CLIENT', 'LIST', 'TYPE', 'pubsub')).split('\n');
    for (const row of listed) {
      const id = row.includes(` name=${name} `) ? /^id=(\d+)/.exec(row)?.[1] : undefined;
      if (id !== undefined) await this.redis.command('CLIENT', 'KILL', 'ID', id);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.kill()));
    await Promise.all(this.#others.map((client) => client.kill()));
    await Promise.all(this.#apps.map((app) => app.close()));
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    await Promise.all(Object.values(this.lockscopes).map((lockscope) => lockscope.stop()));
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
    await Promise.all(this.servers.map((server) => server.stop()));
  }
}
