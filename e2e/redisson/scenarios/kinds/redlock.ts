import { expect } from 'vitest';
import { waitFor } from '../../../support/wait-for.ts';
import type { Scenario } from '../../scenario.ts';

const NAME = 'redlock:pay';
const ALL = [NAME, NAME, NAME].join();

/** One lock on each of three servers: held by one client, refused to another, then acquired by that one. */
export const redlock: Scenario = {
  id: 'redlock',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A').at('red'), app2.thread('B').at('red')];

    expect(await a.tryLock(ALL, 30_000, 60_000)).toBe('true');
    expect(await b.tryLock(ALL, 300, 30_000)).toBe('false');
    expect(await a.unlock(ALL)).toBe('ok');
    expect(await b.tryLock(ALL, 30_000, 60_000)).toBe('true');
    expect(await b.unlock(ALL)).toBe('ok');
    await waitFor('acquisitions on two servers', async () => {
      const acquired = (await setup.story(NAME)).filter(({ type }) => type === 'lock.acquired');
      return new Set(acquired.map(({ source }) => source)).size >= 2;
    });
  },
};
