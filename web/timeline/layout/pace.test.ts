import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { onWholePixels, restMs } from './pace.ts';

const HALF_MINUTE_MICROS = 30_000_000;

test('a live picture is drawn when it has moved by a whole pixel', () => {
  expect(restMs(HALF_MINUTE_MICROS, 1000, { isBusy: true, isOpen: true })).toBe(30);
  expect(restMs(900_000_000, 1000, { isBusy: true, isOpen: true })).toBe(900);
});

test('without events, a live picture is drawn four times a second if a lock is held or waited for, otherwise once', () => {
  expect(restMs(HALF_MINUTE_MICROS, 1000, { isBusy: false, isOpen: true })).toBe(250);
  expect(restMs(HALF_MINUTE_MICROS, 1000, { isBusy: false, isOpen: false })).toBe(1000);
});

test('an instant keeps its place within a pixel while the view follows now', () => {
  const width = 1000;
  const shares = Array.from({ length: 50 }, (_, i) => {
    const from = 1_795_000_000_000_000 + i * 7_777;
    const view = onWholePixels({ from: redisTime(from), to: redisTime(from + HALF_MINUTE_MICROS) }, width);
    expect(view.to - view.from).toBe(HALF_MINUTE_MICROS);
    expect(from - view.from).toBeGreaterThanOrEqual(0);
    expect(from - view.from).toBeLessThanOrEqual(30_000 + 1);
    return ((1_795_000_001_000_000 - view.from) / 30_000) % 1;
  });
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThan(0.001);
});
