import { expect } from 'vitest';
import { NOT_HELD, NOT_HELD_AT_ALL, type Scenario } from '../scenario.ts';

const LOCK = 'reentry:orders:42';

/** A locks twice; B can neither acquire nor release it; A unlocks twice, and then once too often. */
export const reentry: Scenario = {
  id: 'reentry',
  async play(setup) {
    const app = await setup.client('app1');
    const [a, b] = [app.thread('A'), app.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holder: a, holdCount: 1, waiters: [] });
    expect(await a.lock(LOCK)).toBe('ok');
    expect(await a.holdCount(LOCK)).toBe('2');
    await setup.sees(LOCK, { holder: a, holdCount: 2, waiters: [] });

    expect(await b.tryLock(LOCK)).toBe('false');
    expect(await b.unlock(LOCK)).toMatch(NOT_HELD);
    await setup.reported(LOCK, 'unlock.refused', b);
    const lock = await setup.sees(LOCK, { holder: a, holdCount: 2 });
    expect(lock.holders).toMatchObject([{ client: app.uuid, mode: 'exclusive' }]);

    expect(await a.unlock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holder: a, holdCount: 1 });
    expect(await a.unlock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holder: null });
    expect(await a.unlock(LOCK)).toMatch(NOT_HELD_AT_ALL);
    expect(await a.holdCount(LOCK)).toBe('0');
  },
};
