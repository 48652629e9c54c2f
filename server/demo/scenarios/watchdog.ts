import type { ScenarioScript } from '../scenario.ts';

/** The watchdog renews the lease of a long hold. */
export const watchdog: ScenarioScript = {
  id: 'watchdog',
  title: 'The watchdog keeps it alive',
  summary:
    'A holds the lock longer than its lease of 6 s: every third of it, the watchdog sets the lease to 6 s again.',
  lock: 'orders:42',
  steps: [
    { title: 'A acquires the lock for 6 s', who: 'A1', happens: 'acquired' },
    { title: 'The watchdog renews the lease', who: 'A1', happens: 'renewed' },
    { title: 'The watchdog renews it again', who: 'A1', happens: 'renewed' },
    { title: 'And again, while A holds the lock', who: 'A1', happens: 'renewed' },
    { title: 'A releases, the watchdog stops', who: 'A1', happens: 'released' },
  ],
  async play({ lock, unlock, reached, pause }) {
    await lock('A1');
    await reached(4);
    await pause(1000);
    await unlock('A1');
  },
};
