import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lock } from '../../shared/wire/lock.ts';
import { compareSpans } from '../support/compare-spans.ts';
import { compareTruth } from '../support/compare-truth.ts';
import { type Lockscope, startLockscope, type ToldEvent } from '../support/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { JavaClient } from '../support/redisson.ts';
import type { JavaThread } from '../support/redisson-thread.ts';
import { waitFor } from '../support/wait-for.ts';
import { compareCommands } from './compare-commands.ts';
import { type Picture, type Scenario, SHORT_WATCHDOG_MS, type Stage } from './stage.ts';

const KEPT = fileURLToPath(new URL('./target/stories', import.meta.url));

/**
 * One Redis, one Lockscope and the clients of one Redisson version, for as many scenarios as are played on them.
 * Clients stay from scenario to scenario: starting a JVM takes longer than most stories.
 */
export class Theatre {
  readonly version: string;
  readonly redis: RunningRedis;
  readonly lockscope: Lockscope;
  #cast = new Map<string, JavaClient>();
  /** Locks of the stories told so far. */
  readonly #earlier = new Set<string>();
  #played = 0;

  /** `keyEvents`: the server's `notify-keyspace-events`, empty for none. */
  static async open(version: string, keyEvents: string): Promise<Theatre> {
    const redis = await startRedis({ 'notify-keyspace-events': keyEvents });
    try {
      return new Theatre(version, redis, await startLockscope(redis.url));
    } catch (error) {
      await redis.stop();
      throw error;
    }
  }

  private constructor(version: string, redis: RunningRedis, lockscope: Lockscope) {
    this.version = version;
    this.redis = redis;
    this.lockscope = lockscope;
  }

