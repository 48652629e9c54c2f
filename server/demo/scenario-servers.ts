import { type Forwarder, openForwarder } from '../redis/private-server/forwarder.ts';
import {
  type LocalRedis,
  type LocalRedisOptions,
  type StartStep,
  startLocalServers,
} from '../redis/private-server/local-redis.ts';
import { copyFrom, cutCopies, promote } from '../redis/private-server/replication.ts';

/** A private server that a scenario needs. */
export type ServerSpec = {
  readonly name: string;
  /**
   * The number of the server (from 1) of which this one is a replica. Both are one source, which watches the current
   * master.
   */
  readonly copyOf?: number;
};

/** Watches the private servers of a scenario. */
export type ServerWatcher = {
  /** Settles once the server is observed, or after a time limit. If the id is known, its source moves to this URL. */
  watch(source: { id: string; url: string }): Promise<void>;
  unwatch(id: string): Promise<void>;
  /** The scenario is about to end the server of this source, and no replica replaces it. */
  noteEnded(id: string): void;
};

/** What the servers of a scenario wait for before its first step. */
export type ServersStep = StartStep | { what: 'copies' | 'watching'; done: number; of: number };

type Server = ServerSpec & {
  readonly source: string;
  readonly redis: LocalRedis;
  /** The address clients use if a replica may replace the server. */
  readonly address?: Forwarder;
};

/** The private servers of one run: started before it, watched during it, stopped after it. */
export class ScenarioServers {
  readonly #servers: readonly Server[];
  readonly #watcher: ServerWatcher | undefined;

  private constructor(servers: readonly Server[], watcher: ServerWatcher | undefined) {
    this.#servers = servers;
    this.#watcher = watcher;
  }

  /** Starts the servers. Settles once all of them answer, the replicas are in sync, and the masters are watched. */
  static async start(
    wishes: readonly ServerSpec[],
    watcher: ServerWatcher | undefined,
    options: LocalRedisOptions,
    onStep: (step: ServersStep) => void = () => undefined,
  ): Promise<ScenarioServers> {
    const started = await startLocalServers(wishes.length, options, onStep);
    const servers: Server[] = [];
    const all = new ScenarioServers(servers, watcher);
    try {
      for (const [index, redis] of started.entries()) {
        const { name, copyOf } = wishes[index] ?? { name: '' };
        const isCopied = wishes.some((other) => other.copyOf === index + 1);
        servers.push({
          name,
          ...(copyOf !== undefined && { copyOf }),
          source: `redis-${copyOf ?? index + 1}`,
          redis,
          ...(isCopied && { address: await openForwarder(redis.port, options.password) }),
        });
      }
      await all.#join(onStep);
      return all;
    } catch (error) {
      await all.close(false);
      await Promise.all(started.map((redis) => redis.stop()));
      throw error;
    }
  }

  view(): { source: string; name: string; copyOf?: string }[] {
    return this.#servers.map(({ source, name, copyOf }) => ({
      source,
      name,
      ...(copyOf !== undefined && { copyOf: this.#server(copyOf).name }),
    }));
  }

  /** The URL by which clients reach a server. Servers count from 1. */
  urlOf(n: number): string {
    const { address, redis } = this.#server(n);
    return (address ?? redis).url;
  }

  /** Ends a server at once, as a crash would. */
  async kill(n: number): Promise<{ source: string; server: string }> {
    const { redis, source, name } = this.#server(n);
    if (!this.#servers.some((other) => other.source === source && other.redis !== redis))
      this.#watcher?.noteEnded(source);
    await redis.kill();
    return { source, server: name };
  }

  /** Cuts replication: the replica no longer receives anything from its master. */
  async cutLink(n: number): Promise<{ source: string; server: string }> {
    const { source, name, copyOf = n } = this.#server(n);
    await cutCopies(this.#server(copyOf).redis);
    return { source, server: name };
  }

  /** Makes a replica the master. Clients are not redirected to it yet, see `follow`. */
  async promote(n: number): Promise<{ source: string; server: string }> {
    const { source, name, redis } = this.#server(n);
    await promote(redis);
    return { source, server: name };
  }

  /** Redirects clients and watcher to a promoted replica. */
  async follow(n: number): Promise<void> {
    const { source, redis, copyOf = n } = this.#server(n);
    await this.#watcher?.watch({ id: source, url: redis.url });
    this.#server(copyOf).address?.pointTo(redis.port);
  }

  /** Stops all servers. With `isReportedToWatcher`, the watcher stops watching them first. */
  async close(isReportedToWatcher: boolean): Promise<void> {
    const sources = isReportedToWatcher ? new Set(this.#servers.map(({ source }) => source)) : [];
    await Promise.all([...sources].map((source) => this.#watcher?.unwatch(source)));
    await Promise.all(this.#servers.flatMap(({ redis, address }) => [redis.stop(), address?.close()]));
  }

  async #join(onStep: (step: ServersStep) => void): Promise<void> {
    const [copies, masters] = [this.#servers.filter(isCopy), this.#servers.filter((server) => !isCopy(server))];
    const left = { copies: copies.length, watching: masters.length };
    const report = () => {
      const what = left.copies > 0 ? 'copies' : 'watching';
      const of = what === 'copies' ? copies.length : masters.length;
      onStep({ what, done: of - left[what], of });
    };
    const done = (what: keyof typeof left) => {
      left[what]--;
      report();
    };
    report();
    await Promise.all([
      ...masters.map(async ({ source, redis }) => {
        await this.#watcher?.watch({ id: source, url: redis.url });
        done('watching');
      }),
      ...copies.map(async ({ redis, copyOf }) => {
        await copyFrom(this.#server(copyOf).redis, redis);
        done('copies');
      }),
    ]);
  }

  #server(n: number): Server {
    const server = this.#servers[n - 1];
    if (!server) throw new Error(`the scenario has no server ${n}`);
    return server;
  }
}

function isCopy(server: Server): server is Server & { copyOf: number } {
  return server.copyOf !== undefined;
}
