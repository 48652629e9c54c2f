import { expect } from 'vitest';
import { SHORT_WATCHDOG_MS } from '../clients.ts';
import { NOT_HELD_AT_ALL, type Scenario } from '../scenario.ts';

const [FIRST, SECOND, EXPLICIT] = ['watchdog:1', 'watchdog:2', 'watchdog:explicit'];
/**
 * The explicit lease. It still runs when the watchdog has renewed the other two twice, one renewal every two seconds.
 */
const LEASE_MS = 15_000;

/** The watchdog renews two locks of one client beyond their first lease, but not a lock with an explicit lease. */
export const watchdog: Scenario = {
  id: 'watchdog',
  async play(setup) {
    const app = await setup.client('short');
    const [a, b, c] = [app.thread('A'), app.thread('B'), app.thread('C')];

    expect(await a.lock(FIRST)).toBe('ok');
    expect(await b.lock(SECOND)).toBe('ok');
    expect(await c.lock(EXPLICIT, LEASE_MS)).toBe('ok');

    await setup.sees(FIRST, { holder: a, leaseMs: SHORT_WATCHDOG_MS, watchdog: 'on', renewals: 2 });
    const explicit = await setup.sees(EXPLICIT, { holder: c, leaseMs: LEASE_MS });
    expect(explicit.holders).toMatchObject([{ renewals: 0, lastRenewedAt: null }]);
    expect(explicit.holders[0]?.watchdog).not.toBe('on');

    // Four renewals, one each third of the lease, extend beyond the first lease.
    await setup.sees(FIRST, { holder: a, renewals: 4 });
    await setup.sees(SECOND, { holder: b, leaseMs: SHORT_WATCHDOG_MS, watchdog: 'on', renewals: 4 });
    expect(await a.unlock(FIRST)).toBe('ok');

    await setup.reported(EXPLICIT, 'lease.expired', c);
    await setup.sees(SECOND, { holder: b, renewals: 6 });
    expect(await b.unlock(SECOND)).toBe('ok');
    expect(await c.unlock(EXPLICIT)).toMatch(NOT_HELD_AT_ALL);
  },
};