  /**
   * Plays a scenario, then compares what Lockscope tells of it with what the clients saw and with how often Redis
   * ran which command. Gives back every difference in words.
   */
  async play(scenario: Scenario): Promise<string[]> {
    const before = { seq: await this.lockscope.newestSeq(), calls: await this.redis.commandCalls() };
    const told = new Map([...this.#cast.values()].map((client) => [client, client.truth.length]));
    const stage: Stage = {
      client: (name) => this.#client(name),
      sees: (lock, picture) => this.#sees(lock, picture),
      told: (lock, type, holder) => this.#told(before.seq, lock, type, holder),
    };
    try {
      await scenario.play(stage);
    } catch (error) {
      // Threads may still wait for locks that nobody will release.
      await this.#killAll();
      throw error;
    }
    await this.#curtain(before.seq);

    const clients = [...new Set([...told.keys(), ...this.#cast.values()])];
    const lines = clients.flatMap(({ truth }) => truth.slice(0, 1));
    lines.push(...clients.flatMap((client) => client.truth.slice(Math.max(1, told.get(client) ?? 0))));
    const killed = clients.filter((client) => !client.isAlive()).map(({ name }) => name);
    const quiet = await this.#untilQuiet(before.seq, before.calls);
    const events = await this.lockscope.eventsAfter(before.seq);
    const earlier = new Set(this.#earlier);
    const played = new Set(events.map(({ lock }) => lock).filter((lock) => !earlier.has(lock)));
    for (const lock of played) this.#earlier.add(lock);
    const spans = (await this.lockscope.spans()).filter(({ lock }) => played.has(lock));
    const problems = [
      ...compareTruth(lines, events, { killed, earlier, surelyTriedMs: 1000 }),
      ...compareSpans(lines, spans),
      ...quiet,
    ];
    if (problems.length > 0) await this.#keep(scenario.id, { problems, lines, events, spans });
    return problems;
  }

  async close(): Promise<void> {
    await this.#killAll();
    await this.lockscope.stop();
    await this.redis.stop();
  }

  /** Leaves what was seen and told of a story that did not fit, for a closer look. */
  async #keep(id: string, story: object): Promise<void> {
    await mkdir(KEPT, { recursive: true });
    await writeFile(join(KEPT, `${this.version}-${id}.json`), JSON.stringify(story, null, 1));
  }

  async #killAll(): Promise<void> {
    await Promise.all([...this.#cast.values()].map((client) => client.kill()));
    this.#cast.clear();
  }

  async #client(name: string): Promise<JavaClient> {
    const known = this.#cast.get(name);
    if (known?.isAlive()) return known;
    const watchdog = name.startsWith('short') ? { watchdogMs: SHORT_WATCHDOG_MS } : {};
    const client = await JavaClient.start({ version: this.version, redisUrl: this.redis.url, name, ...watchdog });
    this.#cast.set(name, client);
    return client;
  }

  #sees(name: string, picture: Picture): Promise<Lock> {
    return waitFor(`Lockscope to show ${JSON.stringify(name)} as the clients see it`, async (missing) => {
      const lock = await this.lockscope.lock(name);
      const why = lock ? differences(lock, picture) : ['it does not know the lock'];
      return why.length === 0 ? lock : missing(`${why.join('; ')}; it shows ${JSON.stringify(lock)}`);
    });
  }

  #told(after: number, lock: string, type: ToldEvent['type'], holder?: JavaThread): Promise<ToldEvent> {
    return waitFor(`${type} to be told of ${JSON.stringify(lock)}`, async (missing) => {
      const events = await this.lockscope.eventsAfter(after, { lock });
      const found = events.find((event) => event.type === type && (!holder || isAbout(event, holder)));
      return found ?? missing(`told: ${events.map((event) => event.type).join(', ')}`);
    });
  }

  /** A lock taken and released after the story: once it is told, everything before it has been. */
  async #curtain(after: number): Promise<void> {
    const thread = (await this.#client('app1')).thread('Z');
    const name = `curtain:${this.#played++}`;
    await thread.lock(name);
    await thread.unlock(name);
    await this.#told(after, name, 'lock.released', thread);
  }

  /** What is not as it should be when all is over: nothing held, nobody waiting, each command told. */
  async #untilQuiet(after: number, before: ReadonlyMap<string, number>): Promise<string[]> {
    let problems: string[] = [];
    const look = async (): Promise<boolean> => {
      const events = await this.lockscope.eventsAfter(after);
      const played = new Set(events.map(({ lock }) => lock));
      const locks = (await this.lockscope.locks()).filter(({ name }) => played.has(name));
      const busy = locks.filter(({ held, holders, waiters }) => held || holders.length > 0 || waiters.length > 0);
      problems = busy.map((lock) => `Lockscope shows after the end: ${JSON.stringify(lock)}`);
      problems.push(...compareCommands(before, await this.redis.commandCalls(), events));
      return problems.length === 0;
    };
    await waitFor('quiet', look).catch(() => undefined);
    return problems;
  }
}

function isAbout(event: ToldEvent, thread: JavaThread): boolean {
  return 'holder' in event && event.holder === thread.holder;
}

/** What a lock's view lacks to be the picture, in words. */
function differences(lock: Lock, picture: Picture): string[] {
  const why: string[] = [];
  const check = (what: string, shown: unknown, wanted: unknown): void => {
    if (JSON.stringify(shown) !== JSON.stringify(wanted))
      why.push(`${what} is ${JSON.stringify(shown)}, not ${wanted}`);
  };
  const [holder, ...more] = lock.holders;
  check('held', lock.held, picture.holder !== null);
  check('holder', holder?.id ?? null, picture.holder?.holder ?? null);
  check('number of further holders', more.length, 0);
  if (picture.holdCount !== undefined) check('hold count', holder?.holdCount, picture.holdCount);
  if (picture.leaseMs !== undefined) check('lease', lock.lease.ms, picture.leaseMs);
  if (picture.watchdog !== undefined) check('watchdog', holder?.watchdog, picture.watchdog);
  if (picture.renewals !== undefined && (holder?.renewals ?? -1) < picture.renewals) {
    why.push(`${holder?.renewals} renewals, not ${picture.renewals}`);
  }
  if (picture.waiters) {
    const awake = lock.waiters.filter(({ asleep, attempts }) => !asleep || attempts < 2);
    check('waiters', lock.waiters.map(({ id }) => id).sort(), picture.waiters.map((thread) => thread.holder).sort());
    check('waiters awake', awake.length, 0);
  }
  return why;
}
