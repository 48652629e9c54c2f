import { expect } from 'vitest';
import type { Scenario } from '../../scenario.ts';

const LOCKS = { nonreentrant: 'non-reentrant:plain', 'nonreentrant-fair': 'non-reentrant:fair' };

/** A holder that locks again gets an error; a waiter acquires after the first unlock. */
export const nonReentrant: Scenario = {
  id: 'non-reentrant',
  needs: 'nonreentrant',
  async play(setup) {
    const [app1, app2] = [await setup.client('app1'), await setup.client('app2')];
    const [a, b] = [app1.thread('A'), app2.thread('B')];

    for (const [kind, name] of Object.entries(LOCKS)) {
      expect(await a.at(kind).lock(name)).toBe('ok');
      expect(await a.at(kind).lock(name)).toMatch(/^! /);
      expect(await setup.reported(name, 'lock.refused', a)).toMatchObject({ reason: 'own-hold' });
      const waiting = b.at(kind).lock(name);
      await setup.sees(name, { holder: a, holdCount: 1, waiters: [b] });
      expect(await a.at(kind).unlock(name)).toBe('ok');
      expect(await waiting).toBe('ok');
      await setup.sees(name, { holder: b, holdCount: 1, waiters: [] });
      expect(await b.at(kind).unlock(name)).toBe('ok');
    }
  },
};
