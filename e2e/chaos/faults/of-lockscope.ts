import { type Fault, type FaultTargets, killClient } from '../../support/faults/fault.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

/** The process of Lockscope is stopped for a while. */
export const LOCKSCOPE_STOPS: Fault<Pick<FaultTargets, 'lockscope'>> = {
  name: 'Lockscope stops, and goes on',
  delays: true,
  async strike({ lockscope }, chance) {
    process.kill(lockscope, 'SIGSTOP');
    await pause(chance.whole(100, 2500));
    process.kill(lockscope, 'SIGCONT');
  },
};

/** Faults between Lockscope and Redis, and of Lockscope itself. */
export const OF_LOCKSCOPE: readonly Fault<FaultTargets>[] = [
  {
    name: 'all connections of Lockscope are cut',
    blind: 'cut',
    async strike({ watching }, chance) {
      watching.shut();
      await pause(chance.whole(0, 1200));
      watching.open();
    },
  },
  {
    name: 'the next bytes to Lockscope end in the middle of a line',
    blind: 'cut',
    async strike({ watching }, chance) {
      const before = watching.cuts();
      watching.cutAfter(chance.whole(0, 3000));
      await waitFor('a cut', () => watching.cuts() > before);
    },
  },
  {
    name: 'nothing reaches Lockscope, and nothing is lost',
    delays: true,
    async strike({ watching }, chance) {
      watching.freeze();
      await pause(chance.whole(100, 2500));
      watching.thaw();
    },
  },
  {
    name: 'nothing reaches Lockscope, then its connections are cut',
    blind: 'cut',
    async strike({ watching }, chance) {
      watching.freeze();
      await pause(chance.whole(100, 1500));
      watching.shut();
      watching.thaw();
      watching.open();
    },
  },
  {
    name: 'the connections of Lockscope are half-open',
    blind: 'silence',
    async strike({ watching }) {
      watching.lose(['replies', 'requests']);
    },
  },
  {
    name: 'what Redis sends to Lockscope is lost',
    blind: 'silence',
    async strike({ watching }) {
      watching.lose(['replies']);
    },
  },
  {
    name: 'what Lockscope sends is lost',
    blind: 'silence',
    async strike({ watching }) {
      watching.lose(['requests']);
    },
  },
  {
    name: 'one connection of Lockscope is half-open',
    async strike({ watching }, chance) {
      watching.lose(['replies', 'requests'], (count) => chance.whole(0, count - 1));
    },
  },
  {
    name: 'the network to Lockscope is slow',
    delays: true,
    async strike({ watching }, chance) {
      watching.limitRate(chance.whole(100_000, 400_000));
      await pause(chance.whole(300, 1500));
      watching.limitRate(Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'lines reach Lockscope in two parts',
    async strike({ watching }, chance) {
      watching.stallMidLine(chance.whole(1, 15));
      await pause(chance.whole(200, 800));
      watching.stallMidLine(0);
    },
  },
  {
    name: 'CLIENT KILL of one connection of Lockscope',
    async strike({ redis }, chance) {
      await killClient(redis, chance, (line) => line.includes(' name=lockscope'));
    },
  },
  LOCKSCOPE_STOPS,
];
