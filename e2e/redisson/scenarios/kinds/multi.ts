import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const [A, B, C, D] = ['multi:a', 'multi:b', 'multi:c', 'multi:d'] as const;
const [ABC, CD, DC, AB] = [[A, B, C].join(), [C, D].join(), [D, C].join(), [A, B].join()];

/** Three locks are acquired together. Other threads want one of them and a fourth lock: they roll back, or wait. */
export const multi: Scenario = {
  id: 'multi',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b, c] = [app1.thread('A'), app2.thread('B'), app2.thread('C')];

    expect(await a.at('multi').lock(ABC)).toBe('ok');
    for (const member of [A, B, C]) await setup.sees(member, { holder: a, holdCount: 1 });
    expect(await b.at('multi').tryLock(CD)).toBe('false');
    expect(await b.at('multi').tryLock(DC)).toBe('false');
    await setup.reported(D, 'lock.released', b);
    const waiting = c.at('multi').lock(DC);
    await setup.reported(C, 'lock.refused', c);
    expect(await a.at('multi').unlock(ABC)).toBe('ok');
    expect(await waiting).toBe('ok');
    for (const member of [C, D]) await setup.sees(member, { holder: c, holdCount: 1 });
    expect(await c.at('multi').unlock(DC)).toBe('ok');

    // Redisson acquires each lock with a lease of twice the wait, and then sets the real lease.
    expect(await a.at('multi').tryLock(AB, 10_000, 40_000)).toBe('true');
    for (const member of [A, B]) await setup.sees(member, { holder: a, leaseMs: 40_000 });
    expect(await a.at('multi').unlock(AB)).toBe('ok');
  },
};
