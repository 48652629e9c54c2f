import type { ScenarioScript } from '../scenario.ts';

const PLAIN = 'plainLock';

/** A lock without an owner, and a re-entrant lock: one thread locks each of them twice. */
export const jdkContrast: ScenarioScript = {
  id: 'jdk-contrast',
  title: 'A plain lock beside a re-entrant one',
  summary:
    'A’s thread acquires a plain lock in its own memory and asks again: it waits for itself. B does the same with an RLock, which knows its owner and counts.',
  lock: 'orders:42',
  localLocks: [{ client: 'A', name: PLAIN }],
  steps: [
    { title: 'A acquires a plain lock in its own memory', who: 'A1', happens: 'local-taken' },
    { title: 'B acquires an RLock: ×1', who: 'B1', happens: 'acquired' },
    { title: 'B asks for it again: ×2, because B is its owner', who: 'B1', happens: 'acquired' },
    { title: 'A asks for its lock again, for at most 2 s', who: 'A1', happens: 'local-waits' },
    { title: 'After 2 s A gives up', who: 'A1', happens: 'local-gave-up' },
    { title: 'A asks without a limit, and waits for itself', who: 'A1', happens: 'local-waits' },
    { title: 'B releases once: ×1', who: 'B1', happens: 'partially-released' },
    { title: 'B releases again: free', who: 'B1', happens: 'released' },
    { title: 'The demo interrupts A; otherwise it would wait forever', who: 'A1', happens: 'local-let-go' },
    { title: 'A frees the plain lock', who: 'A1', happens: 'local-freed' },
  ],
  async play({ local, lock, unlock, interrupt, reached, pause }) {
    await local('A1', 'localLock', { lock: PLAIN });
    await pause(1400);
    await lock('B1');
    await pause(1400);
    await lock('B1');
    await pause(1400);
    await local('A1', 'localTryLock', { lock: PLAIN, waitMs: 2000 });
    await pause(1200);
    const stuck = local('A1', 'localLock', { lock: PLAIN });
    await reached(6);
    await pause(1000);
    await unlock('B1');
    await pause(1700);
    await unlock('B1');
    await pause(2000);
    await interrupt('A');
    await stuck;
    await pause(1200);
    await local('A1', 'localUnlock', { lock: PLAIN });
  },
};
