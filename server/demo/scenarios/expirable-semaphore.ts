import type { ScenarioScript } from '../scenario.ts';

/** Permits with ids and deadlines: a permit that its holder does not release is reclaimed. */
export const expirableSemaphore: ScenarioScript = {
  id: 'expirable-semaphore',
  title: 'A permit that expires',
  summary: 'A takes a permit for 4 s and keeps it too long. C waits and reclaims it; A’s release is refused.',
  lock: 'licence:cad',
  kind: 'expirable-semaphore',
  steps: [
    { title: 'A sets the number of permits: 2', who: 'A1', happens: 'permits-set' },
    { title: 'A takes one for 4 s', who: 'A1', happens: 'acquired' },
    { title: 'B takes one without a deadline', who: 'B1', happens: 'acquired' },
    { title: 'C is refused: none is free', who: 'C1', happens: 'refused', attempt: 1 },
    { title: 'C subscribes and sleeps until A’s permit expires', who: 'C1', happens: 'refused', attempt: 2 },
    {
      title: 'C’s own timer: it reclaims A’s permit and acquires',
      who: 'C1',
      happens: 'acquired',
      wokenBy: 'own-timer',
    },
    { title: 'A’s release is refused: its permit has expired', who: 'A1', happens: 'permit-refused' },
    { title: 'B releases its permit', who: 'B1', happens: 'permits-released' },
    { title: 'C releases its permit', who: 'C1', happens: 'permits-released' },
  ],
  async play({ ask, pause }) {
    await ask('A1', 'trySetPermits', { permits: 2 });
    await pause(1000);
    await ask('A1', 'acquire', { leaseMs: 4000 });
    await pause(1000);
    await ask('B1', 'acquire');
    await pause(1000);
    await ask('C1', 'acquire');
    await pause(1000);
    await ask('A1', 'release');
    await pause(1000);
    await ask('B1', 'release');
    await pause(1000);
    await ask('C1', 'release');
  },
};
