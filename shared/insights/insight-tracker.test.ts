import { describe, expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import type { CannotTell, FindingOf, Report } from './insight.ts';
import { insightFrom } from './insight-from.ts';
import { InsightTracker } from './insight-tracker.ts';

const overdue = (part: Partial<FindingOf<'renewal-overdue'>> = {}) =>
  insightFrom(
    {
      ...{ incident: 'renewal-overdue', severity: 'warning', confidence: 'likely', lockId: 'redis/0/orders:42' },
      ...{ holders: ['A'], from: seconds(1), to: null, selfHealsAt: null, events: [7] },
      values: { holder: 'A', dueAt: seconds(1), endsAt: null, renewals: 1 },
      ...part,
    },
    'other',
  );

function report(insights: Report['insights'], part: Partial<Report> = {}): Report {
  return { at: seconds(2), insights, more: 0, cannotTell: [], failed: [], ...part };
}

const newsOf = (tracker: InsightTracker, next: Report) =>
  tracker.take(next).map(({ detail }) => `${detail.type} ${detail.severity}${detail.isUnknown ? ' unknown' : ''}`);

describe('the insight tracker', () => {
  test('reports once that an insight opened, and once that it closed', () => {
    const tracker = new InsightTracker();
    expect(newsOf(tracker, report([overdue()]))).toEqual(['insight.opened warning']);
    expect(newsOf(tracker, report([overdue()]))).toEqual([]);
    expect(newsOf(tracker, report([]))).toEqual(['insight.closed warning']);
    expect(newsOf(tracker, report([]))).toEqual([]);
  });

  test('reports that an insight became more severe', () => {
    const tracker = new InsightTracker();
    tracker.take(report([overdue({ severity: 'hint' })]));
    expect(newsOf(tracker, report([overdue()]))).toEqual(['insight.opened warning']);
    expect(newsOf(tracker, report([overdue({ severity: 'hint' })]))).toEqual([]);
  });

  test('reports once an insight that has already ended in its first report', () => {
    const tracker = new InsightTracker();
    const past = overdue({ to: seconds(1) });
    expect(newsOf(tracker, report([past]))).toEqual(['insight.opened warning']);
    expect(newsOf(tracker, report([past]))).toEqual([]);
    expect(newsOf(tracker, report([]))).toEqual([]);
  });

  test('closes an insight that ended, although it is still in the list', () => {
    const tracker = new InsightTracker();
    tracker.take(report([overdue()]));
    expect(newsOf(tracker, report([overdue({ to: seconds(2) })]))).toEqual(['insight.closed warning']);
    expect(newsOf(tracker, report([overdue({ to: seconds(2) })]))).toEqual([]);
  });

  test('reports an insight that becomes more severe as it ends as opened again, then as closed', () => {
    const tracker = new InsightTracker();
    tracker.take(report([overdue()]));
    expect(newsOf(tracker, report([overdue({ to: seconds(2), severity: 'critical' })]))).toEqual([
      'insight.opened critical',
      'insight.closed critical',
    ]);
    expect(newsOf(tracker, report([overdue({ to: seconds(2), severity: 'critical' })]))).toEqual([]);
  });

  test('closes an insight as unknown if it cannot be known whether it has ended', () => {
    const tracker = new InsightTracker();
    tracker.take(report([overdue()]));
    const unseen: CannotTell = {
      incident: 'renewal-overdue',
      effect: 'other',
      source: 'redis',
      reason: 'unwatched',
      locks: 1,
    };
    expect(newsOf(tracker, report([], { cannotTell: [unseen] }))).toEqual(['insight.closed warning unknown']);
  });

  test('closes an insight that is no longer found, even while Redis does not answer', () => {
    const tracker = new InsightTracker();
    tracker.take(report([overdue()]));
    const { incident, effect } = overdue();
    const held = { incident, effect, source: 'redis', reason: 'unanswered', locks: 0 } as const;
    expect(newsOf(tracker, report([], { cannotTell: [held] }))).toEqual(['insight.closed warning']);
  });

  test('closes no insight while there are more insights than are listed', () => {
    const tracker = new InsightTracker();
    tracker.take(report([overdue()]));
    expect(newsOf(tracker, report([], { more: 3 }))).toEqual([]);
    expect(newsOf(tracker, report([]))).toEqual(['insight.closed warning']);
  });
});
