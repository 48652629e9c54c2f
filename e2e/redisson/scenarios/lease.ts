import { expect } from 'vitest';
import { NOT_HELD_BY_ANYBODY, type Scenario } from '../stage.ts';

const [BRIEF, FORCED] = ['lease:brief', 'lease:forced'];

/** An explicit lease of 10 s expires; one of a minute is ended by another thread's force-unlock. */
export const lease: Scenario = {
  id: 'lease',
  async play(stage) {
    const app = await stage.client('app1');
    const [a, b] = [app.thread('A'), app.thread('B')];

    expect(await a.lock(BRIEF, 10_000)).toBe('ok');
    await stage.sees(BRIEF, { holder: a, leaseMs: 10_000, renewals: 0 });
    const expired = await stage.reported(BRIEF, 'lease.expired', a);
    const acquired = await stage.reported(BRIEF, 'lock.acquired', a);
    expect(expired.at - acquired.at).toBeGreaterThanOrEqual(10_000_000);
    await stage.sees(BRIEF, { holder: null });
    expect(await a.unlock(BRIEF)).toMatch(NOT_HELD_BY_ANYBODY);

    expect(await a.lock(FORCED, 60_000)).toBe('ok');
    await stage.sees(FORCED, { holder: a, leaseMs: 60_000 });
    expect(await b.forceUnlock(FORCED)).toMatch(/^(true|null)$/);
    await stage.sees(FORCED, { holder: null });
    expect(await a.unlock(FORCED)).toMatch(NOT_HELD_BY_ANYBODY);
  },
};
