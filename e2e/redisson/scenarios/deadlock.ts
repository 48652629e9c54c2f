import { expect } from 'vitest';
import type { Scenario } from '../stage.ts';

const [STOCK, CASH] = ['deadlock:stock', 'deadlock:cash'];

/** A holds stock and wants cash, B holds cash and wants stock, until A gives up. */
export const deadlock: Scenario = {
  id: 'deadlock',
  async play(stage) {
    const [app1, app2] = [await stage.client('app1'), await stage.client('app2')];
    const [a, b] = [app1.thread('A'), app2.thread('B')];

    expect(await a.lock(STOCK)).toBe('ok');
    expect(await b.lock(CASH)).toBe('ok');
    const patient = b.tryLock(STOCK, 60_000);
    const hasty = a.tryLock(CASH, 12_000);
    await stage.sees(STOCK, { holder: a, waiters: [b] });
    await stage.sees(CASH, { holder: b, waiters: [a] });

    expect(await hasty).toBe('false');
    await stage.sees(CASH, { holder: b, waiters: [] });
    expect(await a.unlock(STOCK)).toBe('ok');
    expect(await patient).toBe('true');
    await stage.sees(STOCK, { holder: b, waiters: [] });
    expect(await b.unlock(STOCK)).toBe('ok');
    expect(await b.unlock(CASH)).toBe('ok');
  },
};
