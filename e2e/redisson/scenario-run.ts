import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { JavaClient } from '../support/clients/redisson.ts';
import type { JavaThread } from '../support/clients/redisson-thread.ts';
import { compareSpans } from '../support/compare/compare-spans.ts';
import { compareTruth } from '../support/compare/compare-truth.ts';
import { isOnSeveralLocks } from '../support/compare/member-story.ts';
import { locksOf, parseTruth } from '../support/compare/truth.ts';
import { untilReadAgain } from '../support/compare/world-checks.ts';
import type { Lockscope, ReportedEvent } from '../support/lockscope/lockscope.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Clients } from './clients.ts';
import { differences, type Picture } from './picture.ts';
import type { KillableClient, Scenario, ScenarioClient, ScenarioSetup } from './scenario.ts';

/** What was seen and reported in one run of a scenario. */
type RunRecord = { problems: string[]; lines: string[]; events: ReportedEvent[] };

/**
 * One run of a scenario, concurrent with others. It uses the same clients as the others, but its own threads, whose
 * letters begin with its id.
 */
export class ScenarioRun implements ScenarioSetup {
  readonly #scenario: Scenario;
  readonly #clients: Clients;
  readonly #lockscope: Lockscope;
  readonly #killed: Map<string, number>;
  readonly #victims: JavaClient[] = [];

  /** `killed` receives the times at which clients are killed. */
  constructor(scenario: Scenario, clients: Clients, lockscope: Lockscope, killed: Map<string, number>) {
    this.#killed = killed;
    this.#scenario = scenario;
    this.#clients = clients;
    this.#lockscope = lockscope;
  }

