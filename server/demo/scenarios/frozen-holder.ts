import type { ScenarioScript } from '../scenario.ts';

/** The holder is frozen longer than its lease: then two clients work at once. */
export const frozenHolder: ScenarioScript = {
  id: 'frozen-holder',
  title: 'The holder freezes',
  summary:
    'A is stopped, as by a long garbage collection. Its lease expires, B acquires the lock, and A continues unaware.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'B asks and is refused: it reads the lease left', who: 'B1', happens: 'refused', attempt: 1 },
    { title: 'B subscribes to the lock’s channel', who: 'B1', happens: 'subscribed' },
    { title: 'B attempts again and is refused', who: 'B1', happens: 'refused', attempt: 2 },
    { title: 'A’s process is frozen: no renewals', who: 'A', happens: 'frozen' },
    { title: 'A’s lease has expired: B acquires', who: 'B1', happens: 'acquired', wokenBy: 'own-timer' },
    { title: 'A continues and still thinks it holds the lock', who: 'A', happens: 'thawed' },
    { title: 'A’s renewal is refused', who: 'A1', happens: 'renewal-refused' },
    { title: 'A’s unlock is refused', who: 'A1', happens: 'unlock-refused' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, unlock, freeze, thaw, reached, pause }) {
    await lock('A1');
    await pause(600);
    const waiting = lock('B1');
    await reached(4);
    await pause(400);
    await freeze('A');
    await waiting;
    await pause(700);
    await thaw('A');
    await reached(8);
    await pause(700);
    await unlock('A1');
    await pause(1300);
    await unlock('B1');
  },
};
