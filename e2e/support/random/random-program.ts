import { type DemoProcess, startDemoProcess } from '../lockscope/demo-process.ts';
import { pause } from '../wait-for.ts';
import type { RandomLock } from './random-lock.ts';
import { RandomThread } from './random-thread.ts';
import { type Chance, chanceFrom } from './seeded.ts';

const THREADS = 3;
const WATCHDOG_MS = 600;
const LEASE_AND_MORE_MS = [650, 1200] as const;

export type RandomProgram = {
  /** All clients that were started so far, also the killed ones. */
  clients: DemoProcess[];
  /** When each killed client was killed, in µs of the machine's clock. */
  killed: Map<DemoProcess, number>;
  /** Orders that were answered, or lost with their process. */
  operations: number;
  kills: number;
  freezes: number;
  checks: number;
};

/**
 * Runs `clients` processes with three threads each until they have done `operations` operations. Some are killed and
 * replaced by a new process. Others are frozen for `frozenMs`.
 */
export async function runRandomProgram(options: {
  redisUrl: string;
  seed: string;
  clients: number;
  operations: number;
  locks: readonly RandomLock[];
  /** The lease of a hold without a lease time, in ms. Default: 600. */
  watchdogMs?: number;
  /** How long (ms) a client is frozen, at least and at most. Default: 650 and 1,200, longer than the default lease. */
  frozenMs?: readonly [number, number];
  /**
   * No client is killed or frozen, no lease is shorter than its hold, and threads do nothing wrong: see `RandomThread`.
   */
  isHealthy?: boolean;
  /** Called between faults, while all clients are frozen. */
  check?: () => Promise<void>;
  /**
   * Makes a further fault. Called for the first fault and for about three in four of the later ones, instead of a fault
   * of a client. Returns how long (ms) threads begin no operation afterwards.
   */
  strike?: (chance: Chance, alive: readonly DemoProcess[]) => Promise<number>;
  /** How many operations there are between two faults, at least and at most. Default: 300 and 900. */
  apart?: readonly [number, number];
  /**
   * How long (ms) a thread pauses at most after each operation while `strike` goes on, so that most operations run
   * outside of a long fault.
   */
  struckMs?: number;
  /** How long threads stay in the queue of a fair lock: see `RandomThread`. */
  queueMs?: readonly [number, number];
  /** Starts a client. Absent: starts it in a process of its own. */
  startClient?: typeof startDemoProcess;
  /** `wait` lets time pass, and `micros` returns the present. Absent: by the clock of this machine. */
  wait?: (ms: number) => Promise<void>;
  micros?: () => number;
}): Promise<RandomProgram> {
  const program: RandomProgram = { clients: [], killed: new Map(), operations: 0, kills: 0, freezes: 0, checks: 0 };
  const { watchdogMs = WATCHDOG_MS, isHealthy = false, strike, apart = [300, 900] } = options;
  const { startClient = startDemoProcess, wait = pause, micros = () => Date.now() * 1000 } = options;
  const threadOptions = { isHealthy, ...(options.queueMs && { queueMs: options.queueMs }) };
  const isOver = () => program.operations >= options.operations;
  const slots = Array.from({ length: options.clients }, (_, slot) => runSlot(slot));
  const current: (DemoProcess | undefined)[] = [];
  /**
   * Settles when no check is under way. A client that starts during a check waits for its end, like the frozen clients.
   */
  let checked: Promise<void> = Promise.resolve();
  /** Settles when threads may begin operations. */
  let rested: Promise<void> = Promise.resolve();
  /** Settles at the end of the current fault by `strike`; undefined while there is none. */
  let struck: Promise<unknown> | undefined;
  await Promise.all(isHealthy ? slots : [...slots, runFaults(chanceFrom(options.seed, 'faults'))]);
  return program;

  /** Runs one client after another: each killed client is replaced by a new one with a new uuid. */
  async function runSlot(slot: number): Promise<void> {
    for (let life = 1; !isOver(); life++) {
      const name = `client-${slot + 1}.${life}`;
      const client = await startClient({
        name,
        redisUrl: options.redisUrl,
        threads: THREADS,
        watchdogMs,
      });
      program.clients.push(client);
      current[slot] = client;
      await checked;
      const numbers = Array.from({ length: THREADS }, (_, index) => index + 1);
      await Promise.all(
        numbers.map((thread) =>
          runThread(
            client,
            new RandomThread(thread, options.locks, chanceFrom(options.seed, name, thread), threadOptions),
          ),
        ),
      );
    }
  }

  async function runThread(client: DemoProcess, thread: RandomThread): Promise<void> {
    const isAlive = () => !program.killed.has(client);
    while (isAlive() && !isOver()) {
      await rested;
      const order = thread.next();
      const answer = await client.ask(order);
      program.operations++;
      thread.learn(order, answer);
      const rest = thread.rest();
      if (rest > 0) await wait(rest);
      if (struck && options.struckMs) await Promise.race([struck, wait(options.struckMs)]);
    }
    for (let last = thread.nextRelease(); last && isAlive(); last = thread.nextRelease()) {
      thread.learn(last, await client.ask(last));
      program.operations++;
    }
  }

  function aliveNow(): DemoProcess[] {
    return current.filter((client) => client !== undefined).filter((client) => !program.killed.has(client));
  }

  async function checkWhileFrozen(): Promise<void> {
    if (options.check === undefined) return;
    const alive = aliveNow();
    for (const client of alive) client.freeze();
    let end = () => {};
    checked = new Promise((resolve) => {
      end = resolve;
    });
    try {
      await options.check();
      program.checks++;
    } finally {
      for (const client of alive) client.thaw();
      end();
    }
  }

  async function runFaults(chance: Chance): Promise<void> {
    let next = 0;
    let hasStruck = false;
    while (!isOver()) {
      next = program.operations + chance.whole(...apart);
      while (!isOver() && program.operations < next) await wait(10);
      await checkWhileFrozen();
      if (!isOver() && strike && (!hasStruck || chance.isTrue(0.75))) {
        hasStruck = true;
        const striking = strike(chance, aliveNow());
        struck = striking;
        const restMs = await striking.finally(() => {
          struck = undefined;
        });
        if (restMs > 0) {
          rested = wait(restMs);
          await rested;
        }
        continue;
      }
      const client = current[chance.whole(0, options.clients - 1)];
      if (isOver() || !client || program.killed.has(client)) continue;
      if (chance.isTrue(0.4)) {
        program.killed.set(client, micros());
        program.kills++;
        await client.kill();
      } else {
        program.freezes++;
        client.freeze();
        await wait(chance.whole(...(options.frozenMs ?? LEASE_AND_MORE_MS)));
        client.thaw();
      }
    }
  }
}
