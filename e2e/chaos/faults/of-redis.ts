import type { Fault, FaultTargets } from '../../support/faults/fault.ts';
import type { RunningRedis } from '../../support/servers/redis.ts';
import { pause } from '../../support/wait-for.ts';

/** Faults of the server. */
export const OF_REDIS: readonly Fault<FaultTargets>[] = [
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
    name: 'CLIENT PAUSE',
    async strike({ redis }, chance) {
      await redis.command('CLIENT', 'PAUSE', String(chance.whole(50, 1500)), chance.oneOf(['ALL', 'WRITE']));
    },
  },
  {
    name: 'Redis evicts keys',
    confuses: true,
    isRefusing: true,
    strike: ({ redis }, chance) => withoutMemory(redis, 'volatile-random', chance.whole(50, 300)),
  },
  {
    name: 'Redis has no memory left, and refuses writes',
    confuses: true,
    isRefusing: true,
    strike: ({ redis }, chance) => withoutMemory(redis, 'noeviction', chance.whole(50, 600)),
  },
  {
    name: 'Redis crashes after it saved, and starts again',
    blind: 'cut',
    confuses: true,
    async strike({ redis }, chance) {
      await redis.command('SAVE');
      await restart(redis, chance.whole(0, 800));
    },
  },
  {
    name: 'Redis crashes, and starts again with what it saved long ago',
    blind: 'cut',
    confuses: true,
    strike: ({ redis }, chance) => restart(redis, chance.whole(0, 800)),
  },
  {
    name: 'Redis crashes, and starts again without data',
    blind: 'cut',
    confuses: true,
    strike: ({ redis }, chance) => restart(redis, chance.whole(0, 800), false),
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

async function restart(redis: RunningRedis, afterMs: number, isWithData = true): Promise<void> {
  await redis.crash();
  await pause(afterMs);
  await redis.comeBack(isWithData);
}

async function withoutMemory({ command }: RunningRedis, policy: string, forMs: number): Promise<void> {
  const used = /used_memory:(\d+)/.exec(String(await command('INFO', 'memory')))?.[1];
  await command('CONFIG', 'SET', 'maxmemory-policy', policy);
  await command('CONFIG', 'SET', 'maxmemory', String(used));
  await pause(forMs);
  await command('CONFIG', 'SET', 'maxmemory', '0');
}
