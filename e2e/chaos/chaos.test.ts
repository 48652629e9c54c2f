import { expect, test } from 'vitest';
import { type Lockscope, startLockscope, type ToldEvent } from '../support/clients/lockscope.ts';
import { differencesFromRedis, waitUntilSame } from '../support/compare/world-checks.ts';
import { endsAfterEach } from '../support/random/ends-after-each.ts';
import { keepStory } from '../support/random/keep-story.ts';
import { EVERY_KIND, isCounting } from '../support/random/random-lock.ts';
import { runRandomProgram } from '../support/random/random-program.ts';
import { seedOfRun } from '../support/random/seeded.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';
import { EVICTION, type Strike, strike } from './faults.ts';
import { chaosProblems, type Stretch } from './story.ts';

/** How many operations each level gets at least; `CHAOS_OPERATIONS=1000000` for a night. */
const OPERATIONS = Number(process.env.CHAOS_OPERATIONS || 5000);
const CLIENTS = 8;
/** How many operations there are between two faults. */
const APART = [150, 450] as const;
/** At level events, what changed unseen is found by the next round of reads: every 10 s. */
const SAME_WITHIN_MS = 30_000;
const EACH_OPERATION_MS = 40;
const LOOK_EVERY_MS = 200;

const seed = seedOfRun();
const keep = endsAfterEach();

test.each(['monitor', 'events'] as const)(
  'eight clients and random faults at level %s: the same locks after each fault, no false event, every gap marked',
  { timeout: 120_000 + OPERATIONS * EACH_OPERATION_MS },
  async (level) => {
    console.log(`chaos at level ${level}: SEED=${seed}, at least ${OPERATIONS} operations`);
    // Semaphores and latches send no key event that is subscribed to: at level events they are read every 10 s.
    const locks = level === 'monitor' ? EVERY_KIND : EVERY_KIND.filter((lock) => !isCounting(lock));
    const redis = keep(await startRedis({ 'notify-keyspace-events': 'KEA' }, { keeps: true }), (one) => one.stop());
    const watching = keep(await startCuttingProxy(redis.port), (one) => one.close());
    const applications = keep(await startCuttingProxy(redis.port), (one) => one.close());
    const url = `redis://127.0.0.1:${watching.port}`;
    const lockscope = keep(await startLockscope(url, ['--observe', level]), (one) => one.stop());
    const events = new Reading(lockscope);
    const strikes: Strike[] = [];
    const levels = new Levels(lockscope, level);
    keep(levels, (one) => one.stop());

    const check = async () => {
      await waitFor('Lockscope to observe', async (missing) => {
        const [source] = (await lockscope.health()).sources;
        // After several cuts, Lockscope gives MONITOR up for a while.
        if (source?.level !== level) await lockscope.post('/api/sources/redis/observe', { level });
        return (source?.status === 'observing' && source.level === level) || missing(JSON.stringify(source));
      });
      const after = strikes.at(-1)?.name ?? 'no fault';
      const differences = () => differencesFromRedis(lockscope, redis);
      await waitUntilSame(`Lockscope and Redis after "${after}", SEED=${seed}`, differences, SAME_WITHIN_MS);
      await events.read();
    };
    const program = await runRandomProgram({
      redisUrl: `redis://127.0.0.1:${applications.port}`,
      seed,
      clients: CLIENTS,
      operations: OPERATIONS,
      locks,
      watchdogMs: 3000,
      check,
      apart: APART,
      strike: async (chance) => void strikes.push(await strike({ redis, watching, applications }, chance)),
    });
    for (const client of program.clients) keep(client, () => client.kill());
    await check();
    const [source] = (await lockscope.health()).sources;
    const all = await events.read();
    const { operations, checks, kills, freezes } = program;
    console.log(
      `chaos at level ${level}: SEED=${seed}: ${operations} operations, ${all.length} events, ${strikes.length} faults, ` +
        `${kills} kills, ${freezes} freezes, ${checks} checks, drift ${source?.drift}`,
    );
    const problems = level === 'monitor' ? chaosProblems(program.clients, all, strikes, levels.elsewhere) : [];
    const drifts = all.filter((event) => event.type === 'drift.healed' && event.cause === 'unexplained');
    problems.push(...drifts.map((event) => `unexplained: ${JSON.stringify(event)}`));
    const where =
      problems.length === 0 ? '' : keepStory({ seed, problems, strikes, events: all, told: program.clients });
    expect(problems.slice(0, 20), `SEED=${seed}: ${problems.length} problems, story in ${where}`).toEqual([]);
    expect(source, `SEED=${seed}`).toMatchObject({ drift: 0, status: 'observing' });
    // A Redis without memory refuses to read too.
    if (!strikes.some(({ name }) => name === EVICTION)) expect(source?.rejected).toBe(0);
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(strikes.length).toBeGreaterThan(0);
  },
);

/** When the source was at another level than it was asked for, by looks at its health. */
class Levels {
  readonly elsewhere: Stretch[] = [];
  #isStopped = false;
  readonly #looking: Promise<void>;

  constructor(from: Lockscope, level: string) {
    this.#looking = this.#look(from, level);
  }

  async #look(from: Lockscope, level: string): Promise<void> {
    let before = Date.now() * 1000;
    while (!this.#isStopped) {
      const [source] = (await from.health()).sources;
      const now = Date.now() * 1000;
      if (source?.level !== level) this.elsewhere.push({ from: before, to: now });
      before = now;
      await pause(LOOK_EVERY_MS);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#looking;
  }
}

/** All events so far: the history is bounded, so they are read after each fault. */
class Reading {
  readonly #from: Lockscope;
  readonly #events: ToldEvent[] = [];

  constructor(from: Lockscope) {
    this.#from = from;
  }

  async read(): Promise<readonly ToldEvent[]> {
    this.#events.push(...(await this.#from.eventsAfter(this.#events.at(-1)?.seq ?? 0)));
    return this.#events;
  }
}
