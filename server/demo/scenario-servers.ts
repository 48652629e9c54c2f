import type { Logger } from 'pino';
import { type LocalRedis, startLocalRedis } from '../redis/local-redis.ts';

/** Watches a server while a scenario has it; settles once it observes, or after a while. */
export type ServerWatcher = {
  watch(source: { id: string; url: string }): Promise<void>;
  unwatch(id: string): Promise<void>;
};

type Server = { readonly source: string; readonly name: string; readonly redis: LocalRedis };

/** The private servers of one run: started with it, watched while it is shown, removed after it. */
export class ScenarioServers {
  readonly #servers: readonly Server[];
  readonly #watcher: ServerWatcher | undefined;

  private constructor(servers: readonly Server[], watcher: ServerWatcher | undefined) {
    this.#servers = servers;
    this.#watcher = watcher;
  }

  /** Starts one server for each name; settles once all of them answer and are watched. */
  static async start(
    names: readonly string[],
    watcher: ServerWatcher | undefined,
    options: { args: readonly string[]; logger?: Pick<Logger, 'info' | 'warn'> },
  ): Promise<ScenarioServers> {
    const started = await Promise.allSettled(names.map(() => startLocalRedis(options)));
    const servers = started.flatMap((one, index): Server[] => {
      if (one.status === 'rejected') return [];
      return [{ source: `redis-${index + 1}`, name: names[index] ?? '', redis: one.value }];
    });
    const all = new ScenarioServers(servers, watcher);
    const failed = started.find((one) => one.status === 'rejected');
    if (failed) {
      await all.close(false);
      throw failed.reason;
    }
    await Promise.all(servers.map(({ source, redis }) => watcher?.watch({ id: source, url: redis.url })));
    return all;
  }

  view(): { source: string; name: string }[] {
    return this.#servers.map(({ source, name }) => ({ source, name }));
  }

  /** The URL of a server; they count from 1. */
  urlOf(n: number): string {
    return this.#server(n).redis.url;
  }

  /** Ends a server at once, as a crash would; gives back the source that watches it. */
  async kill(n: number): Promise<string> {
    const { redis, source } = this.#server(n);
    await redis.kill();
    return source;
  }

  /** Ends them all. Whoever watches them is told, unless everything ends anyway. */
  async close(isToldToWatcher: boolean): Promise<void> {
    if (isToldToWatcher) await Promise.all(this.#servers.map(({ source }) => this.#watcher?.unwatch(source)));
    await Promise.all(this.#servers.map(({ redis }) => redis.stop()));
  }

  #server(n: number): Server {
    const server = this.#servers[n - 1];
    if (!server) throw new Error(`the scenario has no server ${n}`);
    return server;
  }
}
