import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orderProblems } from '../support/compare/compare-truth.ts';
import { listenTo, type SecondAccount } from '../support/compare/second-account.ts';
import type { Lockscope, ReportedEvent } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { Clients } from './clients.ts';
import { compareCommands } from './compare-commands.ts';
import type { Scenario } from './scenario.ts';
import { ScenarioRun } from './scenario-run.ts';

const STORIES_FOLDER = fileURLToPath(new URL('./target/stories', import.meta.url));
/** RedLocks use all servers. All other locks are on the first server. */
const SERVERS = 3;

/** Calls of each command, over several servers. */
type Calls = ReadonlyMap<string, number>;

type Started = {
  readonly servers: readonly RunningRedis[];
  readonly accounts: readonly SecondAccount[];
  readonly lockscope: Lockscope;
  readonly calls: Calls;
};

/** Three servers, one Lockscope and the clients of one Redisson version, which all its scenarios share. */
export class TestBed {
  readonly version: string;
  readonly lockscope: Lockscope;
  readonly #servers: readonly RunningRedis[];
  readonly #clients: Clients;
  /** One account for each server. */
  readonly #accounts: readonly SecondAccount[];
  /** When clients were killed (microseconds), by their uuids and by the names of their connections. */
  readonly #killed = new Map<string, number>();
  readonly #callsBefore: Calls;
  /** The locks of all scenarios that have run. */
  readonly #locks = new Set<string>();

  /** `keyEvents`: the servers' `notify-keyspace-events`, empty for none. */
  static async open(version: string, keyEvents: string): Promise<TestBed> {
    const servers: RunningRedis[] = [];
    try {
      while (servers.length < SERVERS) servers.push(await startRedis({ 'notify-keyspace-events': keyEvents }));
      const [first = '', ...more] = servers.map(({ url }) => url);
      const accounts = await Promise.all(servers.map((server) => listenTo(server)));
      const lockscope = await startLockscopeProcess(first, [...more, '--observe', 'monitor']);
      return new TestBed(version, { servers, accounts, lockscope, calls: await callsOf(servers) });
    } catch (error) {
      await Promise.all(servers.map((server) => server.stop()));
      throw error;
    }
  }

  private constructor(version: string, { servers, accounts, lockscope, calls }: Started) {
    this.#callsBefore = calls;
    this.version = version;
    this.lockscope = lockscope;
    this.#accounts = accounts;
    this.#servers = servers;
    const urls = servers.map(({ url }) => url);
    this.#clients = new Clients(version, urls);
  }

  /**
   * Runs a scenario. Returns every difference between what was reported and what the clients saw, or why the scenario
   * is skipped.
   */
  async play(scenario: Scenario): Promise<string[] | { leftOut: string }> {
    const run = new ScenarioRun(scenario, this.#clients, this.lockscope, this.#killed);
    const whyNot = await run.whyNot(this.version);
    if (whyNot !== null) return { leftOut: whyNot };
    try {
      const { problems, lines, events } = await run.play();
      if (problems.length > 0) await this.#keep(scenario.id, { problems, lines, events });
      return problems;
    } catch (error) {
      const events = await this.lockscope.eventsAfter(0).catch(() => []);
      await this.#keep(scenario.id, { error: String(error), lines: await run.lines(), events });
      throw error;
    } finally {
      for (const lock of await run.locks()) this.#locks.add(lock);
    }
  }

  /** Compares how often the servers ran each command with the events. Waits for events that are missing. */
  async commandProblems(): Promise<string[]> {
    let problems: string[] = [];
    await waitFor('every command to be reported', async () => {
      const events = await this.lockscope.eventsAfter(0);
      problems = compareCommands(this.#callsBefore, await callsOf(this.#servers), events);
      return problems.length === 0;
    }).catch(() => undefined);
    return problems;
  }

  /** Compares every event of all scenarios with the second account of what each server sent. */
  async accountProblems(): Promise<string[]> {
    const readAt = Date.now() * 1000;
    const events = await this.lockscope.eventsAfter(0);
    const { sources } = await this.lockscope.health();
    const known = { release: this.version, killed: this.#killed, readAt };
    const problems: string[] = [];
    for (const [n, account] of this.#accounts.entries()) {
      const own = events.filter(({ source }) => source === sources[n]?.id);
      const found = await account.differences(own, known);
      if (found.length > 0) {
        const trace = await account.trace();
        await this.#keep(`account-${n}`, { problems: found, events: own, killed: [...this.#killed], trace });
      }
      problems.push(...found);
    }
    return problems;
  }

  /** Problems of the whole stream of events: its order, or locks that no scenario used. */
  async streamProblems(): Promise<string[]> {
    const events = await this.lockscope.eventsAfter(0);
    const isOfStory = ({ lock }: ReportedEvent) => lock.startsWith('end-mark:') || this.#locks.has(lock);
    // Without the name of a lock, an event is about a client, a server or a whole source.
    const invented = events.filter((event) => event.lock !== '' && !isOfStory(event));
    return [...orderProblems(events), ...invented.map((event) => `of no story: ${JSON.stringify(event)}`)];
  }

  async close(): Promise<void> {
    await this.#clients.killAll();
    await this.lockscope.stop();
    for (const account of this.#accounts) account.close();
    await Promise.all(this.#servers.map((server) => server.stop()));
  }

  /** For debugging, writes what was seen and reported in a story with differences to a file. */
  async #keep(id: string, story: object): Promise<void> {
    await mkdir(STORIES_FOLDER, { recursive: true });
    await writeFile(join(STORIES_FOLDER, `${this.version}-${id}.json`), JSON.stringify(story, null, 1));
  }
}

async function callsOf(servers: readonly RunningRedis[]): Promise<Calls> {
  const calls = new Map<string, number>();
  for (const server of servers) {
    for (const [name, count] of await server.commandCalls()) calls.set(name, (calls.get(name) ?? 0) + count);
  }
  return calls;
}
