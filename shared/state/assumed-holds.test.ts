import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import { assumedSince } from './assumed-holds.ts';

test('[S8] permits are not assumed: neither a command nor a read would show their holders again', () => {
  const lock = lockAt(story('orders:42 lease 30s\n 0.000 A attempts acquired'), seconds(1));
  const gaps = [{ from: seconds(2), to: seconds(3) }];
  expect(assumedSince(lock, gaps)).toBe(seconds(2));
  const permits = lock.holders.map((holder) => ({ ...holder, mode: 'permit' as const }));
  expect(assumedSince({ ...lock, holders: permits }, gaps)).toBeUndefined();
});
