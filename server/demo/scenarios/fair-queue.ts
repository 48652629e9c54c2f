import type { ScenarioScript } from '../scenario.ts';

/** Waiters of a fair lock are served in order. */
export const fairQueue: ScenarioScript = {
  id: 'fair-queue',
  title: 'A fair queue of three',
  summary: 'Three wait for A’s fair lock. Redis keeps them in a list; each release wakes only the first.',
  lock: 'invoice:9',
  kind: 'fair-lock',
  steps: [
    { title: 'A acquires the fair lock', who: 'A1', happens: 'acquired' },
    { title: 'B is refused and is first in the queue', who: 'B1', happens: 'refused', attempt: 2 },
    { title: 'C is second', who: 'C1', happens: 'refused', attempt: 2 },
    { title: 'A’s thread 2 is third', who: 'A2', happens: 'refused', attempt: 2 },
    { title: 'A releases: the message goes to B alone', who: 'A1', happens: 'released' },
    { title: 'B acquires; the others move up', who: 'B1', happens: 'acquired', wokenBy: 'message' },
    { title: 'B releases', who: 'B1', happens: 'released' },
    { title: 'C acquires', who: 'C1', happens: 'acquired', wokenBy: 'message' },
    { title: 'C releases', who: 'C1', happens: 'released' },
    { title: 'A’s thread 2 acquires', who: 'A2', happens: 'acquired', wokenBy: 'message' },
    { title: 'A’s thread 2 releases', who: 'A2', happens: 'released' },
  ],
  async play({ lock, unlock, reached, pause }) {
    await lock('A1');
    await pause(700);
    const b = lock('B1');
    await reached(2);
    await pause(400);
    const c = lock('C1');
    await reached(3);
    await pause(400);
    const a2 = lock('A2');
    await reached(4);
    await pause(1300);
    await unlock('A1');
    await b;
    await pause(1200);
    await unlock('B1');
    await c;
    await pause(1200);
    await unlock('C1');
    await a2;
    await pause(1200);
    await unlock('A2');
  },
};
