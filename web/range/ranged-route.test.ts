import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { EVENTS, OVERVIEW, TIMELINE } from '../url/route.ts';
import { isRanged, rangeOf, withRange } from './ranged-route.ts';

const NOW = redisTime(1_000_000_000);
const SPAN = { from: redisTime(100_000_000), to: redisTime(160_000_000) };

test('the overview, the events and the timeline have a range; the demo and the health page have none', () => {
  expect([OVERVIEW, EVENTS, TIMELINE].map(isRanged)).toEqual([true, true, true]);
  expect([{ page: 'demo' } as const, { page: 'doctor', source: null } as const].map(isRanged)).toEqual([false, false]);
});

test('a range between two instants puts the cursor at its end, and keeps the filters', () => {
  const route = withRange({ ...EVENTS, lock: 'orders:42' }, SPAN, NOW);
  expect(route).toEqual({ ...EVENTS, lock: 'orders:42', range: SPAN, at: SPAN.to });
  expect(rangeOf(route)).toBe(SPAN);
});

test('the cursor is not put after now', () => {
  const late = { from: SPAN.from, to: redisTime(NOW + 1) };
  expect(withRange(EVENTS, late, NOW)).toMatchObject({ range: late, at: NOW });
  expect(withRange(TIMELINE, late, NOW)).toMatchObject({ link: { view: late, at: NOW } });
});

test('"the last minutes" end now after a range between two instants, and otherwise at the cursor', () => {
  expect(withRange({ ...EVENTS, range: SPAN, at: SPAN.to }, 15, NOW)).toEqual({ ...EVENTS, range: 15, at: null });
  expect(withRange({ ...EVENTS, at: SPAN.to }, 15, NOW)).toEqual({ ...EVENTS, range: 15, at: SPAN.to });
  expect(withRange({ ...EVENTS, range: 15 }, null, NOW)).toEqual(EVENTS);
});

test('the timeline shows a range as its view, and "the last minutes" while it follows now', () => {
  const viewed = withRange(TIMELINE, SPAN, NOW);
  expect(viewed).toMatchObject({ link: { view: SPAN, minutes: null, at: SPAN.to } });
  const followed = withRange(viewed, 60, NOW);
  expect(followed).toMatchObject({ link: { view: null, minutes: 60, at: null } });
  expect(rangeOf(followed)).toBe(60);
});
