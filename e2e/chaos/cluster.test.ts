import { test } from 'vitest';
import { differencesFromRedis } from '../support/compare/world-checks.ts';
import { strike } from '../support/faults/fault.ts';
import type { Lockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { endsAfterEach } from '../support/random/ends-after-each.ts';
import { EVERY_KIND } from '../support/random/random-lock.ts';
import { seedOfRun } from '../support/random/seeded.ts';
import { startClusterRouter } from '../support/servers/cluster-router.ts';
import { type Cluster, startCluster } from '../support/servers/redis-group.ts';
import { OF_CLUSTER } from './faults/of-cluster.ts';
import { runChaos, runsOf, TIMEOUT_MS } from './run-chaos.ts';

/** The share of the operations that these runs have. It is small because their faults take longer. */
const PART = 1 / 8;
const seed = seedOfRun();
const keep = endsAfterEach();

test.each(runsOf(seed, PART))(
  'with eight clients on a cluster whose slots move and whose masters change, at level $level, seed $seed, locks are right after each fault, and events are true',
  { timeout: TIMEOUT_MS },
  async ({ level, seed: ownSeed, operations }) => {
    const cluster = keep(await startCluster(), (each) => each.stop());
    const members = [...cluster.masters, ...cluster.replicas];
    for (const { command } of members) await command('CONFIG', 'SET', 'notify-keyspace-events', 'KEA');
    const router = keep(await startClusterRouter(members.map(({ port }) => port)), (each) => each.close());
    const lockscope = keep(await startLockscopeProcess(cluster.url, ['--observe', level]), (each) => each.stop());
    await runChaos(
      {
        what: 'cluster',
        level,
        seed: ownSeed,
        operations,
        lockscope,
        applicationsUrl: `redis://127.0.0.1:${router.port}`,
        strike: (chance) => strike(OF_CLUSTER, { cluster, lockscope: lockscope.pid }, chance),
        differences: () => differencesFromCluster(lockscope, cluster),
      },
      keep,
    );
  },
);

/** Compares each lock with the server that serves its slot now. At no other server may the lock be reported as held. */
async function differencesFromCluster(lockscope: Lockscope, cluster: Cluster): Promise<string[]> {
  const reported = await lockscope.locks();
  const differences: string[] = [];
  for (const { name } of EVERY_KIND) {
    const member = await cluster.memberOf(name);
    const here = reported.filter((lock) => lock.name === name && lock.node === member.node);
    const elsewhere = reported.filter((lock) => lock.name === name && lock.node !== member.node && lock.held);
    differences.push(...elsewhere.map(({ node }) => `${name}: held at ${node}, but ${member.node} serves it`));
    differences.push(...(await differencesFromRedis({ locks: async () => here }, member, [name])));
  }
  return differences;
}
