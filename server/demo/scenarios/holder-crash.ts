import type { ScenarioScript } from '../scenario.ts';

/** The process that holds the lock is killed. */
export const holderCrash: ScenarioScript = {
  id: 'holder-crash',
  title: 'The holder crashes',
  summary: 'A is killed while it holds the lock. No release, no message: B acquires it when the lease has expired.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'A’s process is killed: the lease is not renewed', who: 'A', happens: 'killed' },
    { title: 'B asks and is refused: it reads the lease left', who: 'B1', happens: 'refused', attempt: 1 },
    { title: 'B subscribes to the lock’s channel', who: 'B1', happens: 'subscribed' },
    { title: 'B attempts again and is refused', who: 'B1', happens: 'refused', attempt: 2 },
    {
      title: 'The lease has expired: B’s own timer wakes it, and it acquires',
      who: 'B1',
      happens: 'acquired',
      wokenBy: 'own-timer',
    },
    { title: 'B unsubscribes', who: 'B1', happens: 'unsubscribed' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, unlock, kill, pause }) {
    await lock('A1');
    await pause(2500); // half a second after the last renewal
    await kill('A');
    await pause(500);
    await lock('B1');
    await pause(3000);
    await unlock('B1');
  },
};
