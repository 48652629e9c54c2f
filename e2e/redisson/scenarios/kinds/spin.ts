import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const LOCK = 'spin:ticker';

/** A release publishes nothing, so the other thread retries until it acquires the lock. */
export const spin: Scenario = {
  id: 'spin',
  needs: 'spin',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A'), app2.thread('B')];

    expect(await a.at('spin').lock(LOCK)).toBe('ok');
    expect(await a.at('spin').unlock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holder: null, like: { kind: 'spin-lock' } });
    expect(await a.at('spin').lock(LOCK)).toBe('ok');
    const waiting = b.at('spin').lock(LOCK);
    const isPolling = { waiters: [{ mode: 'exclusive', asleep: false, presumedGone: false }] };
    await setup.sees(LOCK, { holder: a, like: isPolling });
    expect(await a.at('spin').unlock(LOCK)).toBe('ok');
    expect(await waiting).toBe('ok');
    await setup.sees(LOCK, { holder: b, waiters: [] });
    expect(await b.at('spin').unlock(LOCK)).toBe('ok');
    expect((await setup.story(LOCK)).filter(({ type }) => type.startsWith('wakeup'))).toEqual([]);
  },
};
