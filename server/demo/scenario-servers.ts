import { type Forwarder, openForwarder } from '../redis/forwarder.ts';
import { type LocalRedis, type LocalRedisOptions, type StartStep, startLocalServers } from '../redis/local-redis.ts';
import { copyFrom, cutCopies, promote } from '../redis/replication.ts';

/** A private server that a scenario needs. */
export type ServerWish = {
  readonly name: string;
  /** It copies that one; they count from 1. Both are one source: whichever is the master is watched. */
  readonly copyOf?: number;
};

/** Watches a server while a scenario has it; settles once it observes, or after a while. */
export type ServerWatcher = {
  /** The same id again: that source goes on at another server. */
  watch(source: { id: string; url: string }): Promise<void>;
  unwatch(id: string): Promise<void>;
  /** The scenario is about to end that server, and no other takes its place. */
  noteEnded(id: string): void;
};

/** What the servers of a scenario wait for before its first step. */
export type ServersStep = StartStep | { what: 'copies' | 'watching'; done: number; of: number };

type Server = ServerWish & {
  readonly source: string;
  readonly redis: LocalRedis;
  /** The address clients use, where the server may be replaced by its copy. */
  readonly address?: Forwarder;
};

/** The private servers of one run: started with it, watched while it is shown, removed after it. */
export class ScenarioServers {
  readonly #servers: readonly Server[];
  readonly #watcher: ServerWatcher | undefined;

  private constructor(servers: readonly Server[], watcher: ServerWatcher | undefined) {
    this.#servers = servers;
    this.#watcher = watcher;
  }

  /** Starts them; settles once all of them answer, copies have everything, and masters are watched. */
  static async start(
    wishes: readonly ServerWish[],
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

  /** What clients call a server by; servers count from 1. */
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

  /** A copy hears nothing of its master any more, and does not know. */
  async cutLink(n: number): Promise<{ source: string; server: string }> {
    const { source, name, copyOf = n } = this.#server(n);
    await cutCopies(this.#server(copyOf).redis);
    return { source, server: name };
  }

  /** Makes a copy the master. Nobody is led to it yet. */
  async promote(n: number): Promise<{ source: string; server: string }> {
    const { source, name, redis } = this.#server(n);
    await promote(redis);
    return { source, server: name };
  }

  /** Leads clients and watcher to a copy that was promoted. */
  async follow(n: number): Promise<void> {
    const { source, redis, copyOf = n } = this.#server(n);
    await this.#watcher?.watch({ id: source, url: redis.url });
    this.#server(copyOf).address?.pointTo(redis.port);
  }

  /** Ends them all. Whoever watches them is told, unless everything ends anyway. */
  async close(isToldToWatcher: boolean): Promise<void> {
    const sources = isToldToWatcher ? new Set(this.#servers.map(({ source }) => source)) : [];
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
