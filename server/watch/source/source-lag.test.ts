import { expect, test } from 'vitest';
import { BEAT_EVERY_MS, lagOf } from './source-lag.ts';

const beat = { lagMs: 3, reportedUntil: 10_000 };

test('while beats arrive, the lag is that of the last beat', () => {
  expect(lagOf(beat, 10_000)).toBe(3);
  expect(lagOf(beat, 10_000 + BEAT_EVERY_MS)).toBe(3);
});

test('without a further beat the lag grows, by whole milliseconds rounded up', () => {
  expect(lagOf(beat, 10_000 + BEAT_EVERY_MS + 49.2)).toBe(50);
  expect(lagOf(beat, 70_000)).toBe(60_000 - BEAT_EVERY_MS);
});
