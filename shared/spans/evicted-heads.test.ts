import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import type { EventDetail } from '../events/event.ts';
import { EvictedHeadReader } from './evicted-heads.ts';

/** The evicted heads of a fair lock with these events, one a second. */
function headsOf(...details: EventDetail[]): string[] {
  const reader = new EvictedHeadReader();
  const of = { source: 's', db: 0, lock: 'x', kind: 'fair-lock', certainty: 'observed' } as const;
  details.forEach((detail, n) => {
    reader.take({ ...of, seq: n + 1, at: seconds(n), ...detail });
  });
  return reader.heads.map(
    ({ holder, from, to }) => `${holder} ${(from - seconds(0)) / 1e6}-${(to - seconds(0)) / 1e6}`,
  );
}

const queued = (holder: string, position: number): EventDetail => ({
  ...{ type: 'waiter.queued', holder, position, deadline: null },
});
const evicted = (holder: string): EventDetail => ({ type: 'waiter.dequeued', holder, reason: 'evicted' });
const refused = (holder: string): EventDetail => ({
  ...{ type: 'lock.refused', holder, mode: 'exclusive', ttlMs: null, attempt: 2, asleep: true, reason: 'not-head' },
});

test('an evicted head is reported as dead from its last attempt on', () => {
  expect(headsOf(queued('B', 1), queued('C', 2), refused('B'), refused('C'), evicted('B'))).toEqual(['B 2-4']);
});

test('if the head and then the next waiter are evicted, the second was the head from the first eviction on', () => {
  expect(headsOf(queued('B', 1), queued('C', 2), evicted('B'), evicted('C'))).toEqual(['B 0-2', 'C 2-3']);
});

test('an evicted waiter is not reported if it was not the head, or if it acquired', () => {
  const acquired: EventDetail = { type: 'lock.acquired', holder: 'B', mode: 'exclusive' };
  expect(headsOf(queued('B', 1), queued('C', 2), evicted('C'), acquired)).toEqual([]);
});

test('a blind spot ends what is known about the head of a queue', () => {
  expect(headsOf(queued('B', 1), { type: 'blind-spot.began', reason: 'connection-lost' }, evicted('B'))).toEqual([]);
});
