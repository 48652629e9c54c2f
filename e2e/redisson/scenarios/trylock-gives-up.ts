import { expect } from 'vitest';
import { NOT_HELD_AT_ALL, type Scenario } from '../scenario.ts';

const LOCK = 'trylock-gives-up:orders:42';

/**
 * tryLock(3 s) gives up, long after its client began to listen. tryLock(40 s, lease 0.8 s) acquires when A's lease has
 * expired, and its own lease expires too.
 */
export const tryLockGivesUp: Scenario = {
  id: 'trylock-gives-up',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A'), app2.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    expect(await b.tryLock(LOCK, 3000)).toBe('false');
    await setup.sees(LOCK, { holder: a, waiters: [] });
    expect(await a.unlock(LOCK)).toBe('ok');

    expect(await a.lock(LOCK, 12_000)).toBe('ok');
    const waiting = b.tryLock(LOCK, 40_000, 800);
    await setup.sees(LOCK, { holder: a, waiters: [b] });
    expect(await waiting).toBe('true');
    const expired = await setup.reported(LOCK, 'lease.expired', a);
    const acquired = await setup.reported(LOCK, 'lock.acquired', b);
    expect(acquired.because).toContain(expired.seq);

    await setup.reported(LOCK, 'lease.expired', b);
    await setup.sees(LOCK, { holder: null, waiters: [] });
    expect(await b.unlock(LOCK)).toMatch(NOT_HELD_AT_ALL);
  },
};
