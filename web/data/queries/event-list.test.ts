import { expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { makeEvent } from '../../testing/make.ts';
import { ALL_EVENTS, countAfter, eventMatcher, isOpenFilter } from './event-list.ts';

const isMatching = (event: LockEvent, filter: typeof ALL_EVENTS) => eventMatcher(filter)(event);

test('an event passes a filter if it matches every condition, by whole names', () => {
  const event = makeEvent(1);
  expect(isMatching(event, ALL_EVENTS)).toBe(true);
  expect(isMatching(event, { ...ALL_EVENTS, lock: 'orders' })).toBe(false);
  expect(isMatching(event, { ...ALL_EVENTS, holder: 'u:1', type: 'lease.renewed' })).toBe(true);
  expect(isMatching(event, { ...ALL_EVENTS, holder: 'u:2', type: 'lease.renewed' })).toBe(false);
  expect(isMatching(event, { ...ALL_EVENTS, source: 's', db: 1 })).toBe(false);
  expect(
    isMatching(makeEvent(1, { type: 'blind-spot.began', holder: undefined }), { ...ALL_EVENTS, holder: 'u:1' }),
  ).toBe(false);
});

test('the events with a higher seq are counted, even if seqs are missing', () => {
  const events = [makeEvent(2), makeEvent(5), makeEvent(9)];
  expect([0, 2, 4, 5, 9, 12].map((seq) => countAfter(events, seq))).toEqual([3, 2, 2, 1, 0, 0]);
  expect(countAfter([], 3)).toBe(0);
});

test('a text matches a part of a lock or holder name, in upper or lower case', () => {
  const event = makeEvent(1, { lock: 'payment:EU', holder: 'u:46' });
  const nameOf = () => 'payments-worker';
  expect(isMatching(event, { ...ALL_EVENTS, lockPart: 'PAY' })).toBe(true);
  expect(isMatching(event, { ...ALL_EVENTS, lockPart: 'orders' })).toBe(false);
  expect(eventMatcher({ ...ALL_EVENTS, holderPart: 'payments' }, nameOf)(event)).toBe(true);
  expect(eventMatcher({ ...ALL_EVENTS, holderPart: 'payments' })(event)).toBe(false);
  const blind = makeEvent(2, { type: 'blind-spot.began', lock: '', holder: undefined });
  expect(isMatching(blind, { ...ALL_EVENTS, lockPart: 'a' })).toBe(false);
  expect(isMatching(blind, { ...ALL_EVENTS, holderPart: 'u' })).toBe(false);
});

test('a filter is open only if it has no condition', () => {
  expect(isOpenFilter(ALL_EVENTS)).toBe(true);
  for (const part of [{ lockPart: 'a' }, { holderPart: 'a' }, { db: 0 }, { source: 's' }, { group: 'g1' }]) {
    expect(isOpenFilter({ ...ALL_EVENTS, ...part })).toBe(false);
  }
});
