import { expect, test } from 'vitest';
import { makeEvent } from '../../testing/make.ts';
import { problemsFrom } from './recorded-problems.ts';

const opened = (seq: number, insight: string, severity: 'critical' | 'warning' | 'hint') =>
  makeEvent(seq, {
    ...{ type: 'insight.opened', lock: `lock-of-${insight}`, insight, incident: 'abba-deadlock', severity },
    confidence: 'certain',
  });
const closed = (seq: number, insight: string) =>
  makeEvent(seq, {
    ...{ type: 'insight.closed', lock: `lock-of-${insight}`, insight, incident: 'abba-deadlock' },
    ...{ severity: 'warning', confidence: 'certain' },
  });

test('the problems of a recording: the critical ones first, without hints, with their ends', () => {
  const found = problemsFrom([
    ...[opened(1, 'a', 'warning'), opened(2, 'b', 'hint'), opened(3, 'c', 'critical')],
    closed(5, 'a'),
  ]);
  expect(found).toMatchObject([
    { seq: 3, insight: 'c', lock: { name: 'lock-of-c' }, to: null },
    { seq: 1, insight: 'a', lock: { name: 'lock-of-a' }, to: makeEvent(5).at },
  ]);
});
