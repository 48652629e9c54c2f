import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { makeEvent } from '../../testing/make.ts';
import { ALL_EVENTS, eventMatcher } from './event-list.ts';
import { type EventRange, joinedRanges, liveRange } from './event-range.ts';

const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => makeEvent(from + n));
const range = (from: number, to: number): EventRange => ({ afterSeq: from - 1, lastSeq: to, events: events(from, to) });
const seqs = (range: EventRange | null) => range?.events.map(({ seq }) => seq);
const live = (events: readonly LockEvent[], wholeFrom: number, seq = 0) => ({ events, wholeFrom, seq });

test('ranges that touch or overlap are joined without duplicates', () => {
  expect(joinedRanges(range(1, 5), range(4, 8))).toEqual(range(1, 8));
  expect(joinedRanges(range(1, 5), range(6, 8))).toEqual(range(1, 8));
  expect(joinedRanges(range(1, 9), range(3, 5))).toEqual(range(1, 9));
  expect(joinedRanges(range(4, 5), range(1, 8))).toEqual(range(1, 8));
});

test('ranges with missing events between them are not joined', () => {
  expect(joinedRanges(range(1, 5), range(7, 8))).toBeNull();
});

test('live events before a gap are ignored', () => {
  expect(liveRange(live([makeEvent(1), makeEvent(2), makeEvent(9)], 9))).toEqual(range(9, 9));
  expect(seqs(joinedRanges(range(2, 9), liveRange(live([makeEvent(1), makeEvent(9), makeEvent(10)], 9))))).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});

test('nothing is known about events before the first live event', () => {
  expect(liveRange(live([], 0, 1000))).toEqual({ afterSeq: 1000, lastSeq: 1000, events: [] });
  expect(joinedRanges(range(1, 999), liveRange(live([], 0, 1000)))).toBeNull();
});

test('live events that do not match the filter leave no gap', () => {
  const other = (seq: number) => makeEvent(seq, { lock: 'other' });
  const isOther = eventMatcher({ ...ALL_EVENTS, lock: 'other' });
  const read = { afterSeq: 0, lastSeq: 3, events: [other(2)] };
  const newest = liveRange(live([makeEvent(3), other(4), makeEvent(5)], 3), isOther);
  expect(seqs(joinedRanges(read, newest))).toEqual([2, 4]);
});

test('[G1] a list of one group contains only its events', () => {
  const isOfGroup = eventMatcher({ ...ALL_EVENTS, group: 'g1' });
  const [one, two] = [makeEvent(1, { group: 'g1' }), makeEvent(4, { group: 'g1' })];
  const newest = liveRange(live([makeEvent(3, { group: 'g2' }), two], 3), isOfGroup);
  expect(seqs(joinedRanges({ afterSeq: 0, lastSeq: 2, events: [one] }, newest))).toEqual([1, 4]);
});
