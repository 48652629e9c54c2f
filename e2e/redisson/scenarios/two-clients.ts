import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';

const LOCK = 'two-clients:orders:42';

/** The holder is in one client, two waiters in another: they share a subscription and are woken one after another. */
export const twoClients: Scenario = {
  id: 'two-clients',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b, c] = [app1.thread('A'), app2.thread('B'), app2.thread('C')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = [b.lock(LOCK), c.lock(LOCK)];
    const lock = await setup.sees(LOCK, { holder: a, waiters: [b, c] });
    expect(new Set(lock.waiters.map(({ client }) => client))).toEqual(new Set([app2.uuid]));
    expect(lock.holders.map(({ client }) => client)).toEqual([app1.uuid]);

    expect(await a.unlock(LOCK)).toBe('ok');
    const woken = await Promise.race([b, c].map(async (thread, index) => ({ thread, result: await waiting[index] })));
    const other = woken.thread === b ? c : b;
    expect(woken.result).toBe('ok');
    await setup.sees(LOCK, { holder: woken.thread, waiters: [other] });

    expect(await woken.thread.unlock(LOCK)).toBe('ok');
    expect(await Promise.all(waiting)).toEqual(['ok', 'ok']);
    await setup.sees(LOCK, { holder: other, waiters: [] });
    expect(await other.unlock(LOCK)).toBe('ok');
  },
};
