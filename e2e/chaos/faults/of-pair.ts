import { type Fault, move, type World } from '../../support/faults/fault.ts';
import type { RedisPair } from '../../support/servers/redis-pair.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

/** A master and its replica. All clients reach the master by one address, which moves with it. */
type PairWorld = World & { readonly pair: RedisPair };

/** Failovers of each sort. */
export const OF_PAIR: readonly Fault<PairWorld>[] = [
  {
    name: 'a planned failover',
    blind: 'cut',
    confuses: true,
    async strike(world) {
      await world.pair.hold();
      await world.pair.promote();
      follow(world);
      await world.pair.followNew();
    },
  },
  {
    name: 'a planned failover, and Lockscope stays at the former master',
    blind: 'silence',
    confuses: true,
    async strike(world) {
      await world.pair.hold();
      await world.pair.promote();
      world.watching.leadTo(world.pair.master().port);
      move(world.applications, world.pair.master().port);
      await world.pair.followNew();
    },
  },
  {
    name: 'the master crashes, and its replica is promoted',
    blind: 'cut',
    confuses: true,
    async strike(world, chance) {
      await world.pair.master().crash();
      await takeOver(world, chance.whole(0, 800));
    },
  },
  {
    name: 'the master crashes before its replica has its last writes, and the replica is promoted',
    blind: 'cut',
    confuses: true,
    async strike(world, chance) {
      await losesWrites(world.pair, async () => {
        await pause(chance.whole(50, 500));
        await world.pair.master().crash();
      });
      await takeOver(world, chance.whole(0, 800));
    },
  },
  {
    name: 'for a while, there are two masters',
    blind: 'cut',
    confuses: true,
    async strike(world, chance) {
      await world.pair.promote();
      await pause(chance.whole(50, 800));
      follow(world);
      await world.pair.followNew();
    },
  },
];

/** The new master is reached at the usual address. */
function follow({ pair, watching, applications }: PairWorld): void {
  for (const proxy of [watching, applications]) move(proxy, pair.master().port);
}

async function takeOver(world: PairWorld, afterMs: number): Promise<void> {
  await pause(afterMs);
  await world.pair.promote();
  follow(world);
  await world.pair.replica().comeBack(false);
  await world.pair.followNew();
}

/** Writes that happen meanwhile never reach the replica. */
async function losesWrites(pair: RedisPair, meanwhile: () => Promise<void>): Promise<void> {
  await pair.replica().freeze();
  await pair.master().command('CLIENT', 'KILL', 'TYPE', 'replica');
  await meanwhile();
  await pair.replica().thaw();
  await waitFor('the replica to notice', async () =>
    String(await pair.replica().command('INFO', 'replication')).includes('master_link_status:down'),
  );
}
