import { expect } from 'vitest';
import { NOT_HELD_AT_ALL, type Scenario } from '../../scenario.ts';

const LOCK = 'read-write:catalog';

/**
 * Two readers, one with count 2; a writer that waits for both, re-enters and downgrades to reading; a reader after it.
 */
export const readWrite: Scenario = {
  id: 'read-write',
  skipped: { in: /^3\.[0-5]\./, because: 'the first reader that unlocks frees the lock of all' },
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, d, b, c] = [app1.thread('A'), app1.thread('D'), app2.thread('B'), app2.thread('C')];

    expect(await a.at('read').lock(LOCK)).toBe('ok');
    expect(await b.at('read').lock(LOCK)).toBe('ok');
    expect(await a.at('read').lock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holders: [a, b], like: { kind: 'read-write-lock' } });
    const writing = c.at('write').lock(LOCK);
    await setup.sees(LOCK, { holders: [a, b], waiters: [c] });
    expect(await a.at('read').unlock(LOCK)).toBe('ok');
    expect(await a.at('read').unlock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holders: [b] });
    expect(await b.at('read').unlock(LOCK)).toBe('ok');
    expect(await writing).toBe('ok');
    await setup.sees(LOCK, { holder: c, waiters: [], like: { holders: [{ mode: 'write' }] } });

    const reading = d.at('read').lock(LOCK);
    await setup.sees(LOCK, { holder: c, waiters: [d] });
    expect(await c.at('write').lock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holder: c, holdCount: 2 });
    expect(await c.at('write').unlock(LOCK)).toBe('ok');
    expect(await c.at('read').lock(LOCK)).toBe('ok');
    expect(await c.at('write').unlock(LOCK)).toBe('ok');
    expect(await setup.reported(LOCK, 'lock.released', c)).toMatchObject({ mode: 'write' });
    await setup.sees(LOCK, { holder: c, like: { holders: [{ mode: 'read' }] } });
    expect(await b.at('write').tryLock(LOCK)).toBe('false');
    expect(await c.at('read').unlock(LOCK)).toBe('ok');
    expect(await reading).toBe('ok');
    expect(await d.at('read').unlock(LOCK)).toBe('ok');
    expect(await d.at('write').unlock(LOCK)).toMatch(NOT_HELD_AT_ALL);
  },
};
