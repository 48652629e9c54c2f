import { expect } from 'vitest';
import { pause } from '../../../support/wait-for.ts';
import type { Scenario } from '../../scenario.ts';

const LOCK = 'fair:orders:42';

/** Three threads of two clients queue. One gives up, one does not wait at all, and the others acquire in order. */
export const fair: Scenario = {
  id: 'fair',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, c, e] = ['A', 'C', 'E'].map((letter) => app1.thread(letter));
    const [b, d] = ['B', 'D'].map((letter) => app2.thread(letter));
    if (!a || !b || !c || !d || !e) throw new Error('five threads');

    expect(await a.at('fair').lock(LOCK)).toBe('ok');
    const second = b.at('fair').lock(LOCK);
    await setup.sees(LOCK, { holder: a, queue: [b] });
    const third = c.at('fair').lock(LOCK);
    await setup.sees(LOCK, { holder: a, queue: [b, c], like: { kind: 'fair-lock' } });
    expect(await e.at('fair').tryLock(LOCK)).toBe('false');
    expect(await d.at('fair').tryLock(LOCK, 800)).toBe('false');
    await setup.sees(LOCK, { holder: a, queue: [b, c] });

    expect(await a.at('fair').lock(LOCK)).toBe('ok');
    await setup.sees(LOCK, { holder: a, holdCount: 2 });
    expect(await a.at('fair').unlock(LOCK)).toBe('ok');
    expect(await a.at('fair').unlock(LOCK)).toBe('ok');
    expect(await second).toBe('ok');
    await setup.sees(LOCK, { holder: b, queue: [c] });
    await pause(50);
    expect(await b.at('fair').unlock(LOCK)).toBe('ok');
    expect(await third).toBe('ok');
    await setup.sees(LOCK, { holder: c, queue: [] });
    expect(await c.at('fair').unlock(LOCK)).toBe('ok');
    // Redisson reports success for the unlock of a fair lock that is free, and changes nothing.
    expect(await c.at('fair').unlock(LOCK)).toBe('ok');
  },
};
