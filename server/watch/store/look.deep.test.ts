import { expect, test } from 'vitest';
import { compareLooksAtTraces } from '../testing/compare-looks.ts';

test('at each second of each trace, a look at what changed finds the same as a look at everything', async () => {
  expect(await compareLooksAtTraces(() => true)).toBeGreaterThan(1000);
}, 300_000);
