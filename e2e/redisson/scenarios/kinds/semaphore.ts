import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const GATE = 'semaphore:gate';

/** Three permits: two are acquired, two more are refused and waited for, then all are released and drained. */
export const semaphore: Scenario = {
  id: 'semaphore',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b, c] = [app1.thread('A').at('sem'), app2.thread('B').at('sem'), app2.thread('C').at('sem')];

    expect(await a.perform('set', GATE, 3)).toBe('true');
    expect(await a.perform('acquire', GATE, 2)).toBe('ok');
    await setup.sees(GATE, { like: { kind: 'semaphore', permits: { available: 1, total: 3 } } });
    expect(await b.perform('try', GATE, 2)).toBe('false');
    const waiting = c.perform('acquire', GATE, 2);
    // Redis 6 does not show the names of connections in commands: a new connection is known by its address for a while.
    const waiters = [{ mode: 'permit' }];
    await setup.sees(GATE, { like: { permits: { available: 1 }, waiters } });
    expect(await a.perform('release', GATE, 2)).toBe('ok');
    expect(await waiting).toBe('ok');
    await setup.sees(GATE, { waiters: [], like: { permits: { available: 1, total: 3 } } });
    expect(await c.perform('release', GATE, 2)).toBe('ok');
    expect(await a.perform('available', GATE)).toBe('3');
    expect(await a.perform('drain', GATE)).toBe('3');
    await setup.sees(GATE, { like: { permits: { available: 0, total: 3 } } });
    expect(await a.perform('release', GATE, 3)).toBe('ok');
    await setup.sees(GATE, { holders: [], like: { permits: { available: 3, total: 3 } } });
  },
};
