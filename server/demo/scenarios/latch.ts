import type { ScenarioScript } from '../scenario.ts';

/** A thread waits until a count reaches zero. */
export const latch: ScenarioScript = {
  id: 'latch',
  title: 'A latch of three',
  summary: 'C waits until three parts are ready. Each counts down once; the last one opens the latch and wakes C.',
  lock: 'boot:7',
  kind: 'latch',
  steps: [
    { title: 'C sets the count: 3', who: 'C1', happens: 'latch-set' },
    { title: 'C checks: not open yet', who: 'C1', happens: 'refused', attempt: 1 },
    { title: 'C subscribes and sleeps', who: 'C1', happens: 'refused', attempt: 2 },
    { title: 'A counts down: two left', who: 'A1', happens: 'counted-down' },
    { title: 'B counts down: one left', who: 'B1', happens: 'counted-down' },
    { title: 'A’s thread 2 counts down to zero: the latch opens', who: 'A2', happens: 'counted-down' },
    { title: 'C is woken and continues', who: 'C1', happens: 'acquired', wokenBy: 'message' },
  ],
  async play({ ask, reached, pause }) {
    await ask('C1', 'trySetCount', { permits: 3 });
    await pause(1000);
    const waiting = ask('C1', 'await');
    await reached(3);
    await pause(1200);
    await ask('A1', 'countDown');
    await pause(1200);
    await ask('B1', 'countDown');
    await pause(1200);
    await ask('A2', 'countDown');
    await waiting;
  },
};
