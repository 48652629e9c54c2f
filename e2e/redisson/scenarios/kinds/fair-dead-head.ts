import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const [LOCK, WARM_UP] = ['fair-dead-head:orders:42', 'fair-dead-head:warm-up'];
/** The holder's lease and the wait of the queue head; together they are the head's deadline. */
const [LEASE_MS, WAIT_MS] = [9000, 7500];

/** The head of the queue is killed: the waiter behind it acquires the free lock only after the head's deadline. */
export const fairDeadHead: Scenario = {
  id: 'fair-dead-head',
  async play(setup) {
    const [app1, doomed, app2] = [await setup.client('app1'), await setup.victim(), await setup.client('app2')];
    const [a, b, c] = [app1.thread('A').at('fair'), doomed.thread('B'), app2.thread('C')];

    // The first operations of a JVM are slow on a busy machine, while the lease runs.
    expect(await b.at('fair').tryLock(WARM_UP, 1000)).toBe('true');
    expect(await b.at('fair').unlock(WARM_UP)).toBe('ok');
    expect(await a.lock(LOCK, LEASE_MS)).toBe('ok');
    const heldFrom = performance.now();
    void b.at('fair').tryLock(LOCK, WAIT_MS);
    await setup.reported(LOCK, 'waiter.queued', b);
    // A re-entry with a longer lease keeps the lock until shortly before the head's deadline: since 3.32.0, a client
    // retries thousands of times a second while the lock is free behind a dead head. But the lock must be free at the
    // deadline: up to 3.31.0, a waiter that is refused at its first retry sleeps without limit.
    const heldMs = Math.round(performance.now() - heldFrom);
    expect(await a.lock(LOCK, LEASE_MS + 6000 - heldMs)).toBe('ok');
    const patient = c.at('fair').lock(LOCK);
    await setup.reported(LOCK, 'waiter.queued', c);
    await doomed.kill();

    expect(await patient).toBe('ok');
    const evicted = await setup.reported(LOCK, 'waiter.dequeued', b, { reason: 'evicted' });
    await setup.reported(LOCK, 'lease.expired');
    const acquired = await setup.reported(LOCK, 'lock.acquired', c);
    expect(acquired.because).toContain(evicted.seq);
    await setup.sees(LOCK, { holder: c, queue: [] });
    expect(await c.at('fair').unlock(LOCK)).toBe('ok');
  },
};
