import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { rangeOf } from '../../testing/loaded-range.ts';
import { makeEvent } from '../../testing/make.ts';
import { ShownWindow } from '../../testing/shown-window.ts';
import { blindSpotsFrom } from './blind-spots.ts';
import { WINDOW_CAP } from './event-window.ts';

const events = (from: number, to: number, part = {}) =>
  Array.from({ length: to - from + 1 }, (_, i) => makeEvent(from + i, part));

test('live events that the window already has are not appended again', () => {
  const window = new ShownWindow();
  window.replace(rangeOf(events(1, 5)));
  expect(window.append(events(3, 8), 3)).toBeNull();
  expect(window.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('if events are missing, nothing is appended and the hole is returned', () => {
  const window = new ShownWindow();
  window.replace(rangeOf(events(1, 5)));
  expect(window.append(events(9, 10), 9)).toEqual({ after: 5, before: 9 });
  expect(window.lastSeq).toBe(5);
});

test('an older range is added at the beginning', () => {
  const all = events(1, 8);
  const window = new ShownWindow();
  window.replace(rangeOf(all, 5));
  window.prepend(rangeOf(all, 0, 7, false));
  expect(window.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a track stays the same object until its lock has a new event', () => {
  const window = new ShownWindow();
  window.replace(rangeOf([makeEvent(1, { lock: 'a' }), makeEvent(2, { lock: 'b' })]));
  const track = window.track('s/0/a', 0);
  window.append([makeEvent(3, { lock: 'b' })], 3);
  expect(window.track('s/0/a', 0)).toBe(track);
  window.append([makeEvent(4, { lock: 'a' })], 4);
  expect(window.track('s/0/a', 0)).not.toBe(track);
});

test('a blind spot lasts from the begin event to the end event of its source, and has no end while it is open', () => {
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

test('[G1] the track of a lock is derived again when one of its events joins a group later', () => {
  const window = new ShownWindow();
  window.replace(rangeOf([makeEvent(1, { lock: 'a' })]));
  const track = window.track('s/0/a', 0);
  window.append([makeEvent(2, { lock: 'b', group: 'g1', groupSeqs: [1] })], 2);
  expect(window.events.map(({ group }) => group)).toEqual(['g1', 'g1']);
  expect(window.eventsOf('s/0/a')[0]?.group).toBe('g1');
  expect(window.track('s/0/a', 0)).not.toBe(track);
});

/** A window of locks with 3,000 events each: their tracks are long. */
function longWindow(...locks: string[]): ShownWindow {
  const window = new ShownWindow();
  const each = locks.flatMap((lock, place) => events(place * 3000 + 1, place * 3000 + 3000, { lock }));
  window.replace(rangeOf(each));
  return window;
}

test('long tracks are derived again one at a time, without delaying short tracks', () => {
  const window = longWindow('a', 'b');
  const [a, b] = [window.track('s/0/a', 0), window.track('s/0/b', 0)];
  window.append([makeEvent(6001, { lock: 'a' }), makeEvent(6002, { lock: 'b' }), makeEvent(6003, { lock: 'c' })], 6001);
  expect(window.track('s/0/a', 10_000)).not.toBe(a);
  expect(window.track('s/0/b', 10_000)).toBe(b);
  expect(window.track('s/0/c', 10_000)?.events).toHaveLength(1);
  expect(window.track('s/0/b', 10_100)).not.toBe(b);
});

test('while the view moves, new events outside it wait', () => {
  const window = longWindow('a');
  const before = window.track('s/0/a', 0);
  window.append([makeEvent(3001, { lock: 'a' })], 3001);
  window.tracks.movingTo = redisTime(2_000_000);
  expect(window.track('s/0/a', 10_000)).toBe(before);
  window.tracks.movingTo = redisTime(Number.MAX_SAFE_INTEGER);
  expect(window.track('s/0/a', 10_000)).not.toBe(before);
});

test('a long track is shown without an added older range until the track is derived again', () => {
  const window = new ShownWindow();
  window.replace(rangeOf(events(4001, 8000, { lock: 'a' })));
  const before = window.track('s/0/a', 0);
  window.append([makeEvent(8001, { lock: 'a' })], 8001);
  window.track('s/0/a', 10_000);
  window.prepend(rangeOf(events(1, 4001, { lock: 'a' }), 0, 4001, false));
  const { changes } = window.tracks;
  expect(window.track('s/0/a', 10_010)?.events[0]?.seq).toBe(4001);
  expect(window.tracks.newest('s/0/a', 10_010)?.events[0]?.seq).toBe(1);
  expect(window.track('s/0/a', 10_020)).not.toBe(before);
  expect(window.tracks.changes).toBe(changes + 1);
});

/** A lock acquired long ago and still held, and pairs of events of other locks. */
function stuckAmong(pairs: number) {
  const taken = makeEvent(1, { type: 'lock.acquired', lock: 'stuck', mode: 'exclusive', holdCount: 1 });
  const others = Array.from({ length: pairs * 2 }, (_, i) => {
    const part = i % 2 === 0 ? { type: 'lock.acquired', holdCount: 1 } : { type: 'lock.released', holdCount: 0 };
    return makeEvent(i + 2, { lock: `other-${(i >> 1) % 7}`, holder: 'v:1', mode: 'exclusive', ...part });
  });
  return [taken, ...others];
}

test('a hold that began long ago keeps its beginning when events are dropped', () => {
  const all = stuckAmong(WINDOW_CAP);
  const window = new ShownWindow();
  window.replace(rangeOf(all.slice(0, 1)));
  for (let i = 1; i < all.length; i += 3000) window.append(all.slice(i, i + 3000), i + 1);
  expect(window.events.length).toBeLessThan(WINDOW_CAP * 1.1);
  expect(window.from).toBe(window.events[0]?.at);
  const [hold] = window.track('s/0/stuck', 0)?.lanes[0]?.spans ?? [];
  expect(hold).toMatchObject({ kind: 'hold', id: 'h1', from: all[0]?.at, to: null, isOpenStart: false });
});

test('a free lock without any event left is forgotten', () => {
  const all = stuckAmong(WINDOW_CAP);
  const once = makeEvent(2, { type: 'lock.released', lock: 'once', holdCount: 0, mode: 'exclusive' });
  const window = new ShownWindow();
  window.replace(rangeOf([all[0] ?? once, once]));
  window.append(all.slice(2), 3);
  expect([...window.lockIds()]).not.toContain('s/0/once');
  expect([...window.lockIds()]).toContain('s/0/stuck');
});

test('while paused at an old view, the newest events are dropped, and nothing is appended after that', () => {
  const all = stuckAmong(WINDOW_CAP);
  const window = new ShownWindow();
  window.replace(rangeOf(all.slice(0, 10)));
  window.anchor = all[5]?.at ?? null;
  window.append(all.slice(10, WINDOW_CAP + 8000), 11);
  expect(window.isFollowing).toBe(false);
  expect(window.events[0]?.seq).toBe(1);
  expect(window.to).toBe(window.events.at(-1)?.at);
  const { length } = window.events;
  expect(window.append(all.slice(WINDOW_CAP + 8000), 1)).toBeNull();
  expect(window.events).toHaveLength(length);
});

test('ranges read to the left and to the right have the same events as a single read of everything', () => {
  const all = stuckAmong(500);
  const whole = new ShownWindow();
  whole.replace(rangeOf(all));
  const parts = new ShownWindow();
  parts.replace(rangeOf(all, 400, 600, false));
  parts.prepend(rangeOf(all, 0, 402, false));
  parts.extend(rangeOf(all, 598));
  expect(parts.events).toEqual(whole.events);
  expect(parts.isFollowing).toBe(true);
  for (const id of whole.lockIds()) expect(parts.track(id, 0)).toEqual(whole.track(id, 0));
});

test('if a source is not watched at the left edge, its open holds end when the blind spot began, as unseen', () => {
  const all = stuckAmong(1);
  const window = new ShownWindow();
  const spot = { source: 's', since: redisTime(1500), reason: 'connection-lost' } as const;
  window.replace({ ...rangeOf(all, 1), blind: [spot] });
  expect(window.blindSpots()).toMatchObject([{ source: 's', from: 1500, to: null }]);
  expect(window.track('s/0/stuck', 0)?.lanes[0]?.spans[0]).toMatchObject({ ended: 'unseen', to: 1500 });
});

test('with only one lock selected, the events of other locks are ignored', () => {
  const window = new ShownWindow();
  window.onlyLock = 'a';
  window.replace(rangeOf([makeEvent(1, { lock: 'a' })]));
  window.append([makeEvent(2, { lock: 'b' }), makeEvent(3, { lock: 'a' })], 2);
  expect(window.events.map(({ seq }) => seq)).toEqual([1, 3]);
  expect(window.lastSeq).toBe(3);
});
