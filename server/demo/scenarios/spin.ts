import type { ScenarioScript } from '../scenario.ts';

/** A lock without a channel: waiters poll. */
export const spin: ScenarioScript = {
  id: 'spin',
  title: 'Spinning instead of sleeping',
  summary:
    'A spin lock has no channel. B asks, first after 1 ms, then up to every 128 ms, until it finds the lock free.',
  lock: 'cache:warm',
  kind: 'spin-lock',
  steps: [
    { title: 'A acquires the spin lock', who: 'A1', happens: 'acquired' },
    { title: 'A releases: it publishes nothing', who: 'A1', happens: 'released' },
    { title: 'A acquires it again', who: 'A1', happens: 'acquired' },
    { title: 'B asks and is refused', who: 'B1', happens: 'refused', attempt: 1 },
    { title: 'B does not subscribe: it has asked 10 times', who: 'B1', happens: 'refused', attempt: 10 },
    { title: 'A releases without a message', who: 'A1', happens: 'released' },
    { title: 'B asks again and acquires', who: 'B1', happens: 'acquired' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, unlock, reached, pause }) {
    await lock('A1');
    await pause(800);
    await unlock('A1');
    await pause(800);
    await lock('A1');
    await pause(1000);
    const spinning = lock('B1');
    await reached(5);
    await pause(1300);
    await unlock('A1');
    await spinning;
    await pause(1200);
    await unlock('B1');
  },
};
