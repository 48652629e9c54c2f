import { type DemoProcess, startDemoProcess } from '../clients/demo-process.ts';
import { pause } from '../wait-for.ts';
import type { RandomLock } from './random-lock.ts';
import { RandomThread } from './random-thread.ts';
import { type Chance, chanceFrom } from './seeded.ts';

export const THREADS = 3;
const WATCHDOG_MS = 600;
const LEASE_AND_MORE_MS = [650, 1200] as const;

export type RandomProgram = {
  /** Every client there ever was, the killed ones too. */
  clients: DemoProcess[];
  killed: Set<DemoProcess>;
  /** Orders that were answered, or lost with their process. */
  operations: number;
  kills: number;
  freezes: number;
  checks: number;
};

/**
 * Runs `clients` processes of three threads each until they have done `operations` operations, with kills (and a new
 * process in place of the killed one) and freezes longer than the watchdog's lease.
 */
export async function runRandomProgram(options: {
  redisUrl: string;
  seed: string;
  clients: number;
  operations: number;
  locks: readonly RandomLock[];
  /** How long a lease without a length of its own is, in milliseconds. */
  watchdogMs?: number;
  /** Looks at the world, now and then, while no client does anything. */
  check?: () => Promise<void>;
}): Promise<RandomProgram> {
  const program: RandomProgram = { clients: [], killed: new Set(), operations: 0, kills: 0, freezes: 0, checks: 0 };
  const { watchdogMs = WATCHDOG_MS } = options;
  const isOver = () => program.operations >= options.operations;
  const slots = Array.from({ length: options.clients }, (_, slot) => runSlot(slot));
  const current: (DemoProcess | undefined)[] = [];
  await Promise.all([...slots, runFaults(chanceFrom(options.seed, 'faults'))]);
  return program;

  /** One client after the other: a killed one is followed by a new one with a new uuid. */
  async function runSlot(slot: number): Promise<void> {
    for (let life = 1; !isOver(); life++) {
      const name = `client-${slot + 1}.${life}`;
      const client = await startDemoProcess({
        name,
        redisUrl: options.redisUrl,
        threads: THREADS,
        watchdogMs,
      });
      program.clients.push(client);
      current[slot] = client;
      const numbers = Array.from({ length: THREADS }, (_, index) => index + 1);
      await Promise.all(
        numbers.map((thread) =>
          runThread(client, new RandomThread(thread, options.locks, chanceFrom(options.seed, name, thread))),
        ),
      );
    }
  }

  async function runThread(client: DemoProcess, thread: RandomThread): Promise<void> {
    const isAlive = () => !program.killed.has(client);
    while (isAlive() && !isOver()) {
      const order = thread.next();
      const answer = await client.ask(order);
      program.operations++;
      thread.learn(order, answer);
      const rest = thread.rest();
      if (rest > 0) await pause(rest);
    }
    for (let last = thread.nextRelease(); last && isAlive(); last = thread.nextRelease()) {
      thread.learn(last, await client.ask(last));
      program.operations++;
    }
  }

  async function checkInPeace(): Promise<void> {
    if (options.check === undefined) return;
    const alive = current.filter((client) => client !== undefined).filter((client) => !program.killed.has(client));
    for (const client of alive) client.freeze();
    try {
      await options.check();
      program.checks++;
    } finally {
      for (const client of alive) client.thaw();
    }
  }

  async function runFaults(chance: Chance): Promise<void> {
    let next = 0;
    while (!isOver()) {
      next += chance.whole(300, 900);
      while (!isOver() && program.operations < next) await pause(10);
      await checkInPeace();
      const client = current[chance.whole(0, options.clients - 1)];
      if (isOver() || !client || program.killed.has(client)) continue;
      if (chance.isTrue(0.4)) {
        program.killed.add(client);
        program.kills++;
        await client.kill();
      } else {
        program.freezes++;
        client.freeze();
        await pause(chance.whole(...LEASE_AND_MORE_MS));
        client.thaw();
      }
    }
  }
}
