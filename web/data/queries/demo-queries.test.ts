import { expect, test } from 'vitest';
import { isInMotion } from './demo-queries.ts';

test('after the end of a scenario, the demo is polled fast until its last step is reported', () => {
  const demo = { state: 'done' as const, clients: [], script: [{ n: 1, title: 'A acquires', at: 7_000_000 }] };
  expect(isInMotion({ ...demo, reported: { until: 6_900_000, seq: 3 } })).toBe(true);
  expect(isInMotion({ ...demo, reported: { until: 7_000_000, seq: 4 } })).toBe(false);
  expect(isInMotion(demo), 'a recording').toBe(false);
});
