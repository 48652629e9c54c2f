import { expect, test } from 'vitest';
import { redisTime } from '../../base/time.ts';
import { UnlockTracker } from './unlock-tracker.ts';

/** More threads than an `UnlockTracker` remembers. */
const THREADS = 2500;

test('of too many refused threads, those that were refused longest ago are forgotten', () => {
  const tracker = new UnlockTracker();
  const refuse = (holder: string, second: number) =>
    tracker.noteAttempt(0, 'a', holder, { mode: 'exclusive', lastAt: redisTime(second * 1_000_000) });
  refuse('retries', 0);
  refuse('gave up', 0);
  for (let second = 1; second <= THREADS; second++) {
    refuse(`thread ${second}`, second);
    if (second % 10 === 0) refuse('retries', second);
  }
  expect(tracker.refusedAt(0, 'a', 'retries')).toBe(redisTime(THREADS * 1_000_000));
  expect(tracker.backAt(0, 'a', 'retries', 'exclusive')).toBe(redisTime(0));
  expect(tracker.refusedAt(0, 'a', 'gave up')).toBeUndefined();
  expect(tracker.refusedAt(0, 'a', 'thread 1')).toBeUndefined();
  expect(tracker.refusedAt(0, 'a', `thread ${THREADS}`)).toBe(redisTime(THREADS * 1_000_000));
});
