import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const LOCK = 'fenced:ledger';

/** Every acquisition and re-entry has its own fencing token: 1, 2, and 3 for the next holder. */
export const fenced: Scenario = {
  id: 'fenced',
  needs: 'fenced',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A'), app2.thread('B')];

    expect(await a.at('fenced').lock(LOCK)).toBe('ok');
    expect(await a.at('fenced').lock(LOCK)).toBe('ok');
    expect(await a.at('fenced').perform('token', LOCK)).toBe('2');
    await setup.sees(LOCK, { holder: a, holdCount: 2, like: { kind: 'fenced-lock', fencingToken: '2' } });
    const waiting = b.at('fenced').lock(LOCK);
    await setup.sees(LOCK, { holder: a, waiters: [b] });
    expect(await a.at('fenced').unlock(LOCK)).toBe('ok');
    expect(await a.at('fenced').unlock(LOCK)).toBe('ok');
    expect(await waiting).toBe('ok');
    expect(await b.at('fenced').perform('token', LOCK)).toBe('3');
    await setup.sees(LOCK, { holder: b, holdCount: 1, waiters: [], like: { fencingToken: '3' } });
    expect(await b.at('fenced').unlock(LOCK)).toBe('ok');
  },
};
