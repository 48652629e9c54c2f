import { type Fault, type FaultTargets, killClient } from '../../support/faults/fault.ts';
import { pause } from '../../support/wait-for.ts';

/**
 * Faults between the applications and Redis, and of their clocks. The random program itself kills and freezes the
 * applications.
 */
export const OF_APPLICATIONS: readonly Fault<FaultTargets>[] = [
  {
    name: 'CLIENT KILL of one connection of an application',
    confuses: true,
    async strike({ redis }, chance) {
      await killClient(redis, chance, (line) => line.includes(' name=client-'));
    },
  },
  {
    name: 'the applications cannot reach Redis',
    confuses: true,
    async strike({ applications }, chance) {
      applications.shut();
      await pause(chance.whole(100, 1200));
      applications.open();
    },
  },
  {
    name: 'nothing reaches the applications, and nothing is lost',
    async strike({ applications }, chance) {
      applications.freeze();
      await pause(chance.whole(100, 1200));
      applications.thaw();
    },
  },
  ...(
    [
      ['the connections of the applications are half-open', ['replies', 'requests']],
      ['what Redis answers the applications is lost', ['replies']],
      ['what the applications send is lost', ['requests']],
    ] as const
  ).map(
    ([name, directions]): Fault<FaultTargets> => ({
      name: `${name}, then they are cut`,
      confuses: true,
      async strike({ applications }, chance) {
        applications.lose(directions);
        await pause(chance.whole(100, 1200));
        applications.shut();
        applications.open();
      },
    }),
  ),
  {
    name: 'the clock of an application jumps',
    async strike({ clients }, chance) {
      const aheadMs = chance.isTrue(0.3) ? 0 : chance.whole(-5000, 5000);
      if (clients.length > 0) chance.oneOf(clients).setClock(aheadMs);
    },
  },
];
