import { test } from 'vitest';
import { differencesFromRedis } from '../support/compare/world-checks.ts';
import { strike } from '../support/faults/fault.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { endsAfterEach } from '../support/random/ends-after-each.ts';
import { EVERY_KIND } from '../support/random/random-lock.ts';
import { seedOfRun } from '../support/random/seeded.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { startRedis } from '../support/servers/redis.ts';
import { OF_APPLICATIONS } from './faults/of-applications.ts';
import { OF_LOCKSCOPE } from './faults/of-lockscope.ts';
import { OF_REDIS } from './faults/of-redis.ts';
import { runChaos, runsOf, TIMEOUT_MS } from './run-chaos.ts';

const FAULTS = [...OF_LOCKSCOPE, ...OF_APPLICATIONS, ...OF_REDIS];
const NAMES = EVERY_KIND.map(({ name }) => name);
const seed = seedOfRun();
const keep = endsAfterEach();

test.each(runsOf(seed))(
  'with eight clients and random faults at level $level, seed $seed, locks are right after each fault, events are true, and each lost connection has a blind spot',
  { timeout: TIMEOUT_MS },
  async ({ level, seed: ownSeed, operations }) => {
    const redis = keep(await startRedis({ 'notify-keyspace-events': 'KEA' }, { keeps: true }), (each) => each.stop());
    const watching = keep(await startCuttingProxy(redis.port), (each) => each.close());
    const applications = keep(await startCuttingProxy(redis.port), (each) => each.close());
    const url = `redis://127.0.0.1:${watching.port}`;
    const lockscope = keep(await startLockscopeProcess(url, ['--observe', level]), (each) => each.stop());
    const targets = { redis, watching, applications, lockscope: lockscope.pid };
    await runChaos(
      {
        what: 'one server',
        level,
        seed: ownSeed,
        operations,
        lockscope,
        applicationsUrl: `redis://127.0.0.1:${applications.port}`,
        strike: (chance, clients) => strike(FAULTS, { ...targets, clients }, chance),
        differences: () => differencesFromRedis(lockscope, redis, NAMES),
      },
      keep,
    );
  },
);
