import { pause, waitFor } from '../wait-for.ts';
import { type Cluster, isMaster, type Member } from './redis-group.ts';

/** A master and its replica, as they are now. */
export type Shard = { readonly master: Member; readonly replica: Member };

const KEYS_AT_ONCE = '10';

/** The shards of a cluster, each with the server that is its master now. */
export async function shardsOf({ masters, replicas }: Cluster): Promise<Shard[]> {
  const pairs = masters.map((first, place) => [first, replicas[place]] as const);
  return Promise.all(
    pairs.map(async ([first, second]) => {
      if (!second) throw new Error('a master without a replica');
      return (await isMaster(first)) ? { master: first, replica: second } : { master: second, replica: first };
    }),
  );
}

/** Moves the slot of a key, with its keys, while clients use them. Pauses `restMs` before each batch of 10 keys. */
export async function moveSlot(key: string, from: Member, to: Member, shards: readonly Shard[], restMs = 0) {
  const slot = String(await from.command('CLUSTER', 'KEYSLOT', key));
  const [source, target] = [String(await from.command('CLUSTER', 'MYID')), String(await to.command('CLUSTER', 'MYID'))];
  await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source);
  await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target);
  for (;;) {
    await pause(restMs);
    const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', slot, KEYS_AT_ONCE)) as string[]; // the reply is a list of names
    if (keys.length === 0) break;
    await from.command('MIGRATE', '127.0.0.1', String(to.port), '', '0', '60000', 'KEYS', ...keys);
  }
  for (const { command } of [to, from, ...shards.map(({ master }) => master)])
    await command('CLUSTER', 'SETSLOT', slot, 'NODE', target);
}

/**
 * Moves the slot of a key in one step, with CLUSTER MIGRATION of Redis 8.4 or CLUSTER MIGRATESLOTS of Valkey 9: the old
 * master serves it until the new one has all keys. An older server moves it key by key.
 */
export async function moveSlotAtOnce(key: string, from: Member, to: Member, shards: readonly Shard[]): Promise<void> {
  const slot = String(await from.command('CLUSTER', 'KEYSLOT', key));
  const target = String(await to.command('CLUSTER', 'MYID'));
  const ways = [
    () => to.command('CLUSTER', 'MIGRATION', 'IMPORT', slot, slot),
    () => from.command('CLUSTER', 'MIGRATESLOTS', 'SLOTSRANGE', slot, slot, 'NODE', target),
    () => moveSlot(key, from, to, shards),
  ];
  for (const move of ways) {
    const refused = await move().then(() => undefined, String);
    if (refused === undefined) break;
    if (!/unknown subcommand/i.test(refused)) throw new Error(refused);
  }
  await waitFor(`slot ${slot} to be served by ${to.node}`, async () => {
    const replies = await Promise.all([from, to].map(({ command }) => command('EXISTS', key).then(() => true, String)));
    return replies[1] === true && String(replies[0]).startsWith(`Error: MOVED ${slot} ${to.node}`);
  });
}

/** Promotes the replica. `isPlanned`: its master lives and hands over all data; otherwise the master is dead. */
export async function failOver({ replica }: Shard, isPlanned: boolean): Promise<void> {
  await replica.command('CLUSTER', 'FAILOVER', ...(isPlanned ? [] : ['TAKEOVER']));
  await waitFor('the replica to be the master', () => isMaster(replica));
}

/** Waits until the cluster is in order for every master, and every replica is linked to its master. */
export async function untilWhole(cluster: Cluster): Promise<void> {
  await waitFor('the cluster to be whole', async (missing) => {
    const shards = await shardsOf(cluster);
    const states = await Promise.all(
      shards.map(async ({ master, replica }) => [
        String(await master.command('CLUSTER', 'INFO')).includes('cluster_state:ok'),
        String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
      ]),
    );
    return states.flat().every(Boolean) || missing(JSON.stringify(states));
  });
}
