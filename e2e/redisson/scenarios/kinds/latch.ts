import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const LATCH = 'latch:boot';

/** Two threads wait until two others have counted down to zero. Counting down again changes nothing. */
export const latch: Scenario = {
  id: 'latch',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, c] = [app1.thread('A').at('latch'), app1.thread('C').at('latch')];
    const [b, d] = [app2.thread('B').at('latch'), app2.thread('D').at('latch')];

    expect(await a.perform('set', LATCH, 2)).toBe('true');
    const waiting = [c.perform('await', LATCH, 60_000), b.perform('await', LATCH)];
    await setup.sees(LATCH, { like: { kind: 'latch', latch: { count: 2 }, subscribers: 2 } });
    expect(await a.perform('down', LATCH)).toBe('ok');
    await setup.sees(LATCH, { like: { latch: { count: 1 } } });
    expect(await d.perform('down', LATCH)).toBe('ok');
    expect(await Promise.all(waiting)).toEqual(['true', 'ok']);
    await setup.reported(LATCH, 'latch.opened');
    expect(await a.perform('down', LATCH)).toBe('ok');
    await setup.sees(LATCH, { waiters: [], like: { latch: { count: 0 }, subscribers: 0 } });
  },
};
