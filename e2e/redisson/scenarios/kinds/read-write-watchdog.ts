import { expect } from 'vitest';
import { NOT_HELD_AT_ALL, type Scenario } from '../../scenario.ts';

const [READ, WRITTEN] = ['read-write-watchdog:read', 'read-write-watchdog:written'];

/**
 * Two threads of one client hold a read lock, and a third one holds the write lock of another lock: the watchdog renews
 * both.
 */
export const readWriteWatchdog: Scenario = {
  id: 'read-write-watchdog',
  async play(setup) {
    const app = await setup.client('short');
    const [a, b, c] = [app.thread('A'), app.thread('B'), app.thread('C')];

    expect(await a.at('read').lock(READ)).toBe('ok');
    expect(await b.at('read').lock(READ)).toBe('ok');
    expect(await c.at('write').lock(WRITTEN)).toBe('ok');
    await setup.reported(READ, 'lease.renewed');
    await setup.sees(WRITTEN, { holder: c, watchdog: 'on', renewals: 2 });
    // Some versions renew the lock but not the timeout keys of its readers, which then lose it.
    expect(await b.at('read').unlock(READ)).toMatch(NOT_HELD_AT_ALL);
    expect(await a.at('read').unlock(READ)).toMatch(NOT_HELD_AT_ALL);
    expect(await c.at('write').unlock(WRITTEN)).toBe('ok');
  },
};
