import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { InsightDetail } from '../../../shared/events/types/insight-event.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { verdictMarksFrom } from './verdict-marks.ts';

type Given = Partial<InsightDetail> & Pick<InsightDetail, 'type'>;

function events(...given: readonly [atSeconds: number, Given][]): LockEvent[] {
  return given.map(([at, detail], n) => ({
    ...{ source: 'standalone', db: 0, lock: 'orders:42', kind: 'lock', seq: n + 1, at: seconds(at) },
    ...{ origin: 'inferred', raw: [], because: [] },
    ...{ insight: 'i1', incident: 'renewal-overdue', severity: 'warning', confidence: 'likely' },
    ...detail,
  })) as unknown as LockEvent[]; // a test event: marks read no other field
}

test('a problem lasts from the event that reports its beginning to the event that reports its end', () => {
  const [mark] = verdictMarksFrom(events([2, { type: 'insight.opened' }], [5, { type: 'insight.closed' }]));
  expect(mark).toMatchObject({
    incident: 'renewal-overdue',
    seq: 1,
    from: seconds(2),
    to: seconds(5),
    isUnknown: false,
  });
});

test('a problem that gets worse is one problem with its worst severity', () => {
  const marks = verdictMarksFrom(
    events([2, { type: 'insight.opened' }], [3, { type: 'insight.opened', severity: 'critical' }]),
  );
  expect(marks).toHaveLength(1);
  expect(marks[0]).toMatchObject({ severity: 'critical', from: seconds(2), to: null });
});

test('a hint is not a mark until it becomes a warning', () => {
  const marks = verdictMarksFrom(
    events([1, { type: 'insight.opened', severity: 'hint' }], [4, { type: 'insight.opened' }]),
  );
  expect(marks.map(({ from }) => from)).toEqual([seconds(4)]);
});

test('the end of a problem whose beginning is not loaded is not a mark', () => {
  expect(verdictMarksFrom(events([5, { type: 'insight.closed' }]))).toEqual([]);
});

test('a problem ends as unknown if it can no longer be known whether it lasts', () => {
  const [mark] = verdictMarksFrom(
    events([2, { type: 'insight.opened' }], [5, { type: 'insight.closed', isUnknown: true }]),
  );
  expect(mark?.isUnknown).toBe(true);
});
