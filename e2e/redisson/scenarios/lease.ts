import { expect } from 'vitest';
import { NOT_HELD_AT_ALL, type Scenario } from '../scenario.ts';

const [BRIEF, FORCED] = ['lease:brief', 'lease:forced'];

/** An explicit lease of 10 s expires; one of a minute is ended by another thread's force-unlock. */
export const lease: Scenario = {
  id: 'lease',
  async play(setup) {
    const app = await setup.client('app1');
    const [a, b] = [app.thread('A'), app.thread('B')];

    expect(await a.lock(BRIEF, 10_000)).toBe('ok');
    await setup.sees(BRIEF, { holder: a, leaseMs: 10_000, renewals: 0 });
    const expired = await setup.reported(BRIEF, 'lease.expired', a);
    const acquired = await setup.reported(BRIEF, 'lock.acquired', a);
    expect(expired.at - acquired.at).toBeGreaterThanOrEqual(10_000_000);
    await setup.sees(BRIEF, { holder: null });
    expect(await a.unlock(BRIEF)).toMatch(NOT_HELD_AT_ALL);

    expect(await a.lock(FORCED, 60_000)).toBe('ok');
    await setup.sees(FORCED, { holder: a, leaseMs: 60_000 });
    expect(await b.forceUnlock(FORCED)).toMatch(/^(true|null)$/);
    await setup.sees(FORCED, { holder: null });
    expect(await a.unlock(FORCED)).toMatch(NOT_HELD_AT_ALL);
  },
};
