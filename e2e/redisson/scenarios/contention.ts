import { expect } from 'vitest';
import type { Scenario } from '../stage.ts';

const LOCK = 'contention:orders:42';

/** The eight steps: A holds, B is refused, subscribes, is refused again and sleeps; A's release wakes it. */
export const contention: Scenario = {
  id: 'contention',
  async play(stage) {
    const app = await stage.client('app1');
    const [a, b] = [app.thread('A'), app.thread('B')];

    expect(await a.lock(LOCK)).toBe('ok');
    const waiting = b.lock(LOCK);
    await stage.reported(LOCK, 'waiter.subscribed');
    await stage.sees(LOCK, { holder: a, holdCount: 1, waiters: [b] });

    expect(await a.unlock(LOCK)).toBe('ok');
    expect(await waiting).toBe('ok');
    await stage.sees(LOCK, { holder: b, holdCount: 1, waiters: [] });
    await stage.reported(LOCK, 'waiter.unsubscribed');

    const wakeUp = await stage.reported(LOCK, 'wakeup.published');
    const acquired = await stage.reported(LOCK, 'lock.acquired', b);
    expect(acquired.because).toContain(wakeUp.seq);
    expect(await b.unlock(LOCK)).toBe('ok');
  },
};
