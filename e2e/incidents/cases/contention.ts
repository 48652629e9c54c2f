import { pause } from '../../support/wait-for.ts';
import type { IncidentCase } from '../scene.ts';

/** Threads are in each other's way. */
export const contention: readonly IncidentCase[] = [
  {
    id: 'abba-deadlock',
    how: 'two threads take two locks in opposite order',
    async play(scene) {
      const a = (await scene.client('order-1')).thread('A');
      const b = (await scene.client('order-2')).thread('B');
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
    async play(scene) {
      const clients = await Promise.all(['order-1', 'order-2', 'order-3'].map((name) => scene.client(name)));
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
    async play(scene) {
      const a = (await scene.client('import-1')).thread('A').at('sem');
      await a.perform('set', 'slots', 2);
      await a.perform('acquire', 'slots');
      await a.perform('release', 'slots');
      await a.perform('release', 'slots');
      return { lock: 'slots', confidence: 'likely' };
    },
  },
  {
    id: 'writer-starvation',
    how: 'two readers overlap in turn, so that a writer never gets the lock',
    async play(scene) {
      const first = (await scene.client('reader-1')).thread('A').at('read');
      const second = (await scene.client('reader-2')).thread('B').at('read');
      const writer = (await scene.client('writer')).thread('C');
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
];