  /** The reason why this version cannot run the scenario; null if it can. */
  async whyNot(version: string): Promise<string | null> {
    const { needs, skipped } = this.#scenario;
    if (skipped?.in.test(version)) return skipped.because;
    if (needs === undefined) return null;
    const has = await (await this.#controlThread()).perform('has', 'any/any', [], needs);
    return has === 'true' ? null : `it has no ${needs}`;
  }

  /** Runs the scenario, then compares its events with what the clients saw. Returns every difference in words. */
  async play(): Promise<RunRecord> {
    try {
      await this.#scenario.play(this);
      await this.#syncMark();
      return await this.#compare();
    } finally {
      await Promise.all(this.#victims.map((client) => this.#kill(client)));
    }
  }

  /** What the threads of this run saw so far, the events of their locks, and the differences. */
  async #compare(): Promise<RunRecord> {
    const killed = this.#victims.filter((client) => !client.isAlive()).map(({ name }) => name);
    const lines = await this.lines();
    const locks = await this.locks();
    const record: RunRecord = { problems: [], lines, events: [] };
    const compare = async () => {
      const events = (await Promise.all([...locks].map((lock) => this.story(lock)))).flat();
      record.events = events.toSorted((a, b) => a.seq - b.seq);
      const spans = (await this.#lockscope.spans()).filter(({ lock }) => locks.has(lock));
      record.problems = [
        ...compareTruth(lines, record.events, { killed, isExcerpt: true, surelyTriedMs: 2000 }),
        ...compareSpans(lines, spans),
        ...inventedGroups(lines, record.events),
        ...(await this.#leftOver(locks)),
      ];
      return record.problems.length === 0;
    };
    // Events of several servers arrive independently, and an end may be inferred only after some time.
    const isSame = await waitFor('everything to be reported', compare).catch(() => false);
    if (!isSame) return record;
    await untilReadAgain(this.#lockscope);
    await compare();
    return record;
  }

  /** The truth lines of this run's threads, after those that name the clients. */
  async lines(): Promise<string[]> {
    const clients = await this.#clients.all();
    const own = (line: string) => line.split(' ')[2]?.startsWith(`${this.#scenario.id}.`) === true;
    const isCompared = (line: string) => !/ [<>] (has|name) /.test(line) && !line.includes(` lock ${END_MARK}:`);
    return [
      ...clients.flatMap(({ truth }) => truth.slice(0, 1)),
      ...clients.flatMap(({ truth }) => truth.slice(1).filter((line) => own(line) && isCompared(line))),
    ];
  }

  /** Every lock that this run's threads have used so far. */
  async locks(): Promise<Set<string>> {
    return new Set(parseTruth(await this.lines()).calls.flatMap(locksOf));
  }

  async client(name: 'app1' | 'app2' | 'short'): Promise<ScenarioClient> {
    return this.#clientOf(await this.#clients.client(name, name === 'short'));
  }

  async victim(): Promise<KillableClient> {
    const client = await this.#clients.client(`${this.#scenario.id}-${this.#victims.length + 1}`, true);
    this.#victims.push(client);
    const faults = { freeze: () => client.freeze(), thaw: () => client.thaw(), kill: () => this.#kill(client) };
    return { ...this.#clientOf(client), ...faults };
  }

  async #kill(client: JavaClient): Promise<void> {
    if (client.isAlive()) for (const id of [client.name, ...client.uuids]) this.#killed.set(id, Date.now() * 1000);
    await client.kill();
  }

  sees(name: string, picture: Picture) {
    return waitFor(`Lockscope to show ${JSON.stringify(name)} as the clients see it`, async (missing) => {
      const lock = await this.#lockscope.lock(name);
      const why = lock ? differences(lock, picture) : ['it does not know the lock'];
      return why.length === 0 ? lock : missing(`${why.join('; ')}; it shows ${JSON.stringify(lock)}`);
    });
  }

  reported(
    lock: string,
    type: ReportedEvent['type'],
    holder?: JavaThread,
    fields: object = {},
  ): Promise<ReportedEvent> {
    return waitFor(`${type} to be reported of ${JSON.stringify(lock)}`, async (missing) => {
      const events = await this.story(lock);
      const isWanted = (event: ReportedEvent) => event.type === type && (!holder || isAbout(event, holder));
      const found = events.find((event) => isWanted(event) && has(event, fields));
      return found ?? missing(`reported: ${events.map((event) => event.type).join(', ')}`);
    });
  }

  story(lock: string): Promise<ReportedEvent[]> {
    return this.#lockscope.eventsAfter(0, { lock });
  }

  /** Acquires and releases a lock after the story: once this is reported, everything before it has been reported. */
  async #syncMark(): Promise<void> {
    const thread = await this.#controlThread();
    const name = `${END_MARK}:${this.#scenario.id}`;
    await thread.lock(name);
    await thread.unlock(name);
    await this.reported(name, 'lock.released', thread);
  }

  /** Locks of the story that still have a holder or a waiter at the end, in words. */
  async #leftOver(locks: ReadonlySet<string>): Promise<string[]> {
    const shown = (await this.#lockscope.locks()).filter(({ name }) => locks.has(name));
    const isBusy = ({ holders, waiters }: Lock) => holders.length > 0 || waiters.some((waiter) => !waiter.presumedGone);
    return shown.filter(isBusy).map((lock) => `Lockscope shows after the end: ${JSON.stringify(lock)}`);
  }

  async #controlThread(): Promise<JavaThread> {
    return (await this.client('app1')).thread('control');
  }

  #clientOf(client: JavaClient): ScenarioClient {
    const { name, uuid } = client;
    return { name, uuid, thread: (letter) => client.thread(`${this.#scenario.id}.${letter}`) };
  }
}

const END_MARK = 'end-mark';

function isAbout(event: ReportedEvent, thread: JavaThread): boolean {
  return 'holder' in event && event.holder === thread.holder;
}

function has(event: ReportedEvent, fields: object): boolean {
  const reported = new Map(Object.entries(event));
  return Object.entries(fields).every(([name, value]) => reported.get(name) === value);
}

/** Groups that were reported although no client used a multi lock or a RedLock. */
function inventedGroups(lines: readonly string[], events: readonly ReportedEvent[]): string[] {
  if (parseTruth(lines).calls.some(isOnSeveralLocks)) return [];
  return events.filter(({ group }) => group !== undefined).map((event) => `of no group: ${JSON.stringify(event)}`);
}
