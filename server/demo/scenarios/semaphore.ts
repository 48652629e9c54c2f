import type { ScenarioScript } from '../scenario.ts';

const TWO = { permits: 2 } as const;

/** A number of permits instead of one holder. */
export const semaphore: ScenarioScript = {
  id: 'semaphore',
  title: 'Five permits',
  summary: 'A and B take two of five permits each. C wants two, waits, and is woken when A releases its permits.',
  lock: 'pool:mail',
  kind: 'semaphore',
  steps: [
    { title: 'A sets the number of permits: 5', who: 'A1', happens: 'permits-set' },
    { title: 'A takes two', who: 'A1', happens: 'acquired' },
    { title: 'B takes two', who: 'B1', happens: 'acquired' },
    { title: 'C wants two, only one is free', who: 'C1', happens: 'refused', attempt: 1 },
    { title: 'C subscribes', who: 'C1', happens: 'subscribed' },
    { title: 'C tries again and sleeps', who: 'C1', happens: 'refused', attempt: 2 },
    { title: 'A releases two and publishes how many are free', who: 'A1', happens: 'permits-released' },
    { title: 'C is woken and takes two', who: 'C1', happens: 'acquired', wokenBy: 'message' },
    { title: 'B releases two', who: 'B1', happens: 'permits-released' },
    { title: 'C releases two: all are free', who: 'C1', happens: 'permits-released' },
  ],
  async play({ ask, reached, pause }) {
    await ask('A1', 'trySetPermits', { permits: 5 });
    await pause(1000);
    await ask('A1', 'acquire', TWO);
    await pause(1000);
    await ask('B1', 'acquire', TWO);
    await pause(1000);
    const waiting = ask('C1', 'acquire', TWO);
    await reached(6);
    await pause(1500);
    await ask('A1', 'release', TWO);
    await waiting;
    await pause(1000);
    await ask('B1', 'release', TWO);
    await pause(1000);
    await ask('C1', 'release', TWO);
  },
};
