import type { ScenarioScript } from '../scenario.ts';

/** A contended lock in eight steps. */
export const twoThreads: ScenarioScript = {
  id: 'two-threads',
  title: 'Two threads, one lock',
  summary: 'B wants the lock that A holds: it asks twice, sleeps, and is woken by the message of A’s release.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'B asks and is refused: it reads the lease left', who: 'B1', happens: 'refused', attempt: 1 },
    { title: 'B subscribes to the lock’s channel', who: 'B1', happens: 'subscribed' },
    { title: 'B attempts again and is refused', who: 'B1', happens: 'refused', attempt: 2 },
    { title: 'A releases and publishes', who: 'A1', happens: 'released' },
    { title: 'B is woken, attempts and acquires', who: 'B1', happens: 'acquired', wokenBy: 'message' },
    { title: 'B unsubscribes', who: 'B1', happens: 'unsubscribed' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, unlock, reached, pause }) {
    await lock('A1');
    await pause(2500);
    const waiting = lock('B1');
    await reached(4);
    await pause(4500); // ends between two renewals (every 2 s), and before B's own timer
    await unlock('A1');
    await waiting;
    await pause(3000);
    await unlock('B1');
  },
};
