import { expect } from 'vitest';
import type { Scenario } from '../stage.ts';

const [LOCK, WARM_UP] = ['fair-dead-head:orders:42', 'fair-dead-head:warm-up'];
/** The holder's lease and the wait of the first in the queue: together, how long that one may stand there. */
const [LEASE_MS, WAIT_MS] = [3000, 2500];

/** The first in the queue is killed: whoever stands behind it gets the free lock only when its time there is over. */
export const fairDeadHead: Scenario = {
  id: 'fair-dead-head',
  async play(stage) {
    const [app1, doomed, app2] = [await stage.client('app1'), await stage.victim(), await stage.client('app2')];
    const [a, b, c] = [app1.thread('A').at('fair'), doomed.thread('B'), app2.thread('C')];

    // What a JVM does for the first time takes long on a busy machine, and the lease runs.
    expect(await b.at('fair').tryLock(WARM_UP, 1000)).toBe('true');
    expect(await b.at('fair').unlock(WARM_UP)).toBe('ok');
    expect(await a.lock(LOCK, LEASE_MS)).toBe('ok');
    void b.at('fair').tryLock(LOCK, WAIT_MS);
    await stage.told(LOCK, 'waiter.queued', b);
    // Once more: so the lock is free only shortly before the first has stood there for too long. Meanwhile, since
    // 3.32.0, a client asks thousands of times a second for a lock that is free and not its own.
    expect(await a.lock(LOCK, LEASE_MS + 1300)).toBe('ok');
    const patient = c.at('fair').lock(LOCK);
    await stage.told(LOCK, 'waiter.queued', c);
    await doomed.kill();

    expect(await patient).toBe('ok');
    const evicted = await stage.told(LOCK, 'waiter.dequeued', b, { reason: 'evicted' });
    await stage.told(LOCK, 'lease.expired');
    const acquired = await stage.told(LOCK, 'lock.acquired', c);
    expect(acquired.because).toContain(evicted.seq);
    await stage.sees(LOCK, { holder: c, queue: [] });
    expect(await c.at('fair').unlock(LOCK)).toBe('ok');
  },
};
