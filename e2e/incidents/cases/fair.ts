import type { JavaThread } from '../../support/clients/redisson-thread.ts';
import { pause } from '../../support/wait-for.ts';
import type { IncidentCase, IncidentSetup } from '../setup.ts';

/** A fair lock with a dead waiter at the head of its queue, and a live one behind it. */
async function deadHead(setup: IncidentSetup): Promise<{ head: string; release: () => Promise<unknown> }> {
  const a = (await setup.client('order-1')).thread('A').at('fair');
  await a.lock('orders');
  const dying = await setup.client('order-2');
  const head = dying.thread('B');
  void head.at('fair').lock('orders');
  await pause(1000);
  void (await setup.client('order-3')).thread('C').at('fair').lock('orders');
  await pause(1000);
  await dying.kill();
  return { head: head.holder, release: () => a.unlock('orders') };
}

/** The queue of a fair lock is wrong. */
export const fair: readonly IncidentCase[] = [
  {
    id: 'fair-head-dead',
    how: 'the first waiter of a fair lock is killed, then the holder releases',
    async play(setup) {
      const { head, release } = await deadHead(setup);
      await release();
      return { lock: 'orders', holders: [head], healsItself: true };
    },
  },
  {
    id: 'fair-hot-loop',
    how: 'a waiter comes behind a dead head of a free fair lock, and asks again without a pause',
    async play(setup) {
      const { release } = await deadHead(setup);
      await release();
      void (await setup.client('order-4')).thread('D').at('fair').lock('orders');
      await pause(1000);
      return { lock: 'orders', confidence: 'certain' };
    },
  },
  {
    id: 'fair-orphan-entry',
    how: 'the deadline of a dead waiter is removed from the sorted set by hand',
    async play(setup) {
      const a = (await setup.client('order-1')).thread('A').at('fair');
      await a.lock('orders');
      const dying = await setup.client('order-2');
      const orphan = dying.thread('B');
      void orphan.at('fair').lock('orders');
      await pause(1000);
      await dying.kill();
      await setup.redis.command('ZREM', 'redisson_lock_timeout:{orders}', orphan.holder);
      return { lock: 'orders', holders: [orphan.holder], confidence: 'certain', healsItself: false };
    },
  },
  {
    id: 'fair-live-waiter-purged',
    how: 'the lock is held for longer than a live waiter may be first in the queue, and another thread asks',
    async play(setup) {
      const old = { version: '3.11.6', watchdogMs: 2400 };
      await (await setup.client('order-1', old)).thread('A').at('fair').lock('orders');
      const waiter = (await setup.client('order-2', old)).thread('B');
      void waiter.at('fair').lock('orders');
      await pause(9000);
      void (await setup.client('order-3', old)).thread('C').at('fair').tryLock('orders', 20_000);
      await pause(500);
      return { lock: 'orders', holders: [waiter.holder] };
    },
  },
  {
    id: 'fair-clock-skew',
    how: 'the clock of a host is 20 minutes ahead, and its client evicts a waiter that is alive',
    async play(setup) {
      await (await setup.client('order-1')).thread('A').at('fair').lock('orders');
      const waiter = (await setup.client('order-2')).thread('B');
      void waiter.at('fair').lock('orders');
      await pause(1000);
      const early = (await setup.client('order-3', { clockAheadMs: 1_200_000 })).thread('C');
      void early.at('fair').lock('orders');
      await pause(500);
      return {
        ...{ lock: 'orders', holders: [early.holder], confidence: 'certain', atEvents: 'hint', healsItself: false },
        values: { victim: waiter.holder },
      };
    },
  },
  {
    id: 'fair-timeout-drift',
    how: 'five threads of a client of 2017 take a fair lock in turn, and each hand-over moves the deadlines ahead',
    async play(setup) {
      const client = await setup.client('order-1', { version: '3.5.7' });
      const threads = ['A', 'B', 'C', 'D', 'E'].map((letter) => client.thread(letter));
      let left = 60;
      const takeTurns = async (thread: JavaThread): Promise<JavaThread> => {
        for (;;) {
          await thread.at('fair').lock('orders');
          await pause(30);
          if (--left <= 0) return thread;
          await thread.at('fair').unlock('orders');
        }
      };
      // the last one keeps the lock, so the others stay in the queue
      const last = await Promise.race(threads.map(takeTurns));
      const waiters = threads.filter((thread) => thread !== last);
      return {
        ...{ lock: 'orders', holders: waiters.map(({ holder }) => holder) },
        ...{ confidence: 'likely', atEvents: 'likely', healsItself: false },
      };
    },
  },
];
