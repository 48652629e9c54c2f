import type { ScenarioScript } from '../scenario.ts';

/** Each hold of a fenced lock has a higher token, so a late write by an earlier holder can be recognised. */
export const fenced: ScenarioScript = {
  id: 'fenced',
  title: 'Fencing tokens',
  summary: 'Every hold gets a higher token. B freezes past its lease; when it continues, its token is older than C’s.',
  lock: 'stock:17',
  kind: 'fenced-lock',
  steps: [
    { title: 'A acquires the lock, with a token', who: 'A1', happens: 'acquired' },
    { title: 'A releases; the counter stays', who: 'A1', happens: 'released' },
    { title: 'B acquires it for 4 s, with a higher token', who: 'B1', happens: 'acquired' },
    { title: 'B’s process is frozen', who: 'B', happens: 'frozen' },
    { title: 'C is refused and sleeps', who: 'C1', happens: 'refused', attempt: 2 },
    {
      title: 'B’s lease has expired: C acquires, with the highest token',
      who: 'C1',
      happens: 'acquired',
      wokenBy: 'own-timer',
    },
    { title: 'B continues, with its old token', who: 'B', happens: 'thawed' },
    { title: 'B’s unlock is refused', who: 'B1', happens: 'unlock-refused' },
    { title: 'C releases', who: 'C1', happens: 'released' },
  ],
  async play({ lock, unlock, freeze, thaw, reached, pause }) {
    await lock('A1');
    await pause(3000); // until Lockscope has read the counter; between two renewals
    await unlock('A1');
    await pause(800);
    await lock('B1', { leaseMs: 4000 });
    await pause(700);
    await freeze('B');
    await pause(500);
    const waiting = lock('C1');
    await reached(5);
    await waiting;
    await pause(700);
    await thaw('B');
    await pause(700);
    await unlock('B1');
    await pause(1300);
    await unlock('C1');
  },
};
