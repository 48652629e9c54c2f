import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';

/** Names that break careless parsers of MONITOR lines, channels, URLs or HTML. */
const NAMES = [
  'plain',
  'tenant:{42}:orders',
  'half{open',
  'quote"and\\slash',
  "tick'`;--",
  '汉字锁',
  'שלום-نعم',
  '🔒 family 👩‍👩‍👧',
  '<img/src=x/onerror=alert(1)>',
  'a b\tc',
  'line\r\nbreak',
  'nul\u0000bell\u0007',
  'path/../?query=1&b=%2F#fragment',
  '-1',
  `a-very-long-${'x'.repeat(288)}`,
];

/** Contention of two threads, once for each of many hostile names. */
export const names: Scenario = {
  id: 'names',
  async play(setup) {
    const app = await setup.client('app1');
    const [a, b] = [app.thread('A'), app.thread('B')];
    for (const name of NAMES) {
      expect(await a.lock(name)).toBe('ok');
      const waiting = b.lock(name);
      const lock = await setup.sees(name, { holder: a, waiters: [b] });
      expect(lock.name).toBe(name);
      expect(await a.unlock(name)).toBe('ok');
      expect(await waiting).toBe('ok');
      await setup.sees(name, { holder: b, waiters: [] });
      expect(await b.unlock(name)).toBe('ok');
    }
  },
};
