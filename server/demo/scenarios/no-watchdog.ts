import type { ScenarioScript } from '../scenario.ts';

/** An explicit lease is never renewed. */
export const noWatchdog: ScenarioScript = {
  id: 'no-watchdog',
  title: 'A lease that runs out',
  summary:
    'A acquires the lock for 3 s and works longer. It is not renewed, B acquires it, and A’s release is too late.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock for 3 s, without a watchdog', who: 'A1', happens: 'acquired' },
    { title: 'B asks and is refused: it reads the lease left', who: 'B1', happens: 'refused', attempt: 1 },
    { title: 'B subscribes, though no message will come', who: 'B1', happens: 'subscribed' },
    { title: 'B attempts again and sleeps for the rest of the lease', who: 'B1', happens: 'refused', attempt: 2 },
    {
      title: 'A’s lease has expired: B’s own timer wakes it, and it acquires',
      who: 'B1',
      happens: 'acquired',
      wokenBy: 'own-timer',
    },
    { title: 'A’s unlock is refused: it is no longer the holder', who: 'A1', happens: 'unlock-refused' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, unlock, pause }) {
    await lock('A1', { leaseMs: 3000 });
    await pause(800);
    await lock('B1');
    await pause(1500); // four and a half seconds of work in all
    await unlock('A1');
    await pause(1200);
    await unlock('B1');
  },
};
