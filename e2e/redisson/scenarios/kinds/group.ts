import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const GROUP = 'group:seats';

/** A client holds two of three values of a group: another client acquires the third, but neither of the two. */
export const group: Scenario = {
  id: 'group',
  needs: 'group',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b, c] = [app1.thread('A').at('group'), app2.thread('B').at('group'), app2.thread('C').at('group')];

    expect(await a.lock(`${GROUP}/one,two`)).toBe('ok');
    expect(await b.lock(`${GROUP}/three`)).toBe('ok');
    expect(await c.tryLock(`${GROUP}/two,three`)).toBe('false');
    const waiting = c.lock(`${GROUP}/two`);
    await setup.reported(GROUP, 'waiter.subscribed');
    expect(await a.lock(`${GROUP}/one,two`)).toBe('ok');
    expect(await a.unlock(`${GROUP}/one,two`)).toBe('ok');
    expect(await a.unlock(`${GROUP}/one,two`)).toBe('ok');
    expect(await waiting).toBe('ok');
    await setup.sees(GROUP, { like: { kind: 'group-lock', held: true } });
    expect(await c.unlock(`${GROUP}/two`)).toBe('ok');
    expect(await b.unlock(`${GROUP}/three`)).toBe('ok');
    await setup.sees(GROUP, { like: { held: false } });
  },
};
