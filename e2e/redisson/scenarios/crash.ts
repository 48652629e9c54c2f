import { expect } from 'vitest';
import { SHORT_WATCHDOG_MS } from '../clients.ts';
import type { Scenario } from '../scenario.ts';

const LOCK = 'crash:orders:42';

/**
 * The holder is killed: no renewal and no release follow. The lease expires, and the waiter acquires by its own timer.
 */
export const crash: Scenario = {
  id: 'crash',
  async play(setup) {
    const [doomed, survivor] = [await setup.victim(), await setup.client('app2')];
    const [a, b] = [doomed.thread('A'), survivor.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = b.lock(LOCK);
    await setup.sees(LOCK, { holder: a, leaseMs: SHORT_WATCHDOG_MS, waiters: [b] });

    await doomed.kill();
    expect(await waiting).toBe('ok');
    await setup.sees(LOCK, { holder: b, waiters: [] });
    const expired = await setup.reported(LOCK, 'lease.expired', a);
    const acquired = await setup.reported(LOCK, 'lock.acquired', b);
    expect(acquired.because).toContain(expired.seq);
    expect(await b.unlock(LOCK)).toBe('ok');
  },
};
