import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { SeqRuns } from './seq-runs.ts';

function event(seq: number, because?: number[]): LockEvent {
  const about = {
    seq,
    at: redisTime(seq),
    source: 'redis',
    db: 0,
    lock: 'a',
    kind: 'lock',
    certainty: 'observed',
  } as const;
  return { ...about, type: 'lease.expired', holder: 'h', mode: 'exclusive', ...(because ? { because } : {}) };
}

test('the `seq` in causes and in requests is translated, even with events of other sources in between', () => {
  const runs = new SeqRuns();
  expect(runs.renumber([event(1), event(2, [1])], 1)).toEqual([event(1), event(2, [1])]);
  const [third] = runs.renumber([event(3, [2])], 10);
  expect(third).toMatchObject({ seq: 10, because: [2] });
  const [fourth] = runs.renumber([event(4, [3, 1])], 20);
  expect(fourth).toMatchObject({ seq: 20, because: [10, 1] });
  expect([1, 10, 20, 11].map((seq) => runs.localOf(seq))).toEqual([1, 3, 4, undefined]);
});

test('a restarted observer begins at 1 again, and causes that name events from before the restart are left out', () => {
  const before = new SeqRuns();
  before.renumber([event(1), event(2)], 1);
  const after = new SeqRuns();
  const [first, second] = after.renumber([event(1), event(2, [1, 7])], 8);
  expect(first).toEqual({ ...event(1), seq: 8 });
  expect(second).toMatchObject({ seq: 9, because: [8] });
  expect(after.localOf(2)).toBeUndefined();
  const [third] = after.renumber([event(3, [9])], 30);
  expect(third).not.toHaveProperty('because');
});
