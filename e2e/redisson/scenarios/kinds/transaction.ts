import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const BUCKET = 'transaction:price';

/** A transaction locks the keys that it writes until it ends; another transaction waits for it. */
export const transaction: Scenario = {
  id: 'transaction',
  needs: 'tx',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A').at('tx'), app2.thread('B').at('tx')];

    expect(await a.perform('put', BUCKET, 1)).toBe('ok');
    const waiting = b.perform('put', BUCKET, 2);
    expect(await a.perform('commit', BUCKET)).toBe('ok');
    expect(await waiting).toBe('ok');
    expect(await b.perform('rollback', BUCKET)).toBe('ok');
  },
};
