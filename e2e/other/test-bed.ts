import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, connectApp } from '../support/clients/app.ts';
import { compareTokenTruth } from '../support/compare/token-truth.ts';
import type { Lockscope, ReportedEvent } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { DrivenClient } from './driven-client.ts';
import { type ClientId, PROGRAMS } from './libraries.ts';

const STORIES_FOLDER = fileURLToPath(new URL('./target/stories', import.meta.url));

/** What a story can use: one actor in each of two processes of one library. */
type StorySetup = {
  /** Calls by the actor of the first process, and of the second. */
  a(operation: string, ...args: number[]): Promise<string>;
  b(operation: string, ...args: number[]): Promise<string>;
  /** Waits until the lock of the story has an event of that type, or `times` of them. */
  reported(type: ReportedEvent['type'], times?: number): Promise<void>;
  /** Deletes the lock's key from another connection. */
  steal(key: string): Promise<void>;
};

export type Story = { readonly id: string; play(setup: StorySetup): Promise<void> };

/** One Redis, one Lockscope, and two processes of every library, for concurrent stories. */
export class TestBed {
  readonly redis: RunningRedis;
  readonly lockscope: Lockscope;
  readonly #operator: App;
  readonly #clients = new Map<ClientId, Promise<readonly [DrivenClient, DrivenClient]>>();
  #events: ReportedEvent[] = [];
  #reading: Promise<void> | undefined;

  static async open(keyEvents: string): Promise<TestBed> {
    const redis = await startRedis({ 'notify-keyspace-events': keyEvents });
    try {
      return new TestBed(redis, await startLockscopeProcess(redis.url), await connectApp(redis.url));
    } catch (error) {
      await redis.stop();
      throw error;
    }
  }

  private constructor(redis: RunningRedis, lockscope: Lockscope, operator: App) {
    this.redis = redis;
    this.lockscope = lockscope;
    this.#operator = operator;
  }

  /** Starts every client before the first story. A client that does not start reports its error at its first use. */
  async startClients(): Promise<void> {
    const ids = Object.keys(PROGRAMS) as ClientId[]; // the keys of PROGRAMS are client ids
    await Promise.allSettled(ids.map((id) => this.clients(id)));
    await this.#showSingleKey();
  }

  /** Both processes of a library's client, started at their first use. */
  clients(id: ClientId): Promise<readonly [DrivenClient, DrivenClient]> {
    const started = this.#clients.get(id) ?? this.#start(id);
    this.#clients.set(id, started);
    return started;
  }

  /**
   * Plays a story on the lock or queue `name` and compares what its clients saw with the events of its locks, which
   * `isOwn` selects. Returns every difference in words.
   */
  async play(
    story: Story,
    client: ClientId,
    kind: string,
    name: string,
    isOwn: (lock: string) => boolean,
  ): Promise<string[]> {
    const both = await this.clients(client);
    const [first, second] = both;
    const ownEvents = async () => (await this.#eventsSoFar()).filter(({ lock }) => isOwn(lock));
    await story.play({
      a: (operation, ...args) => first.call(`A-${kind}-${story.id}`, operation, kind, name, ...args),
      b: (operation, ...args) => second.call(`B-${kind}-${story.id}`, operation, kind, name, ...args),
      reported: async (type, times = 1) => {
        await waitFor(`${type} ×${times} to be reported of ${name}`, async (missing) => {
          const types = (await ownEvents()).map((event) => event.type);
          return types.filter((each) => each === type).length >= times || missing(types.join(', '));
        });
      },
      steal: async (key) => {
        await this.#operator.command('DEL', key);
      },
    });
    await this.#syncMark(`${client}-${kind}-${story.id}`);
    const lines = both.flatMap(({ truth }) => truth.filter((line) => line.split(' ')[6] === name));
    const events = await ownEvents();
    const problems = compareTokenTruth(lines, events, true);
    if (problems.length > 0) {
      await mkdir(STORIES_FOLDER, { recursive: true });
      await writeFile(join(STORIES_FOLDER, `${name}.json`), JSON.stringify({ problems, lines, events }, null, 1));
    }
    return problems;
  }

  /** Waits until a lock of this library has this number of events of a type. */
  async reported(lock: string, library: string, type: string, times: number): Promise<void> {
    await waitFor(`${type} ×${times} to be reported of ${lock}`, async (missing) => {
      const own = (await this.#eventsSoFar()).filter((event) => event.lock === lock);
      const isReported = own.filter((event) => event.type === type && event.library === library).length >= times;
      return isReported || missing(own.map((event) => `${event.type} of ${event.library}`).join(', '));
    });
  }

  async close(): Promise<void> {
    const clients = (await Promise.allSettled(this.#clients.values())).flatMap((each) =>
      each.status === 'fulfilled' ? each.value : [],
    );
    await Promise.all(clients.map((client) => client.kill()));
    await this.#operator.close();
    await this.lockscope.stop();
    await this.redis.stop();
  }

  /**
   * A lock of rueidislock with one key is known from the first release on (rule T14): stories may not begin before
   * that.
   */
  async #showSingleKey(): Promise<void> {
    const [client] = await this.clients('rueidislock');
    for (const operation of ['lock', 'unlock']) await client.call('A', operation, 'single', 'first', 60_000);
    await this.reported('single:0:first', 'rueidislock', 'lock.released', 1);
  }

  async #start(id: ClientId): Promise<readonly [DrivenClient, DrivenClient]> {
    const start = async (name: string) => DrivenClient.start(name, await PROGRAMS[id](this.redis.port, name));
    const first = await start('app1');
    return [first, await start('app2')];
  }

  /** Acquires a lock after the story: once it is reported, everything before it has been reported. */
  async #syncMark(id: string): Promise<void> {
    const lock = `end-mark:${id}`;
    await this.#operator.acquire(lock);
    await waitFor(`${lock} to be reported`, async () =>
      (await this.#eventsSoFar()).some((event) => event.lock === lock),
    );
  }

  /** All events so far. Stories that wait at the same time share one request. */
  async #eventsSoFar(): Promise<readonly ReportedEvent[]> {
    this.#reading ??= this.#readMore().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    return this.#events;
  }

  async #readMore(): Promise<void> {
    const newest = this.#events.at(-1)?.seq ?? 0;
    this.#events = [...this.#events, ...(await this.lockscope.eventsAfter(newest))];
  }
}
