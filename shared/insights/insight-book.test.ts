import { describe, expect, test } from 'vitest';
import { seconds } from '../testing/story.ts';
import type { CannotTell, FindingOf, Report } from './insight.ts';
import { InsightBook } from './insight-book.ts';
import { insightFrom } from './run.ts';

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

const newsOf = (book: InsightBook, next: Report) =>
  book.take(next).map(({ detail }) => `${detail.type} ${detail.severity}${detail.isUnknown ? ' unknown' : ''}`);

describe('the book of insights', () => {
  test('reports once that an insight opened, and once that it closed', () => {
    const book = new InsightBook();
    expect(newsOf(book, report([overdue()]))).toEqual(['insight.opened warning']);
    expect(newsOf(book, report([overdue()]))).toEqual([]);
    expect(newsOf(book, report([]))).toEqual(['insight.closed warning']);
    expect(newsOf(book, report([]))).toEqual([]);
  });

  test('reports that an insight got worse', () => {
    const book = new InsightBook();
    book.take(report([overdue({ severity: 'hint' })]));
    expect(newsOf(book, report([overdue()]))).toEqual(['insight.opened warning']);
    expect(newsOf(book, report([overdue({ severity: 'hint' })]))).toEqual([]);
  });

  test('reports an insight that happened at an instant once', () => {
    const book = new InsightBook();
    const past = overdue({ to: seconds(1) });
    expect(newsOf(book, report([past]))).toEqual(['insight.opened warning']);
    expect(newsOf(book, report([past]))).toEqual([]);
    expect(newsOf(book, report([]))).toEqual([]);
  });

  test('closes an insight that ended, although it is still listed', () => {
    const book = new InsightBook();
    book.take(report([overdue()]));
    expect(newsOf(book, report([overdue({ to: seconds(2) })]))).toEqual(['insight.closed warning']);
    expect(newsOf(book, report([overdue({ to: seconds(2) })]))).toEqual([]);
  });

  test('an insight that is proved at its end gets worse, then it is closed', () => {
    const book = new InsightBook();
    book.take(report([overdue()]));
    expect(newsOf(book, report([overdue({ to: seconds(2), severity: 'critical' })]))).toEqual([
      'insight.opened critical',
      'insight.closed critical',
    ]);
    expect(newsOf(book, report([overdue({ to: seconds(2), severity: 'critical' })]))).toEqual([]);
  });

  test('does not say that an insight ended if that cannot be known', () => {
    const book = new InsightBook();
    book.take(report([overdue()]));
    const unseen: CannotTell = {
      incident: 'renewal-overdue',
      effect: 'other',
      source: 'redis',
      reason: 'unwatched',
      locks: 1,
    };
    expect(newsOf(book, report([], { cannotTell: [unseen] }))).toEqual(['insight.closed warning unknown']);
  });

  test('closes nothing while there are more insights than are listed', () => {
    const book = new InsightBook();
    book.take(report([overdue()]));
    expect(newsOf(book, report([], { more: 3 }))).toEqual([]);
    expect(newsOf(book, report([]))).toEqual(['insight.closed warning']);
  });
});
