import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { TWO_THREADS, trackOf } from '../../testing/stories.ts';
import { hasBlindSpot, percentOf, shareHeld, totalsIn } from './range-totals.ts';
import { trackFromEvents } from './track-from-events.ts';

const between = (from: number, to: number) =>
  totalsIn([trackOf(TWO_THREADS)], { from: seconds(from), to: seconds(to) }, seconds(20)).map(
    ({ holder, holds, heldMicros, waits, waitedMicros }) => ({
      who: holder === holderOf('A') ? 'A' : 'B',
      holds: `${holds} for ${Math.round(heldMicros / 10_000) / 100} s`,
      waits: `${waits} for ${Math.round(waitedMicros / 10_000) / 100} s`,
    }),
  );

test('holds and waits are counted with their part inside the range, the longest time held first', () => {
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

test('the held time of a lock counts each instant once, even if several lanes have a hold then', () => {
  const track = trackOf(TWO_THREADS);
  const share = (from: number, to: number) =>
    Math.round(shareHeld(track, { from: seconds(from), to: seconds(to) }, seconds(20)) * 100);
  expect(share(0, 10)).toBe(90);
  expect(share(8, 10)).toBe(50);
  expect(share(12, 14)).toBe(0);
  // it is now 10 s: time after that does not count as time without holds
  expect(shareHeld(track, { from: seconds(8), to: seconds(32) }, seconds(10))).toBeCloseTo(0.5, 1);
  const { lanes } = track;
  const twice = { ...track, lanes: [...lanes, ...lanes] };
  expect(shareHeld(twice, { from: seconds(0), to: seconds(10) }, seconds(20))).toBeCloseTo(0.9, 2);
});

test('a lost hold counts until it was lost, and not while its holder still thinks it holds the lock', () => {
  const [acquired] = story(`
    orders:42 lease 60s
    0.000  A attempts acquired
  `);
  const detail = { type: 'lock.lost', mode: 'exclusive', reason: 'failover', expiresAt: seconds(60) };
  const lost = { ...acquired, ...detail, seq: 2, at: seconds(10), certainty: 'inferred' } as LockEvent;
  const track = trackFromEvents('story/0/orders:42', [acquired as LockEvent, lost]);
  expect(track.lanes[0]?.spans).toHaveLength(2);
  const after = { from: seconds(11), to: seconds(60) };
  expect(shareHeld(track, after, seconds(70))).toBe(0);
  expect(totalsIn([track], after, seconds(70))).toEqual([]);
  const all = { from: seconds(0), to: seconds(20) };
  expect(shareHeld(track, all, seconds(70))).toBeCloseTo(0.5, 2);
  expect(totalsIn([track], all, seconds(70))).toMatchObject([{ holds: 1, waits: 0 }]);
});

test('a share is 0 % or 100 % only if nothing or all of the range was held', () => {
  expect([0, 0.001, 0.5, 0.999, 1].map(percentOf)).toEqual([0, 1, 50, 99, 100]);
});

test('a blind spot counts only for its own source, and only if it overlaps the range', () => {
  const range = { from: redisTime(10), to: redisTime(20) };
  const spot = (source: string, from: number, to: number | null) => [
    { source, from: redisTime(from), to: to === null ? null : redisTime(to) },
  ];
  const shown = new Set(['a']);
  expect(hasBlindSpot(spot('a', 5, 11), range, shown)).toBe(true);
  expect(hasBlindSpot(spot('a', 19, null), range, shown)).toBe(true);
  expect(hasBlindSpot(spot('b', 5, 30), range, shown)).toBe(false);
  expect(hasBlindSpot(spot('a', 20, 30), range, shown)).toBe(false);
  expect(hasBlindSpot(spot('a', 1, 10), range, shown)).toBe(false);
});
