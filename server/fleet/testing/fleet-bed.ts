import { afterEach, beforeEach, vi } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { Bus } from '../../bus/bus.ts';
import { entryFrom, type StreamEntry } from '../../bus/bus-entry.ts';
import { blocksKey } from '../../bus/bus-keys.ts';
import { type CommandConnection, openCommandConnection } from '../../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { Program } from '../../testing/program.ts';

/** How long a test waits for a part of the fleet. */
export const LONG = { timeout: 120_000, interval: 50 };
/** The source of the observers. */
export const SOURCE = 'one';

type Open = {
  readonly watched: LocalRedis;
  readonly busServer: LocalRedis;
  readonly bus: Bus;
  readonly app: CommandConnection;
};

/** A watched Redis with an application, a bus, and the programs of a fleet. A test file has new ones for each test. */
class FleetBed {
  readonly #running: Program[] = [];
  #open: Open | undefined;

  /** The address of the watched Redis. */
  get watchedUrl(): string {
    return this.#parts.watched.url;
  }

  get busUrl(): string {
    return this.#parts.busServer.url;
  }

  get bus(): Bus {
    return this.#parts.bus;
  }

  /** The application's connection to the watched Redis. */
  get app(): CommandConnection {
    return this.#parts.app;
  }

  async open(): Promise<void> {
    const [watched, busServer] = await Promise.all([startLocalRedis(), startLocalRedis()]);
    const url = parseRedisUrl(busServer.url);
    if (!url.ok) throw new Error(url.error);
    const [bus, app] = [new Bus(url.value), openCommandConnection({ url: watched.url })];
    this.#open = { watched, busServer, bus, app };
    await Promise.all([bus.connection.whenReady(10_000), app.whenReady(10_000)]);
  }

  async close(): Promise<void> {
    for (const program of this.#running.splice(0)) await program.kill();
    const { watched, busServer, bus, app } = this.#parts;
    bus.close();
    app.close();
    await Promise.all([watched.stop(), busServer.stop()]);
  }

  /** Starts the program with these words. It is killed after the test. */
  start(words: readonly string[], env: Record<string, string> = {}): Program {
    const program = new Program(words, env);
    this.#running.push(program);
    return program;
  }

  /** Starts a program of the fleet on this bus. */
  part(words: readonly string[], env: Record<string, string> = {}): Program {
    return this.start([...words, '--bus', this.busUrl], env);
  }

  observer(...more: string[]): Program {
    return this.part(['observe', this.watchedUrl, '--observe', 'monitor', '--as', SOURCE, ...more]);
  }

  viewer(...more: string[]): Program {
    return this.part(['view', '--port', '0', '--no-open', ...more]);
  }

  /** Sets and deletes this many keys, as locks with a token do. */
  async lockSome(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await this.app.call('SET', `lock:${n}`, `token-0123456789abcdef-${n}`, 'NX', 'PX', 600_000);
      await this.app.call('DEL', `lock:${n}`);
    }
  }

  /** What the observers wrote to the bus. */
  async entries(): Promise<StreamEntry[]> {
    return (await this.bus.range(blocksKey(SOURCE), '-', 10_000)).flatMap((raw) => entryFrom(raw) ?? []);
  }

  /** Run and lines of each entry on the bus. */
  async linesOnBus(): Promise<string[]> {
    return (await this.entries()).map(({ run, first, last }) => `${run} ${first}-${last}`);
  }

  /** The bus loses everything that the observers wrote. */
  async loseBlocks(): Promise<void> {
    await this.bus.connection.call('DEL', blocksKey(SOURCE));
  }

  get #parts(): Open {
    if (!this.#open) throw new Error('the servers have not started');
    return this.#open;
  }
}

/** A bed that is opened before each test of this file, and closed after it. */
export function useFleetBed(): FleetBed {
  const bed = new FleetBed();
  beforeEach(() => bed.open());
  afterEach(() => bed.close());
  return bed;
}

/** Run and lines of rows of the table `blocks`. */
export function linesOf(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows.map((row) => `${row.run} ${row.first_seq}-${row.last_seq}`);
}

/** Reads JSON from an address. */
export const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

type Locks = { readonly at: number; readonly locks: readonly { readonly name: string; readonly held: boolean }[] };

/** The locks of the source on a viewer's page, now or at an instant. */
export async function locksAt(page: string, at?: number): Promise<Locks> {
  return (await json(`${page}/sources/${SOURCE}/api/locks${at === undefined ? '' : `?at=${at}`}`)) as Locks;
}

/** Waits until a program has written this text. */
export function written(program: Program, to: 'out' | 'err', text: string): Promise<void> {
  return vi.waitFor(() => {
    if (!program[to].includes(text)) throw new Error(`no "${text}" in: ${program.out}${program.err}`);
  }, LONG);
}
