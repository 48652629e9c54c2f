import type { ThreadAtKind } from '../../support/clients/redisson-thread.ts';
import { pause } from '../../support/wait-for.ts';
import type { IncidentCase } from '../setup.ts';

/** Acquires and releases the same locks this many times. */
async function takeTurns(thread: ThreadAtKind, names: string, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await thread.lock(names);
    await pause(20);
    await thread.unlock(names);
  }
}

/** Threads hinder each other. */
export const contention: readonly IncidentCase[] = [
  {
    id: 'abba-deadlock',
    how: 'two threads take two locks in opposite order',
    async play(setup) {
      const a = (await setup.client('order-1')).thread('A');
      const b = (await setup.client('order-2')).thread('B');
      await a.lock('orders');
      await b.lock('stock');
      void a.lock('stock');
      void b.lock('orders');
      await pause(500);
      return { holders: [a.holder, b.holder], healsItself: false };
    },
  },
  {
    id: 'thundering-herd',
    how: 'each release of a write lock wakes all of its 24 waiters',
    async play(setup) {
      const clients = await Promise.all(['order-1', 'order-2', 'order-3'].map((name) => setup.client(name)));
      const holder = clients[0]?.thread('A').at('write');
      await holder?.lock('orders');
      for (const client of clients) {
        for (let n = 0; n < 8; n++) {
          const thread = client.thread(`W${n}`).at('write');
          void thread.lock('orders').then(() => thread.unlock('orders'));
        }
      }
      await pause(3000);
      await holder?.unlock('orders');
      await pause(500);
      return { lock: 'orders', confidence: 'certain' };
    },
  },
  {
    id: 'semaphore-permit-drift',
    how: 'a permit is released twice',
    async play(setup) {
      const a = (await setup.client('import-1')).thread('A').at('sem');
      await a.perform('set', 'slots', 2);
      await a.perform('acquire', 'slots');
      await a.perform('release', 'slots');
      await a.perform('release', 'slots');
      return { lock: 'slots', confidence: 'likely' };
    },
  },
  {
    id: 'permits-beyond-limit',
    how: 'a permit is released twice, then two are acquired',
    async play(setup) {
      const a = (await setup.client('import-1')).thread('A').at('sem');
      await a.perform('set', 'gate', 1);
      await a.perform('acquire', 'gate');
      await a.perform('release', 'gate');
      await a.perform('release', 'gate');
      await a.perform('acquire', 'gate');
      await a.perform('acquire', 'gate');
      return { lock: 'gate', confidence: 'likely' };
    },
  },
  {
    id: 'writer-starvation',
    how: 'two readers overlap in turn, so that a writer never gets the lock',
    async play(setup) {
      const first = (await setup.client('reader-1')).thread('A').at('read');
      const second = (await setup.client('reader-2')).thread('B').at('read');
      const writer = (await setup.client('writer')).thread('C');
      await first.lock('catalog');
      void writer.at('write').lock('catalog');
      for (let turn = 0; turn < 8; turn++) {
        await second.lock('catalog');
        await pause(400);
        await first.unlock('catalog');
        await first.lock('catalog');
        await pause(400);
        await second.unlock('catalog');
      }
      return { lock: 'catalog', holders: [writer.holder], confidence: 'certain', healsItself: false };
    },
  },
  {
    id: 'multilock-livelock',
    how: 'three threads take three locks together, each in its own order',
    async play(setup) {
      // one JVM: on a machine with two cores, several JVMs that wake at the same instant have to wait for each other
      const client = await setup.client('move');
      const threads = ['A', 'B', 'C'].map((letter) => client.thread(letter));
      const orders = ['acc:1,acc:2,acc:3', 'acc:2,acc:3,acc:1', 'acc:3,acc:1,acc:2'];
      // a JVM that runs this for the first time pauses between its steps
      for (const [n, thread] of threads.entries()) await takeTurns(thread.at('multi'), orders[n] ?? '', 60);
      // each thread acquires its first lock at the same instant, so that all of them give up at the same time
      await setup.redis.command('CLIENT', 'PAUSE', '300');
      threads.forEach((thread, n) => void takeTurns(thread.at('multi'), orders[n] ?? '', 1000));
      // the threads give up after 4.5 s
      await pause(5000);
      return {
        ...{ lock: ['acc:1', 'acc:2', 'acc:3'], among: threads.map(({ holder }) => holder) },
        ...{ confidence: 'likely', atEvents: 'hint', healsItself: false },
      };
    },
  },
  {
    id: 'quorum-error-without-cause',
    how: 'node-redlock gives up on a lock that another process holds for longer than it retries',
    async play(setup) {
      const owner = await setup.other('redlock-5', 'web-1');
      const other = await setup.other('redlock-5', 'web-2');
      await owner.call('A', 'lock', 'lock', 'stock:7', 20_000);
      const heldBy = await owner.call('A', 'owner', 'lock', 'stock:7');
      await other.call('B', 'try-again', 'lock', 'stock:7', 20_000);
      return {
        ...{ lock: 'stock:7', confidence: 'likely', atEvents: 'hint', healsItself: false },
        values: { cause: 'held', heldBy, tries: 11 },
      };
    },
  },
  {
    id: 'released-before-commit',
    how: 'each holder releases before the next one acquires, so the lock is not to blame',
    async play(setup) {
      const a = (await setup.client('order-1')).thread('A');
      const b = (await setup.client('order-2')).thread('B');
      await a.lock('orders');
      const waiting = b.lock('orders');
      await pause(1000);
      await a.unlock('orders');
      await waiting;
      await b.unlock('orders');
      return {
        ...{ lock: 'orders', isOnRequest: true, confidence: 'likely', atEvents: 'hint', healsItself: false },
        values: { handovers: 1 },
      };
    },
  },
];
