import type { ScenarioScript } from '../scenario.ts';

const ORDERS = 'orders:42';
const STOCK = 'stock:7';

/** Two threads acquire two locks in opposite order. */
export const deadlock: ScenarioScript = {
  id: 'deadlock',
  title: 'Deadlock: two locks, opposite order',
  summary:
    'A acquires orders, then wants stock. B acquires stock, then wants orders. Watchdogs keep both alive, until A gives up.',
  lock: ORDERS,
  otherLocks: [STOCK],
  steps: [
    { title: 'A acquires orders:42', who: 'A1', happens: 'acquired', lock: ORDERS },
    { title: 'B acquires stock:7', who: 'B1', happens: 'acquired', lock: STOCK },
    { title: 'A wants stock:7 as well, is refused and sleeps', who: 'A1', happens: 'refused', attempt: 2, lock: STOCK },
    {
      title: 'B wants orders:42: now each waits for the other',
      who: 'B1',
      happens: 'refused',
      attempt: 2,
      lock: ORDERS,
    },
    { title: 'Both watchdogs renew: no lease will end this', who: 'A1', happens: 'renewed', lock: ORDERS },
    { title: 'After 7 s A’s tryLock gives up', who: 'A1', happens: 'gave-up', lock: STOCK },
    { title: 'A releases orders:42', who: 'A1', happens: 'released', lock: ORDERS },
    { title: 'B is woken and acquires orders:42', who: 'B1', happens: 'acquired', lock: ORDERS, wokenBy: 'message' },
    { title: 'B releases both', who: 'B1', happens: 'released', times: 2 },
  ],
  async play({ lock, tryLock, unlock, reached, pause }) {
    await lock('A1');
    await pause(1000);
    await lock('B1', { lock: STOCK });
    await pause(1200);
    const trying = tryLock('A1', { lock: STOCK, waitMs: 7000 });
    await reached(3);
    await pause(1500);
    const waiting = lock('B1');
    await trying;
    await pause(1400);
    await unlock('A1');
    await waiting;
    await pause(1100);
    await unlock('B1');
    await pause(400);
    await unlock('B1', { lock: STOCK });
  },
};
