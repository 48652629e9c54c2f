import { test } from 'vitest';
import { differencesFromRedis } from '../support/compare/world-checks.ts';
import { strike } from '../support/faults/fault.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { endsAfterEach } from '../support/random/ends-after-each.ts';
import { EVERY_KIND } from '../support/random/random-lock.ts';
import { seedOfRun } from '../support/random/seeded.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { startSentinelTrio } from '../support/servers/redis-group.ts';
import { rolesOf } from '../support/servers/sentinel-changes.ts';
import { NOTIFIES, OF_SENTINELS } from './faults/of-sentinels.ts';
import { runChaos, runsOf, TIMEOUT_MS } from './run-chaos.ts';

/** The share of the operations that these runs have. It is small because their faults take longer. */
const PART = 1 / 8;
const NAMES = EVERY_KIND.map(({ name }) => name);
const seed = seedOfRun();
const keep = endsAfterEach();

test.each(runsOf(seed, PART))(
  'with eight clients on a master whose Sentinels promote its replica, at level $level, seed $seed, locks are right after each fault, and events are true',
  { timeout: TIMEOUT_MS },
  async ({ level, seed: ownSeed, operations }) => {
    const trio = keep(await startSentinelTrio(), (each) => each.stop());
    for (const { command } of [trio.master, trio.replica]) await command(...NOTIFIES);
    const applications = keep(await startCuttingProxy(trio.master.port), (each) => each.close());
    const lockscope = keep(await startLockscopeProcess(trio.url, ['--observe', level]), (each) => each.stop());
    const targets = { trio, applications, lockscope: lockscope.pid };
    await runChaos(
      {
        what: 'Sentinels',
        areFaultsLong: true,
        level,
        seed: ownSeed,
        operations,
        lockscope,
        applicationsUrl: `redis://127.0.0.1:${applications.port}`,
        strike: (chance) => strike(OF_SENTINELS, targets, chance),
        differences: async () => differencesFromRedis(lockscope, (await rolesOf(trio)).master, NAMES),
      },
      keep,
    );
  },
);
