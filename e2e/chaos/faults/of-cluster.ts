import { type Fault, killClient } from '../../support/faults/fault.ts';
import { EVERY_KIND } from '../../support/random/random-lock.ts';
import type { Chance } from '../../support/random/seeded.ts';
import {
  failOver,
  moveSlot,
  moveSlotAtOnce,
  type Shard,
  shardsOf,
  untilWhole,
} from '../../support/servers/cluster-changes.ts';
import type { Cluster } from '../../support/servers/redis-group.ts';
import { pause } from '../../support/wait-for.ts';
import { LOCKSCOPE_STOPS } from './of-lockscope.ts';

/** A cluster of several masters with a replica each, watched and used. */
type ClusterTargets = {
  readonly cluster: Cluster;
  /** The process id of Lockscope. */
  readonly lockscope: number;
};

export const OF_CLUSTER: readonly Fault<ClusterTargets>[] = [
  {
    name: 'a slot moves',
    confuses: true,
    strike: (targets, chance) => moveAny(targets, chance, moveSlotAtOnce),
  },
  {
    name: 'a slot moves slowly',
    confuses: true,
    strike: (targets, chance) => {
      const restMs = chance.whole(20, 300);
      return moveAny(targets, chance, (...where) => moveSlot(...where, restMs));
    },
  },
  {
    name: 'a planned failover of a shard',
    confuses: true,
    async strike({ cluster }, chance) {
      await failOver(await anyShard(cluster, chance), true);
      await untilWhole(cluster);
    },
  },
  {
    name: 'a master of a cluster crashes, and its replica takes over',
    confuses: true,
    isRefusing: true, // once the other masters agree that it failed, they answer CLUSTERDOWN
    async strike({ cluster }, chance) {
      const shard = await anyShard(cluster, chance);
      await shard.master.kill();
      await pause(chance.whole(0, 500));
      await failOver(shard, false);
      await shard.master.comeBack();
      await untilWhole(cluster);
    },
  },
  {
    name: 'a master of a cluster stops, and goes on',
    confuses: true,
    isRefusing: true, // once the other masters agree that it failed, they answer CLUSTERDOWN
    async strike({ cluster }, chance) {
      const { master } = await anyShard(cluster, chance);
      await master.freeze();
      await pause(chance.whole(100, 2000));
      await master.thaw();
      await untilWhole(cluster);
    },
  },
  {
    name: 'CLIENT KILL of one connection of Lockscope to a cluster',
    async strike({ cluster }, chance) {
      const { master } = await anyShard(cluster, chance);
      await killClient(master, chance, (line) => line.includes(' name=lockscope'));
    },
  },
  {
    name: 'CLIENT KILL of one connection of an application to a cluster',
    confuses: true,
    async strike({ cluster }, chance) {
      const { master } = await anyShard(cluster, chance);
      await killClient(master, chance, (line) => line.includes(' name=client-'));
    },
  },
  LOCKSCOPE_STOPS,
  {
    name: 'FLUSHALL of a shard',
    confuses: true,
    async strike({ cluster }, chance) {
      await (await anyShard(cluster, chance)).master.command('FLUSHALL');
    },
  },
];

async function anyShard(cluster: Cluster, chance: Chance): Promise<Shard> {
  return chance.oneOf(await shardsOf(cluster));
}

/** Moves the slot of one of the locks to another shard. */
async function moveAny({ cluster }: ClusterTargets, chance: Chance, move: typeof moveSlotAtOnce): Promise<void> {
  const { name } = chance.oneOf(EVERY_KIND);
  const shards = await shardsOf(cluster);
  const from = await cluster.memberOf(name);
  const others = shards.filter(({ master }) => master.port !== from.port);
  await move(name, from, chance.oneOf(others).master, shards);
}
