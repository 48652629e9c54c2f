import type { ScenarioScript } from '../scenario.ts';

/** Only the holding thread may release a lock: no other process, and no other thread of the same process. */
export const unlockByNonOwner: ScenarioScript = {
  id: 'unlock-by-non-owner',
  title: 'Not yours to unlock',
  summary: 'A lock belongs to one thread of one client. An unlock by any other thread is refused and changes nothing.',
  lock: 'orders:42',
  steps: [
    { title: 'A’s thread 1 acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'B’s unlock is refused: another client holds it', who: 'B1', happens: 'unlock-refused' },
    { title: 'A’s thread 2 is refused as well: another thread holds it', who: 'A2', happens: 'unlock-refused' },
    { title: 'A’s thread 1 releases', who: 'A1', happens: 'released' },
    { title: 'A second unlock is refused: the lock is free', who: 'A1', happens: 'unlock-refused' },
  ],
  async play({ lock, unlock, pause }) {
    await lock('A1');
    await pause(1200);
    await unlock('B1');
    await pause(1300);
    await unlock('A2');
    await pause(600);
    await unlock('A1');
    await pause(800);
    await unlock('A1');
  },
};
