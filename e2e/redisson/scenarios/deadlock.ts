import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';

const [STOCK, CASH] = ['deadlock:stock', 'deadlock:cash'];

/** A holds stock and wants cash, B holds cash and wants stock, until A gives up. */
export const deadlock: Scenario = {
  id: 'deadlock',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A'), app2.thread('B')];

    expect(await a.lock(STOCK)).toBe('ok');
    expect(await b.lock(CASH)).toBe('ok');
    const patient = b.tryLock(STOCK, 60_000);
    const timedAttempt = a.tryLock(CASH, 12_000);
    await setup.sees(STOCK, { holder: a, waiters: [b] });
    await setup.sees(CASH, { holder: b, waiters: [a] });

    expect(await timedAttempt).toBe('false');
    await setup.sees(CASH, { holder: b, waiters: [] });
    expect(await a.unlock(STOCK)).toBe('ok');
    expect(await patient).toBe('true');
    await setup.sees(STOCK, { holder: b, waiters: [] });
    expect(await b.unlock(STOCK)).toBe('ok');
    expect(await b.unlock(CASH)).toBe('ok');
  },
};
