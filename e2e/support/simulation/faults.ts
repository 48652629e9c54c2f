import type { Fault } from '../faults/fault.ts';
import { EVERY_KIND, isCounting } from '../random/random-lock.ts';
import type { Chance } from '../random/seeded.ts';
import type { Simulation } from './simulation.ts';

/** How long a process stops. A longer time without an answer would end level `monitor`, to protect the server. */
const SHORT_MS = [50, 900] as const;

/** Lockscope loses nothing of what Redis sends, but receives it late, or sees commands of a person or wrong clocks. */
export const HARMLESS: readonly Fault<Simulation>[] = [
  {
    name: 'Redis stops, and goes on',
    strike: ({ surroundings, wait }, chance) =>
      during(
        () => surroundings.time.freeze(surroundings.host.process),
        wait(chance.whole(...SHORT_MS)),
        () => surroundings.time.thaw(surroundings.host.process),
      ),
  },
  {
    name: 'Lockscope stops, and goes on',
    strike: ({ surroundings, lockscope, wait }, chance) =>
      during(
        () => surroundings.time.freeze(lockscope.process),
        wait(chance.whole(...SHORT_MS)),
        () => surroundings.time.thaw(lockscope.process),
      ),
  },
  {
    name: 'the network is slow',
    async strike({ surroundings, wait }, chance) {
      surroundings.network.slowness = chance.whole(5, 60);
      await wait(chance.whole(100, 1500));
      const { longestMs } = surroundings.network;
      surroundings.network.slowness = 1;
      await wait(longestMs); // until the last message that was slow has arrived
    },
  },
  {
    name: 'the clock of an application jumps',
    async strike({ alive }, chance) {
      if (alive.length > 0) chance.oneOf(alive).setClock(chance.isTrue(0.3) ? 0 : chance.whole(-5000, 5000));
    },
  },
  { name: 'a person deletes a lock', strike: (simulation, chance) => simulation.operate('DEL', nameOf(chance)) },
  {
    name: 'a person changes the lease of a lock',
    strike: (simulation, chance) =>
      simulation.operate('PEXPIRE', nameOf(chance), String(chance.isTrue(0.3) ? 1 : chance.whole(10, 5000))),
  },
  {
    name: 'a person makes a lock permanent',
    async strike(simulation, chance) {
      const name = nameOf(chance);
      await simulation.operate('PERSIST', name);
      await simulation.wait(chance.whole(1, 500));
      await simulation.operate('PEXPIRE', name, '600');
    },
  },
];

/** Every lock is lost at once. */
export const FLUSH: Fault<Simulation> = {
  name: 'FLUSHALL',
  confuses: true,
  strike: (simulation) => simulation.operate('FLUSHALL'),
};

/** Applications lose connections, so the answers that they got differ from what happened. */
export const OF_APPLICATIONS: readonly Fault<Simulation>[] = [
  {
    name: 'the connections of an application are cut',
    confuses: true,
    async strike({ alive }, chance) {
      if (alive.length > 0) for (const each of chance.oneOf(alive).connections) each.breakOff();
    },
  },
  {
    name: 'one connection of an application is cut',
    confuses: true,
    async strike({ alive }, chance) {
      if (alive.length > 0) chance.oneOf(chance.oneOf(alive).connections).breakOff();
    },
  },
];

/** Lockscope loses connections. */
export const OF_LOCKSCOPE: readonly Fault<Simulation>[] = [
  {
    name: 'all connections of Lockscope are cut',
    blind: 'cut',
    async strike({ surroundings }) {
      for (const socket of surroundings.sockets) socket.cut();
    },
  },
  {
    name: 'one connection of Lockscope is cut',
    blind: 'cut',
    async strike({ surroundings }, chance) {
      chance.oneOf([...surroundings.sockets]).cut();
    },
  },
  {
    name: 'what Redis sends to Lockscope is lost',
    blind: 'silence',
    async strike({ surroundings }) {
      for (const socket of surroundings.sockets) socket.lose();
    },
  },
];

/** The server loses its connections, and perhaps its keys. */
export const OF_REDIS: readonly Fault<Simulation>[] = [
  {
    name: 'Redis crashes, and starts again without data',
    blind: 'cut',
    confuses: true,
    strike: (simulation, chance) => restart(simulation, chance.whole(0, 800), false),
  },
  {
    name: 'Redis crashes after it saved, and starts again',
    blind: 'cut',
    confuses: true,
    strike: (simulation, chance) => restart(simulation, chance.whole(0, 800), true),
  },
];

async function restart(simulation: Simulation, afterMs: number, keepsKeys: boolean): Promise<void> {
  simulation.surroundings.host.crash();
  await simulation.wait(afterMs);
  simulation.startServer(keepsKeys);
}

async function during(begin: () => void, time: Promise<void>, end: () => void): Promise<void> {
  begin();
  await time;
  end();
}

/**
 * The name of any lock that is not fair. Waiters of a fair lock would attempt all the time, until the dead waiters in
 * its queue are evicted.
 */
function nameOf(chance: Chance): string {
  return chance.oneOf(EVERY_KIND.filter((lock) => !isCounting(lock) && lock.kind !== 'fair-lock')).name;
}
