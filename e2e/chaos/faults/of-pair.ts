import { type Fault, type FaultTargets, redirect } from '../../support/faults/fault.ts';
import type { RedisPair } from '../../support/servers/redis-pair.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

/** A master and its replica. Lockscope and the applications have a proxy each, which leads to the master. */
type PairTargets = FaultTargets & { readonly pair: RedisPair };

/** Failovers of each sort. */
export const OF_PAIR: readonly Fault<PairTargets>[] = [
  {
    name: 'a planned failover',
    blind: 'cut',
    confuses: true,
    async strike(targets) {
      await targets.pair.pauseWrites();
      await targets.pair.promote();
      leadToNewMaster(targets);
      await targets.pair.followNew();
    },
  },
  {
    name: 'a planned failover, and Lockscope stays at the former master',
    blind: 'silence',
    confuses: true,
    async strike(targets) {
      await targets.pair.pauseWrites();
      await targets.pair.promote();
      targets.watching.leadTo(targets.pair.master().port);
      redirect(targets.applications, targets.pair.master().port);
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
      await withoutReplication(targets.pair, async () => {
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
      leadToNewMaster(targets);
      await targets.pair.followNew();
    },
  },
];

/** Leads the usual addresses to the new master. */
function leadToNewMaster({ pair, watching, applications }: PairTargets): void {
  for (const proxy of [watching, applications]) redirect(proxy, pair.master().port);
}

async function takeOver(targets: PairTargets, afterMs: number): Promise<void> {
  await pause(afterMs);
  await targets.pair.promote();
  leadToNewMaster(targets);
  await targets.pair.replica().comeBack(false);
  await targets.pair.followNew();
}

/** Runs `meanwhile` while writes do not reach the replica. */
async function withoutReplication(pair: RedisPair, meanwhile: () => Promise<void>): Promise<void> {
  await pair.replica().freeze();
  await pair.master().command('CLIENT', 'KILL', 'TYPE', 'replica');
  await meanwhile();
  await pair.replica().thaw();
  await waitFor('the replica to notice', async () =>
    String(await pair.replica().command('INFO', 'replication')).includes('master_link_status:down'),
  );
}
