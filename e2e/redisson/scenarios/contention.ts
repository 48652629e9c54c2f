import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';

const LOCK = 'contention:orders:42';

/** The eight steps: A holds, B is refused, subscribes, is refused again and sleeps; A's release wakes it. */
export const contention: Scenario = {
  id: 'contention',
  async play(setup) {
    const app = await setup.client('app1');
    const [a, b] = [app.thread('A'), app.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = b.lock(LOCK);
    await setup.reported(LOCK, 'waiter.subscribed');
    await setup.sees(LOCK, { holder: a, holdCount: 1, waiters: [b] });

    expect(await a.unlock(LOCK)).toBe('ok');
    expect(await waiting).toBe('ok');
    await setup.sees(LOCK, { holder: b, holdCount: 1, waiters: [] });
    await setup.reported(LOCK, 'waiter.unsubscribed');

    const wakeUp = await setup.reported(LOCK, 'wakeup.published');
    const acquired = await setup.reported(LOCK, 'lock.acquired', b);
    expect(acquired.because).toContain(wakeUp.seq);
    expect(await b.unlock(LOCK)).toBe('ok');
  },
};
