import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { makeEvent } from '../testing/make.ts';
import { blindSpotsFrom, TimelineHistory } from './history.ts';

const events = (from: number, to: number, part = {}) =>
  Array.from({ length: to - from + 1 }, (_, i) => makeEvent(from + i, part));

test('live events follow the page, those known to both count once', () => {
  const history = new TimelineHistory();
  history.replace(events(1, 5));
  expect(history.append(events(3, 8), 3)).toBeNull();
  expect(history.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a hole is told instead of papered over', () => {
  const history = new TimelineHistory();
  history.replace(events(1, 5));
  expect(history.append(events(9, 10), 9)).toEqual({ after: 5, before: 9 });
  expect(history.lastSeq).toBe(5);
});

test('an older page goes in front', () => {
  const history = new TimelineHistory();
  history.replace(events(6, 8));
  history.prepend(events(1, 7));
  expect(history.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a track stays the same object until its lock has news', () => {
  const history = new TimelineHistory();
  history.replace([makeEvent(1, { lock: 'a' }), makeEvent(2, { lock: 'b' })]);
  const track = history.track('s/0/a', 0);
  history.append([makeEvent(3, { lock: 'b' })], 3);
  expect(history.track('s/0/a', 0)).toBe(track);
  history.append([makeEvent(4, { lock: 'a' })], 4);
  expect(history.track('s/0/a', 0)).not.toBe(track);
});

test('blind spots pair beginning and end of each source; one that lasts has no end', () => {
  const spots = blindSpotsFrom([
    makeEvent(1, { type: 'blind-spot.began', lock: '', source: 's', reason: 'socket' }),
    makeEvent(2, { type: 'blind-spot.began', lock: '', source: 't', reason: 'socket' }),
    makeEvent(3, { type: 'blind-spot.ended', lock: '', source: 's', reason: 'socket', from: 1000 }),
  ]);
  expect(spots.map(({ source, from, to }) => [source, from, to])).toEqual([
    ['s', 1000, 3000],
    ['t', 2000, null],
  ]);
});

test('[G1] a lock whose event joins a group later is derived anew', () => {
  const history = new TimelineHistory();
  history.replace([makeEvent(1, { lock: 'a' })]);
  const track = history.track('s/0/a', 0);
  history.append([makeEvent(2, { lock: 'b', group: 'g1', groupSeqs: [1] })], 2);
  expect(history.events.map(({ group }) => group)).toEqual(['g1', 'g1']);
  expect(history.eventsOf('s/0/a')[0]?.group).toBe('g1');
  expect(history.track('s/0/a', 0)).not.toBe(track);
});

/** A lock with more events than are derived anew at once. */
function longHistory(...locks: string[]): TimelineHistory {
  const history = new TimelineHistory();
  const each = locks.flatMap((lock, place) => events(place * 3000 + 1, place * 3000 + 3000, { lock }));
  history.replace(each);
  return history;
}

test('long tracks take turns to be derived anew, and short ones need not', () => {
  const history = longHistory('a', 'b');
  const [a, b] = [history.track('s/0/a', 0), history.track('s/0/b', 0)];
  history.append(
    [makeEvent(6001, { lock: 'a' }), makeEvent(6002, { lock: 'b' }), makeEvent(6003, { lock: 'c' })],
    6001,
  );
  expect(history.track('s/0/a', 10_000)).not.toBe(a);
  expect(history.track('s/0/b', 10_000)).toBe(b);
  expect(history.track('s/0/c', 10_000)?.events).toHaveLength(1);
  expect(history.track('s/0/b', 10_100)).not.toBe(b);
});

test('while the view moves, what is new waits where the view does not reach', () => {
  const history = longHistory('a');
  const before = history.track('s/0/a', 0);
  history.append([makeEvent(3001, { lock: 'a' })], 3001);
  history.movingTo = redisTime(2_000_000);
  expect(history.track('s/0/a', 10_000)).toBe(before);
  history.movingTo = redisTime(Number.MAX_SAFE_INTEGER);
  expect(history.track('s/0/a', 10_000)).not.toBe(before);
});

test('a long track stays until its turn after an older page, and tells that lanes may have come', () => {
  const history = new TimelineHistory();
  history.replace(events(4001, 8000, { lock: 'a' }));
  const before = history.track('s/0/a', 0);
  history.append([makeEvent(8001, { lock: 'a' })], 8001);
  history.track('s/0/a', 10_000);
  history.prepend(events(1, 4000, { lock: 'a' }));
  const { laneChanges } = history;
  expect(history.track('s/0/a', 10_010)?.events[0]?.seq).toBe(4001);
  expect(history.newestTrack('s/0/a', 10_010)?.events[0]?.seq).toBe(1);
  expect(history.track('s/0/a', 10_020)).not.toBe(before);
  expect(history.laneChanges).toBe(laneChanges + 1);
});
