import type { Chance } from '../support/random/seeded.ts';
import type { CuttingProxy } from '../support/servers/cutting-proxy.ts';
import type { RunningRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/** Everything that a fault may hit. Lockscope and the applications reach Redis through a proxy each. */
export type World = {
  readonly redis: RunningRedis;
  readonly watching: CuttingProxy;
  readonly applications: CuttingProxy;
};

/** One fault that happened; times in µs of the machine's clock. */
export type Strike = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Lockscope certainly lost a connection by which it observes. */
  readonly isBlind: boolean;
  /** The applications lost connections, or the server lost data: what they were answered is not what happened. */
  readonly confuses: boolean;
};

type Fault = {
  readonly name: string;
  readonly isBlind?: boolean;
  readonly confuses?: boolean;
  /** Strikes, and mends what it broke. */
  strike(world: World, chance: Chance): Promise<void>;
};

export const EVICTION = 'Redis evicts keys';

const FAULTS: readonly Fault[] = [
  {
    name: 'all connections of Lockscope are cut',
    isBlind: true,
    async strike({ watching }, chance) {
      watching.shut();
      await pause(chance.whole(0, 1200));
      watching.open();
    },
  },
  {
    name: 'the next bytes to Lockscope end in the middle of a line',
    isBlind: true,
    async strike({ watching }, chance) {
      const before = watching.cuts();
      watching.cutAfter(chance.whole(0, 3000));
      await waitFor('a cut', () => watching.cuts() > before);
    },
  },
  {
    name: 'nothing reaches Lockscope, and nothing is lost',
    async strike({ watching }, chance) {
      watching.freeze();
      await pause(chance.whole(100, 2500));
      watching.thaw();
    },
  },
  {
    name: 'nothing reaches Lockscope, then its connections are cut',
    isBlind: true,
    async strike({ watching }, chance) {
      watching.freeze();
      await pause(chance.whole(100, 1500));
      watching.shut();
      watching.thaw();
      watching.open();
    },
  },
  {
    name: 'the network to Lockscope is slow',
    async strike({ watching }, chance) {
      watching.carry(chance.whole(100_000, 400_000));
      await pause(chance.whole(300, 1500));
      watching.carry(Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'lines reach Lockscope in two parts',
    async strike({ watching }, chance) {
      watching.stallMidLine(chance.whole(1, 15));
      await pause(chance.whole(200, 800));
      watching.stallMidLine(0);
    },
  },
  {
    name: 'CLIENT KILL of one connection of Lockscope',
    async strike({ redis }, chance) {
      await kill(redis, chance, (line) => line.includes(' name=lockscope'));
    },
  },
  {
    name: 'CLIENT KILL of one connection of an application',
    confuses: true,
    async strike({ redis }, chance) {
      await kill(redis, chance, (line) => line.includes(' name=client-'));
    },
  },
  {
    name: 'the applications cannot reach Redis',
    confuses: true,
    async strike({ applications }, chance) {
      applications.shut();
      await pause(chance.whole(100, 1200));
      applications.open();
    },
  },
  {
    name: 'nothing reaches the applications, and nothing is lost',
    async strike({ applications }, chance) {
      applications.freeze();
      await pause(chance.whole(100, 1200));
      applications.thaw();
    },
  },
  {
    name: 'Redis stops, and goes on',
    async strike({ redis }, chance) {
      await redis.freeze();
      await pause(chance.whole(100, 2500));
      await redis.thaw();
    },
  },
  {
    name: 'Redis is busy with one script',
    async strike({ redis }, chance) {
      await redis.command('EVAL', 'for _ = 1, ARGV[1] do end', '0', String(chance.whole(5_000_000, 50_000_000)));
    },
  },
  {
    name: EVICTION,
    confuses: true,
    async strike({ redis }, chance) {
      const used = /used_memory:(\d+)/.exec(String(await redis.command('INFO', 'memory')))?.[1];
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'volatile-random');
      await redis.command('CONFIG', 'SET', 'maxmemory', String(used));
      await pause(chance.whole(50, 300));
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
    },
  },
  {
    name: 'Redis crashes after it saved, and starts again',
    isBlind: true,
    confuses: true,
    async strike({ redis }, chance) {
      await redis.command('SAVE');
      await redis.crash();
      await pause(chance.whole(0, 800));
      await redis.comeBack();
    },
  },
  {
    name: 'Redis crashes, and starts again with what it saved long ago',
    isBlind: true,
    confuses: true,
    async strike({ redis }, chance) {
      await redis.crash();
      await pause(chance.whole(0, 800));
      await redis.comeBack();
    },
  },
  {
    name: 'FLUSHALL',
    confuses: true,
    async strike({ redis }) {
      await redis.command('FLUSHALL');
    },
  },
  {
    name: 'SCRIPT FLUSH',
    async strike({ redis }) {
      await redis.command('SCRIPT', 'FLUSH');
    },
  },
];

/** Strikes with a fault of this choice, and returns what it was. */
export async function strike(world: World, chance: Chance): Promise<Strike> {
  const { name, isBlind = false, confuses = false, strike: happen } = chance.oneOf(FAULTS);
  const from = Date.now() * 1000;
  await happen(world, chance);
  return { name, isBlind, confuses, from, to: Date.now() * 1000 };
}

async function kill(redis: RunningRedis, chance: Chance, isOne: (line: string) => boolean): Promise<void> {
  const lines = String(await redis.command('CLIENT', 'LIST')).split('\n');
  const ids = lines.filter(isOne).map((line) => /^id=(\d+)/.exec(line)?.[1] ?? '');
  if (ids.length > 0) await redis.command('CLIENT', 'KILL', 'ID', chance.oneOf(ids));
}
