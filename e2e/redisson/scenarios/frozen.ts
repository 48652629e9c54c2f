import { expect } from 'vitest';
import { NOT_HELD, type Scenario } from '../stage.ts';

const LOCK = 'frozen:orders:42';

/** The holder is frozen for longer than its lease, and another client acquires. Then its renewal and unlock are refused. */
export const frozen: Scenario = {
  id: 'frozen',
  async play(stage) {
    const [sleeper, other] = [await stage.victim(), await stage.client('short')];
    const [a, b] = [sleeper.thread('A'), other.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = b.lock(LOCK);
    await stage.sees(LOCK, { holder: a, waiters: [b] });

    sleeper.freeze();
    expect(await waiting).toBe('ok');
    await stage.reported(LOCK, 'lease.expired', a);
    await stage.sees(LOCK, { holder: b, holdCount: 1, waiters: [] });
    await stage.sees(LOCK, { holder: b, watchdog: 'on', renewals: 1 });

    sleeper.thaw();
    await stage.reported(LOCK, 'renewal.refused', a);
    expect(await a.unlock(LOCK)).toMatch(NOT_HELD);
    await stage.sees(LOCK, { holder: b, holdCount: 1 });
    expect(await b.unlock(LOCK)).toBe('ok');
  },
};
