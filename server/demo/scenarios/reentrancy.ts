import type { ScenarioScript } from '../scenario.ts';

/** One thread acquires its own lock twice and must release it twice. */
export const reentrancy: ScenarioScript = {
  id: 'reentrancy',
  title: 'The same thread again',
  summary: 'A acquires the lock it already holds: the hold count rises to two, and two releases are needed.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock', who: 'A1', happens: 'acquired' },
    { title: 'A enters again: hold count 2', who: 'A1', happens: 'acquired' },
    { title: 'A releases once: hold count 1', who: 'A1', happens: 'partially-released' },
    { title: 'B attempts once and is refused: A still holds it', who: 'B1', happens: 'refused' },
    { title: 'A releases again: the lock is free', who: 'A1', happens: 'released' },
    { title: 'B attempts and acquires', who: 'B1', happens: 'acquired' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, tryLock, unlock, pause }) {
    await lock('A1');
    await pause(1200);
    await lock('A1');
    await pause(1400);
    await unlock('A1');
    await pause(800);
    await tryLock('B1');
    await pause(1400);
    await unlock('A1');
    await pause(800);
    await tryLock('B1');
    await pause(800);
    await unlock('B1');
  },
};
