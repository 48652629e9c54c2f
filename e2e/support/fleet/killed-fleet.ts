import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { Bus } from '../../../server/bus/bus.ts';
import { entryFrom, type StreamEntry } from '../../../server/bus/bus-entry.ts';
import { blocksKey } from '../../../server/bus/bus-keys.ts';
import { json, LONG } from '../../../server/fleet/testing/fleet-bed.ts';
import { type CommandConnection, openCommandConnection } from '../../../server/redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../../../server/redis/private-server/local-redis.ts';
import { PrivatePostgres } from '../../../server/store/testing/private-postgres.ts';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { fleetBody } from '../../../shared/wire/fleet/fleet.ts';
import type { Chance } from '../random/seeded.ts';
import { KeptProgram } from './kept-program.ts';
import { LockAccount } from './lock-account.ts';

const LOCKS = 5;
const CHANGE_EVERY_MS = 150;
/** An observer is frozen for this long, so that its standby takes over. */
const FREEZE_MS = 12_000;

/** A watched server with its two observers and the account of its locks. */
export type Source = {
  readonly name: string;
  readonly redis: LocalRedis;
  readonly app: CommandConnection;
  readonly account: LockAccount;
  readonly observers: readonly KeptProgram[];
};

const FAULTS = [
  'kill-observer',
  'freeze-observer',
  'cut-watched',
  'cut-bus',
  'kill-bus',
  'kill-writer',
  'kill-viewer',
  'crash-database',
] as const;
export type Fault = (typeof FAULTS)[number];

/** A fleet with two observers for each source, two store writers and a viewer, of which any part can be killed. */
export class KilledFleet {
  readonly #chance: Chance;
  readonly #postgres: PrivatePostgres;
  readonly #busDir = mkdtempSync(join(tmpdir(), 'lockscope-bus-'));
  readonly sources: Source[] = [];
  readonly #writers: KeptProgram[] = [];
  #busServer: LocalRedis | undefined;
  #viewer: KeptProgram | undefined;
  #load: Promise<unknown> = Promise.resolve();
  #isLoaded = true;
  readonly happened = new Map<Fault, number>();

  private constructor(chance: Chance, postgres: PrivatePostgres) {
    this.#chance = chance;
    this.#postgres = postgres;
  }

  static async start(count: number, chance: Chance): Promise<KilledFleet> {
    const fleet = new KilledFleet(chance, await PrivatePostgres.start());
    fleet.#busServer = await fleet.#startBus();
    fleet.#writers.push(fleet.#writer(), fleet.#writer());
    for (let n = 0; n < count; n++) await fleet.#addSource(`redis-${n}`);
    fleet.#viewer = fleet.#view();
    fleet.#load = Promise.all(fleet.sources.map((source) => fleet.#use(source)));
    for (const { name } of fleet.sources) {
      await vi.waitFor(async () => {
        if ((await fleet.stored(name)).length === 0) throw new Error(`nothing of ${name} is stored`);
      }, LONG);
    }
    return fleet;
  }

