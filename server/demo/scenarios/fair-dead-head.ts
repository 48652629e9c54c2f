import type { ScenarioScript } from '../scenario.ts';

/** How long a waiter stays in the queue after its turn could have come. Redisson's default is five minutes. */
const QUEUE_MS = 700;
const LEASE_MS = 7000;

/** The head of a fair lock's queue is dead: no client can acquire the lock until the head's deadline has passed. */
export const fairDeadHead: ScenarioScript = {
  id: 'fair-dead-head',
  title: 'A dead head in a fair queue',
  summary:
    'B dies at the head of the queue. The lock becomes free, but C cannot acquire it before B’s deadline. Here, that is 0.7 s after A’s lease would have ended, in Redisson five minutes.',
  lock: 'invoice:9',
  kind: 'fair-lock',
  steps: [
    { title: 'A acquires the fair lock for 7 s', who: 'A1', happens: 'acquired' },
    { title: 'B is refused and is first in the queue', who: 'B1', happens: 'refused', attempt: 2 },
    { title: 'C is second', who: 'C1', happens: 'refused', attempt: 2 },
    { title: 'B’s process is killed; its place in the queue stays', who: 'B', happens: 'killed' },
    { title: 'A releases: the message goes to B, who is dead', who: 'A1', happens: 'released' },
    {
      title: 'C’s own timer wakes it: the lock is free, but B is first',
      who: 'C1',
      happens: 'refused',
      attempt: 3,
    },
    {
      title: 'B’s deadline has passed: C evicts it and acquires',
      who: 'C1',
      happens: 'acquired',
      wokenBy: 'own-timer',
    },
    { title: 'C releases', who: 'C1', happens: 'released' },
  ],
  async play({ lock, unlock, kill, reached, pause }) {
    await lock('A1', { leaseMs: LEASE_MS, queueMs: QUEUE_MS });
    await pause(800);
    void lock('B1', { queueMs: QUEUE_MS }); // B is killed before it acquires
    await reached(2);
    await pause(700);
    const c = lock('C1', { queueMs: QUEUE_MS });
    await reached(3);
    await pause(1000);
    await kill('B');
    await pause(1200);
    await unlock('A1');
    await c;
    await pause(1300);
    await unlock('C1');
  },
};
