import { expect, test } from 'vitest';
import { holderOf, seconds } from '../../../shared/testing/story.ts';
import { TWO_THREADS, trackOf } from '../../testing/stories.ts';
import { shareHeld, totalsIn } from './range-totals.ts';

const between = (from: number, to: number) =>
  totalsIn([trackOf(TWO_THREADS)], { from: seconds(from), to: seconds(to) }, seconds(20)).map(
    ({ holder, holds, heldMicros, waits, waitedMicros }) => ({
      who: holder === holderOf('A') ? 'A' : 'B',
      holds: `${holds} for ${Math.round(heldMicros / 10_000) / 100} s`,
      waits: `${waits} for ${Math.round(waitedMicros / 10_000) / 100} s`,
    }),
  );

test('holds and waits count with their part inside the range, the longest hold first', () => {
  expect(between(0, 10)).toEqual([
    { who: 'A', holds: '1 for 7 s', waits: '0 for 0 s' },
    { who: 'B', holds: '1 for 1.99 s', waits: '1 for 4.51 s' },
  ]);
  expect(between(6, 8)).toEqual([
    { who: 'A', holds: '1 for 1 s', waits: '0 for 0 s' },
    { who: 'B', holds: '1 for 0.99 s', waits: '1 for 1.01 s' },
  ]);
});

test('a range without holds and waits has no totals', () => {
  expect(between(15, 18)).toEqual([]);
});

test('a lock is held for the time in which any thread holds it, counted once', () => {
  const track = trackOf(TWO_THREADS);
  const share = (from: number, to: number) =>
    Math.round(shareHeld(track, { from: seconds(from), to: seconds(to) }, seconds(20)) * 100);
  expect(share(0, 10)).toBe(90);
  expect(share(8, 10)).toBe(50);
  expect(share(12, 14)).toBe(0);
  const { lanes } = track;
  const twice = { ...track, lanes: [...lanes, ...lanes] };
  expect(shareHeld(twice, { from: seconds(0), to: seconds(10) }, seconds(20))).toBeCloseTo(0.9, 2);
});
