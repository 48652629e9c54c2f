import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { WINDOW_CAP } from './event-window.ts';
import { loadPlan, partWithRoom, uncrowded } from './load-plan.ts';

const span = (from: number, to: number) => ({ from: redisTime(from), to: redisTime(to) });
const MEMORY = span(0, 100_000);
const FEW = { before: 10, after: 10 };

test('nothing is requested if the view and a little around it is loaded', () => {
  const loaded = { ...span(40_000, 60_000), counts: FEW };
  expect(loadPlan(span(48_000, 52_000), redisTime(50_000), MEMORY, loaded)).toBeNull();
});

test('the missing part to the left or right is requested, and some more beyond the view', () => {
  const loaded = { ...span(40_000, 60_000), counts: FEW };
  expect(loadPlan(span(39_000, 43_000), redisTime(41_000), MEMORY, loaded)).toEqual({
    kind: 'left',
    ...span(35_000, 40_000),
  });
  expect(loadPlan(span(57_000, 61_000), redisTime(58_000), MEMORY, loaded)).toEqual({
    kind: 'right',
    ...span(60_000, 65_000),
  });
});

test('a view far from the loaded range is requested as a new range', () => {
  const loaded = { ...span(90_000, 100_000), counts: FEW };
  expect(loadPlan(span(10_000, 12_000), redisTime(11_000), MEMORY, loaded)).toEqual({
    kind: 'fresh',
    ...span(8000, 14_000),
  });
});

test('nothing outside the memory of the server is requested', () => {
  const memory = span(50_000, 100_000);
  expect(
    loadPlan(span(10_000, 20_000), redisTime(15_000), memory, { ...span(50_000, 60_000), counts: FEW }),
  ).toBeNull();
  expect(loadPlan(span(45_000, 60_000), redisTime(55_000), memory, null)).toMatchObject(span(50_000, 75_000));
});

test('nothing further is requested on a side of the cursor that has no room left', () => {
  const loaded = { ...span(40_000, 100_000), counts: { before: WINDOW_CAP / 2, after: 0 } };
  expect(loadPlan(MEMORY, redisTime(100_000), MEMORY, loaded)).toBeNull();
});

test('if a sample shows that a range has too many events, the part around the cursor is requested', () => {
  const wanted = span(0, 10_000_000);
  const sample = { events: 5000, to: redisTime(100_000) };
  const part = partWithRoom(wanted, redisTime(5_000_000), sample);
  expect(part.from).toBeGreaterThan(4_000_000);
  expect(part.to).toBeLessThan(6_000_000);
  expect((part.to - part.from) * (5000 / 100_000)).toBeLessThanOrEqual(WINDOW_CAP);
  expect(partWithRoom(wanted, wanted.to, sample).to).toBe(wanted.to);
  expect(partWithRoom(span(0, 500_000), redisTime(0), sample)).toEqual(span(0, 500_000));
});

test('if the outline shows that a view has too many events, the part around its anchor is requested', () => {
  const nothing = { locks: new Map(), blind: [], omitted: 0, onlyLock: '' };
  const outline = { ...span(0, 100_000), columns: 100, events: 1_000_000, ...nothing };
  const part = uncrowded(span(20_000, 80_000), redisTime(70_000), outline);
  expect((part.from + part.to) / 2).toBe(70_000);
  expect((part.to - part.from) * 10).toBe(WINDOW_CAP / 20);
  const view = span(69_000, 71_000);
  expect(uncrowded(view, redisTime(70_000), outline)).toEqual(view);
  expect(uncrowded(span(0, 100_000), redisTime(1), null)).toEqual(span(0, 100_000));
});
