import { expect, test } from 'vitest';
import type { Span } from '../../shared/wire/http.ts';
import { historyFromSpans, spansUntil } from './lock-histories.ts';

function makeSpan(part: Partial<Span>): Span {
  return {
    kind: 'hold',
    source: 's',
    db: 0,
    lock: 'orders:42',
    holder: 'u:1',
    from: 1_000_000,
    to: 3_000_000,
    ended: 'released',
    openStart: false,
    fromSeq: 1,
    toSeq: 2,
    ...part,
  };
}

test('a hold whose beginning was not seen has a reason for its end, but no length', () => {
  const spans = [
    makeSpan({}),
    makeSpan({ to: 1_500_000 }),
    makeSpan({ ended: 'expired', to: 7_000_000 }),
    makeSpan({ openStart: true }),
    makeSpan({ ended: 'unseen' }),
    makeSpan({ ended: null, to: null }),
    makeSpan({ kind: 'wait', ended: 'message' }),
  ];
  expect(historyFromSpans(spans, 'hold')).toEqual({
    lengthsMs: [2000, 500, 6000],
    ends: [
      { how: 'released', count: 3 },
      { how: 'expired', count: 1 },
    ],
    open: 1,
    unmeasured: 2,
  });
  expect(historyFromSpans(spans, 'wait')).toMatchObject({ lengthsMs: [2000], ends: [{ how: 'message', count: 1 }] });
});

test('a lock that was never held has no history', () => {
  expect(historyFromSpans([], 'hold')).toEqual({ lengthsMs: [], ends: [], open: 0, unmeasured: 0 });
});

test('the history at an instant leaves out what happened later', () => {
  const spans = [makeSpan({}), makeSpan({ from: 1_000_000, to: 9_000_000 }), makeSpan({ from: 6_000_000, to: null })];
  expect(historyFromSpans(spansUntil(spans, 5_000_000), 'hold')).toMatchObject({ lengthsMs: [2000], open: 1 });
});
