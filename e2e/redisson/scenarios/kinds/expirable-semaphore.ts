import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const SLOTS = 'expirable-semaphore:slots';

/**
 * Two permits, one with a deadline. When that permit has expired, another client acquires a permit. The first client
 * then releases the expired permit too late.
 */
export const expirableSemaphore: Scenario = {
  id: 'expirable-semaphore',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b, c] = [app1.thread('A').at('psem'), app2.thread('B').at('psem'), app2.thread('C').at('psem')];

    expect(await a.perform('set', SLOTS, 2)).toBe('true');
    const brief = await a.perform('acquire', SLOTS, 12_000);
    const lasting = await a.perform('acquire', SLOTS);
    expect(await b.perform('try', SLOTS)).toBe('null');
    await setup.sees(SLOTS, { like: { kind: 'expirable-semaphore', permits: { available: 0, total: 2 } } });
    const shown = await setup.sees(SLOTS, {});
    expect(shown.holders.map(({ id }) => id).sort()).toEqual([brief, lasting].sort());
    const third = await c.perform('acquire', SLOTS, 60_000);
    expect(third).toMatch(/^[0-9a-f]{32}$/);
    const expired = await setup.reported(SLOTS, 'permits.expired');
    expect(expired).toMatchObject({ permitIds: [brief] });

    // The release of the expired permit fails. Its script looks for the expiry only since 3.17.0.
    expect(await a.perform('release', SLOTS)).toMatch(/^! /);
    expect(await a.perform('release', SLOTS)).toBe(lasting);
    expect(await c.perform('release', SLOTS)).toBe(third);
    expect(await c.perform('available', SLOTS)).toBe('2');
    await setup.sees(SLOTS, { holders: [], like: { permits: { available: 2, total: 2 } } });
  },
};
