import { test } from 'vitest';
import { differencesFromRedis } from '../support/compare/world-checks.ts';
import { strike } from '../support/faults/fault.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { endsAfterEach } from '../support/random/ends-after-each.ts';
import { EVERY_KIND } from '../support/random/random-lock.ts';
import { seedOfRun } from '../support/random/seeded.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { startPair } from '../support/servers/redis-pair.ts';
import { OF_LOCKSCOPE } from './faults/of-lockscope.ts';
import { OF_PAIR } from './faults/of-pair.ts';
import { runChaos, runsOf, TIMEOUT_MS } from './run-chaos.ts';

/** The share of the operations that these runs have. It is small because their faults take longer. */
const PART = 1 / 8;
const FAULTS = [...OF_PAIR, ...OF_PAIR, ...OF_LOCKSCOPE];
const NAMES = EVERY_KIND.map(({ name }) => name);
const seed = seedOfRun();
const keep = endsAfterEach();

test.each(runsOf(seed, PART))(
  'with eight clients and random failovers of a master and its replica, at level $level, seed $seed, locks are right after each fault, and events are true',
  { timeout: TIMEOUT_MS },
  async ({ level, seed: ownSeed, operations }) => {
    const pair = keep(await startPair({ 'notify-keyspace-events': 'KEA' }), (each) => each.stop());
    const { port } = pair.master();
    const watching = keep(await startCuttingProxy(port), (each) => each.close());
    const applications = keep(await startCuttingProxy(port), (each) => each.close());
    const url = `redis://127.0.0.1:${watching.port}`;
    const lockscope = keep(await startLockscopeProcess(url, ['--observe', level]), (each) => each.stop());
    const targets = { pair, watching, applications, lockscope: lockscope.pid };
    await runChaos(
      {
        what: 'failovers',
        areFaultsLong: true,
        level,
        seed: ownSeed,
        operations,
        lockscope,
        applicationsUrl: `redis://127.0.0.1:${applications.port}`,
        strike: (chance, clients) => strike(FAULTS, { ...targets, redis: pair.master(), clients }, chance),
        differences: () => differencesFromRedis(lockscope, pair.master(), NAMES),
      },
      keep,
    );
  },
);
