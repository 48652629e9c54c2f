import { expect, test } from 'vitest';
import { compareLooksAtTraces } from '../testing/compare-looks.ts';

test('at each second of each trace, a pass over what changed finds the same as a pass over everything', async () => {
  expect(await compareLooksAtTraces(() => true)).toBeGreaterThan(1000);
}, 300_000);
