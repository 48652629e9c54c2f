import { type Fault, type FaultTargets, move } from '../../support/faults/fault.ts';
import type { RedisPair } from '../../support/servers/redis-pair.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

/** A master and its replica. All clients reach the master by one address, which moves with it. */
type PairTargets = FaultTargets & { readonly pair: RedisPair };

/** Failovers of each sort. */
export const OF_PAIR: readonly Fault<PairTargets>[] = [
  {
    name: 'a planned failover',
    blind: 'cut',
    confuses: true,
    async strike(targets) {
      await targets.pair.hold();
      await targets.pair.promote();
      follow(targets);
      await targets.pair.followNew();
    },
  },
  {
    name: 'a planned failover, and Lockscope stays at the former master',
    blind: 'silence',
    confuses: true,
    async strike(targets) {
      await targets.pair.hold();
      await targets.pair.promote();
      targets.watching.leadTo(targets.pair.master().port);
      move(targets.applications, targets.pair.master().port);
      await targets.pair.followNew();
    },
  },
  {
    name: 'the master crashes, and its replica is promoted',
    blind: 'cut',
    confuses: true,
    async strike(targets, chance) {
      await targets.pair.master().crash();
      await takeOver(targets, chance.whole(0, 800));
    },
  },
  {
    name: 'the master crashes before its replica has its last writes, and the replica is promoted',
    blind: 'cut',
    confuses: true,
    async strike(targets, chance) {
      await losesWrites(targets.pair, async () => {
        await pause(chance.whole(50, 500));
        await targets.pair.master().crash();
      });
      await takeOver(targets, chance.whole(0, 800));
    },
  },
  {
    name: 'for a while, there are two masters',
    blind: 'cut',
    confuses: true,
    async strike(targets, chance) {
      await targets.pair.promote();
      await pause(chance.whole(50, 800));
      follow(targets);
      await targets.pair.followNew();
    },
  },
];

/** The new master is reached at the usual address. */
function follow({ pair, watching, applications }: PairTargets): void {
  for (const proxy of [watching, applications]) move(proxy, pair.master().port);
}

async function takeOver(targets: PairTargets, afterMs: number): Promise<void> {
  await pause(afterMs);
  await targets.pair.promote();
  follow(targets);
  await targets.pair.replica().comeBack(false);
  await targets.pair.followNew();
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
