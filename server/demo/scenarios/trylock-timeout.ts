import type { ScenarioScript } from '../scenario.ts';

/** A waiter with a time limit. */
export const tryLockTimeout: ScenarioScript = {
  id: 'trylock-timeout',
  title: 'Giving up',
  summary: 'B waits for A’s lock, but no longer than 2 s. The only trace it leaves in Redis is its UNSUBSCRIBE.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'B asks and is refused: it reads the lease left', who: 'B1', happens: 'refused', attempt: 1 },
    { title: 'B subscribes to the lock’s channel', who: 'B1', happens: 'subscribed' },
    { title: 'B attempts again and is refused', who: 'B1', happens: 'refused', attempt: 2 },
    { title: 'After 2 s B gives up', who: 'B1', happens: 'gave-up' },
    { title: 'B unsubscribes', who: 'B1', happens: 'unsubscribed' },
    { title: 'A releases', who: 'A1', happens: 'released' },
  ],
  async play({ lock, tryLock, unlock, pause }) {
    await lock('A1');
    await pause(800);
    await tryLock('B1', { waitMs: 2000 });
    await pause(2200);
    await unlock('A1');
  },
};