  /** Makes one fault happen. What the fault ended is started again. */
  async happen(fault: Fault): Promise<void> {
    this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
    const source = this.#chance.oneOf(this.sources);
    const n = this.#chance.whole(0, 1);
    switch (fault) {
      case 'kill-observer':
        return source.observers[n]?.kill();
      case 'freeze-observer': {
        const child = source.observers[n]?.program.child;
        child?.kill('SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, FREEZE_MS));
        child?.kill('SIGCONT');
        return;
      }
      case 'cut-watched':
        await source.app.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        return;
      case 'cut-bus':
        await this.#onBus((bus) => bus.connection.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'));
        return;
      case 'kill-bus': {
        const before = this.#busServer;
        await before?.kill();
        this.#busServer = await this.#startBus(before?.port);
        return;
      }
      case 'kill-writer':
        return this.#writers[n]?.kill();
      case 'kill-viewer':
        return this.#viewer?.kill();
      case 'crash-database':
        await this.#postgres.crash();
        // PostgreSQL refuses to start while a process of the crashed server still has its shared memory
        return vi.waitFor(() => this.#postgres.go(), LONG);
    }
  }

  /** Ends the load. Waits until each source is watched again, and the store has what the bus has. */
  async settle(): Promise<void> {
    this.#isLoaded = false;
    await this.#load;
    const page = await this.page();
    await vi.waitFor(async () => {
      const { sources } = fleetBody.parse(await json(`${page}/api/fleet`));
      const watched = sources.filter(({ isWatched, notLiveSince }) => isWatched && notLiveSince === null);
      if (watched.length < this.sources.length) throw new Error(`${watched.length} sources are watched`);
    }, LONG);
    for (const { name } of this.sources) {
      await vi.waitFor(async () => {
        const [onBus, stored] = [await this.entries(name), await this.stored(name)];
        const [last, lastStored] = [onBus.findLast(({ kind }) => kind === 'block'), stored.at(-1)];
        if (last?.run !== lastStored?.run || last?.last !== lastStored?.last) {
          throw new Error(`${name}: ${lastStored?.run}-${lastStored?.last} of ${last?.run}-${last?.last} is stored`);
        }
      }, LONG);
    }
  }

  /** The address of the viewer. If the database does not answer, the viewer ends at once and is started again. */
  page(): Promise<string> {
    return vi.waitFor(async () => {
      if (!this.#viewer) throw new Error('no viewer was started');
      return this.#viewer.program.ready();
    }, LONG);
  }

  /** The blocks and gaps of a source on the bus. */
  entries(name: string): Promise<StreamEntry[]> {
    return this.#onBus(async (bus) =>
      (await bus.range(blocksKey(name), '-', 1_000_000)).flatMap((raw) => entryFrom(raw) ?? []),
    );
  }

  /** The blocks of a source in the database. */
  async stored(name: string): Promise<{ readonly run: number; readonly first: number; readonly last: number }[]> {
    const rows = await this.#postgres.sql(
      `SELECT run, first_seq, last_seq FROM blocks WHERE source = '${name}' ORDER BY run, first_seq`,
    );
    return rows.map((row) => ({ run: Number(row.run), first: Number(row.first_seq), last: Number(row.last_seq) }));
  }

  async stop(): Promise<void> {
    this.#isLoaded = false;
    await this.#load.catch(() => undefined);
    const programs = [...this.#writers, ...this.sources.flatMap(({ observers }) => observers), this.#viewer];
    await Promise.all(programs.map((program) => program?.stop()));
    for (const { app } of this.sources) app.close();
    await Promise.all([
      ...this.sources.map(({ redis }) => redis.stop()),
      this.#busServer?.stop(),
      this.#postgres.stop(),
    ]);
    rmSync(this.#busDir, { recursive: true, force: true });
  }

  async #addSource(name: string): Promise<void> {
    const redis = await startLocalRedis();
    const app = openCommandConnection({ url: redis.url });
    await app.whenReady(10_000);
    const observers = [this.#observe(name, redis.url), this.#observe(name, redis.url)];
    this.sources.push({ name, redis, app, account: new LockAccount(app, LOCKS), observers });
  }

  async #use({ app, account }: Source): Promise<void> {
    while (this.#isLoaded) {
      await account.change(this.#chance.oneOf(account.locks));
      await app.call('PING');
      await new Promise((resolve) => setTimeout(resolve, CHANGE_EVERY_MS));
    }
  }

  /** Starts a bus that writes its data to disk every second. */
  #startBus(port?: number): Promise<LocalRedis> {
    const args = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', this.#busDir];
    return startLocalRedis({ args, ...(port === undefined ? {} : { port }) });
  }

  async #onBus<T>(use: (bus: Bus) => Promise<T>): Promise<T> {
    const url = parseRedisUrl(this.#busUrl);
    if (!url.ok) throw new Error(url.error);
    const bus = new Bus(url.value);
    try {
      await bus.connection.whenReady(60_000);
      return await use(bus);
    } finally {
      bus.close();
    }
  }

  get #busUrl(): string {
    if (!this.#busServer) throw new Error('the bus has not started');
    return this.#busServer.url;
  }

  #observe(name: string, url: string): KeptProgram {
    return new KeptProgram(['observe', url, '--observe', 'monitor', '--as', name, '--bus', this.#busUrl]);
  }

  #writer(): KeptProgram {
    return new KeptProgram(['store', '--bus', this.#busUrl], { LOCKSCOPE_STORE: this.#postgres.url() });
  }

  #view(): KeptProgram {
    const words = ['view', '--port', '0', '--no-open', '--bus', this.#busUrl];
    return new KeptProgram(words, { LOCKSCOPE_STORE: this.#postgres.url() });
  }
}
