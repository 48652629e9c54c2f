import { expect } from 'vitest';
import { SHORT_WATCHDOG_MS } from '../clients.ts';
import type { Scenario } from '../stage.ts';

const LOCK = 'crash:orders:42';

/** The holder is killed: no renewal and no release follow. The lease expires, and the waiter acquires by its own timer. */
export const crash: Scenario = {
  id: 'crash',
  async play(stage) {
    const [doomed, survivor] = [await stage.victim(), await stage.client('app2')];
    const [a, b] = [doomed.thread('A'), survivor.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = b.lock(LOCK);
    await stage.sees(LOCK, { holder: a, leaseMs: SHORT_WATCHDOG_MS, waiters: [b] });

    await doomed.kill();
    expect(await waiting).toBe('ok');
    await stage.sees(LOCK, { holder: b, waiters: [] });
    const expired = await stage.reported(LOCK, 'lease.expired', a);
    const acquired = await stage.reported(LOCK, 'lock.acquired', b);
    expect(acquired.because).toContain(expired.seq);
    expect(await b.unlock(LOCK)).toBe('ok');
  },
};
