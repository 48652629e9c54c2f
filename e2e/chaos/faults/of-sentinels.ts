import { type Fault, killClient, redirect } from '../../support/faults/fault.ts';
import type { CuttingProxy } from '../../support/servers/cutting-proxy.ts';
import type { SentinelTrio } from '../../support/servers/redis-group.ts';
import { failOver, rolesOf, untilAnother, untilWhole } from '../../support/servers/sentinel-changes.ts';
import { pause } from '../../support/wait-for.ts';
import { LOCKSCOPE_STOPS } from './of-lockscope.ts';

/**
 * A master and its replica that Sentinels watch. Lockscope asks the Sentinels; applications use one address, which
 * leads to the master.
 */
type SentinelTargets = {
  readonly trio: SentinelTrio;
  readonly applications: CuttingProxy;
  /** The process id of Lockscope. */
  readonly lockscope: number;
};

/** The command that has a server send every key event. */
export const NOTIFIES = ['CONFIG', 'SET', 'notify-keyspace-events', 'KEA'];

/** Failovers that Sentinels decide, and faults of the Sentinels themselves. */
export const OF_SENTINELS: readonly Fault<SentinelTargets>[] = [
  {
    name: 'a failover that a Sentinel was asked for',
    blind: 'cut',
    confuses: true,
    async strike(targets) {
      redirect(targets.applications, (await failOver(targets.trio)).master.port);
      await restore(targets);
    },
  },
  {
    name: 'the master crashes, and the Sentinels promote its replica',
    blind: 'cut',
    confuses: true,
    async strike(targets) {
      const { trio } = targets;
      const before = await rolesOf(trio);
      await trio.expectFailure();
      await before.master.kill();
      redirect(targets.applications, (await untilAnother(trio, before)).master.port);
      await trio.expectNoFailure();
      await before.master.comeBack();
      await restore(targets);
    },
  },
  {
    name: 'the master stops, perhaps long enough for the Sentinels to promote its replica, and goes on',
    confuses: true,
    async strike(targets, chance) {
      const { trio } = targets;
      const { master } = await rolesOf(trio);
      await trio.expectFailure();
      await master.freeze();
      await pause(chance.whole(100, 3000));
      await master.thaw();
      await trio.expectNoFailure();
      await restore(targets);
    },
  },
  {
    name: 'a Sentinel crashes, and comes back',
    async strike({ trio }, chance) {
      const sentinel = chance.oneOf(trio.sentinels);
      await sentinel.kill();
      await pause(chance.whole(0, 1000));
      await sentinel.comeBack();
      await untilWhole(trio);
    },
  },
  {
    name: 'CLIENT KILL of one connection of Lockscope to the master of Sentinels',
    async strike({ trio }, chance) {
      const { master } = await rolesOf(trio);
      await killClient(master, chance, (line) => line.includes(' name=lockscope'));
    },
  },
  LOCKSCOPE_STOPS,
];

/** Waits until all is in order again, and sets again what a server may have lost in a crash. */
async function restore({ trio, applications }: SentinelTargets): Promise<void> {
  const { master } = await untilWhole(trio);
  redirect(applications, master.port);
  for (const { command } of [trio.master, trio.replica]) await command(...NOTIFIES);
}
