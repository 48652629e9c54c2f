import { expect } from 'vitest';
import { NOT_HELD, type Scenario } from '../scenario.ts';

const LOCK = 'frozen:orders:42';

/**
 * The holder is frozen for longer than its lease, and another client acquires. Then its renewal and unlock are refused.
 */
export const frozen: Scenario = {
  id: 'frozen',
  async play(setup) {
    const [sleeper, other] = [await setup.victim(), await setup.client('short')];
    const [a, b] = [sleeper.thread('A'), other.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = b.lock(LOCK);
    await setup.sees(LOCK, { holder: a, waiters: [b] });

    sleeper.freeze();
    expect(await waiting).toBe('ok');
    await setup.reported(LOCK, 'lease.expired', a);
    await setup.sees(LOCK, { holder: b, holdCount: 1, waiters: [] });
    await setup.sees(LOCK, { holder: b, watchdog: 'on', renewals: 1 });

    sleeper.thaw();
    await setup.reported(LOCK, 'renewal.refused', a);
    expect(await a.unlock(LOCK)).toMatch(NOT_HELD);
    await setup.sees(LOCK, { holder: b, holdCount: 1 });
    expect(await b.unlock(LOCK)).toBe('ok');
  },
};
