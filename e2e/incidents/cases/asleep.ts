import { pause, waitFor } from '../../support/wait-for.ts';
import type { IncidentCase, IncidentSetup } from '../setup.ts';

/** A lock is free but its waiters sleep, or a client keeps subscriptions that none of its threads needs. */
export const asleep: readonly IncidentCase[] = [
  {
    id: 'silent-release',
    how: 'an operator deletes a lock that another thread waits for: no message is published',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report');
      void (await setup.client('batch-2')).thread('B').lock('report');
      await pause(1500);
      await setup.redis.command('DEL', 'report');
      return { lock: 'report' };
    },
  },
  {
    id: 'missed-wakeup',
    how: 'the subscription of a waiter is cut, and the lock is released before it subscribes again',
    async play(setup) {
      const holder = (await setup.client('batch-1')).thread('A');
      await holder.lock('report');
      const waiter = await setup.client('batch-2');
      void waiter.thread('B').lock('report');
      await subscribed(setup, 'report');
      await pause(1000);
      waiter.freeze();
      await setup.cutSubscription('batch-2');
      await holder.unlock('report');
      waiter.thaw();
      return { lock: 'report' };
    },
  },
  {
    id: 'waiter-asleep-without-limit',
    how: 'a thread waits for a lock whose expiry was removed, and the lock is deleted without a message',
    async play(setup) {
      const a = (await setup.client('batch-1')).thread('A');
      await a.lock('report', 600_000);
      await setup.redis.command('PERSIST', 'report');
      const b = (await setup.client('batch-2')).thread('B');
      void b.lock('report');
      await pause(1500);
      await setup.redis.command('DEL', 'report');
      return { lock: 'report', holders: [b.holder], healsItself: false };
    },
  },
  {
    id: 'subscription-pool-exhausted',
    how: 'on a slow network, tryLock gives up before its subscription is confirmed, three times',
    async play(setup) {
      const holder = (await setup.client('api-1')).thread('A');
      const { client, proxy } = await setup.clientBehindProxy('api-2');
      const waiter = client.thread('B');
      await waiter.lock('warm');
      await waiter.unlock('warm');
      proxy.stallMidLine(400);
      for (const name of ['item:1', 'item:2', 'item:3']) {
        await holder.lock(name);
        await waiter.tryLock(name, 600);
        await subscribed(setup, name); // an unlock message before the subscription would prove nothing
        await holder.unlock(name);
      }
      // The thread now waits for another lock, and its client reacts to that message in time. Both show that no thread
      // waits for the items.
      await holder.lock('warm');
      const waiting = waiter.lock('warm');
      await subscribed(setup, 'warm');
      await holder.unlock('warm');
      await waiting;
      return {
        ...{ lock: 'item:1', holders: [waiter.holder], confidence: 'certain', atEvents: 'likely', healsItself: false },
        values: { leaked: 3 },
      };
    },
  },
];

/** Waits until a client listens for the lock's messages. */
async function subscribed(setup: IncidentSetup, lock: string): Promise<void> {
  await waitFor(`the subscription of ${lock}`, async () => {
    const found = await setup.redis.command('PUBSUB', 'NUMSUB', `redisson_lock__channel:{${lock}}`);
    return Array.isArray(found) && found[1] > 0;
  });
}
