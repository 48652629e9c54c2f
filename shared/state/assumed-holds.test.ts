import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import { assumedSince } from './assumed-holds.ts';

test('[S8] after a blind spot, a hold is assumed to continue, and a permit is not', () => {
  const lock = lockAt(story('orders:42 lease 30s\n 0.000 A attempts acquired'), seconds(1));
  const gaps = [{ from: seconds(2), to: seconds(3) }];
  expect(assumedSince(lock, gaps)).toBe(seconds(2));
  const permits = lock.holders.map((holder) => ({ ...holder, mode: 'permit' as const }));
  expect(assumedSince({ ...lock, holders: permits }, gaps)).toBeUndefined();
});
