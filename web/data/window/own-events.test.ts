import { expect, test } from 'vitest';
import { seconds, story } from '../../../testing/stories/story.ts';
import { rangeOf } from '../../testing/loaded-range.ts';
import { EventWindow } from './event-window.ts';

/** The events of a lock that is acquired every 10 s and released after 4 s. */
const EVENTS = story(
  `orders:42 lease 30s${Array.from({ length: 10 }, (_, n) => `\n${n}0.0 A attempts acquired\n${n}4.0 A releases`).join('')}`,
);
const ID = 'story/0/orders:42';
const timesOf = (window: EventWindow) => window.brokenPartOf(ID)?.events.map(({ at }) => (at - seconds(0)) / 1_000_000);
const FIRST = EVENTS[0]?.at ?? seconds(0);
const ALL = EVENTS.map(({ at }) => (at - seconds(0)) / 1_000_000);

/** A window of the events from index `first` up to `last`, not included, with nothing loaded beside them. */
function windowOfSome(first: number, last: number): EventWindow {
  const window = new EventWindow();
  window.replace(rangeOf(EVENTS, first, last, false));
  return window;
}

test('events that were loaded for one lock extend the window on both sides without repeating an event', () => {
  const window = windowOfSome(8, 12);
  expect(timesOf(window)).toEqual(ALL.slice(8, 12));
  expect(window.isWhole(ID, { from: FIRST, to: seconds(94) })).toBe(false);
  window.setOwn(ID, rangeOf(EVENTS), seconds(94));
  expect(timesOf(window)).toEqual(ALL);
  expect(window.isWhole(ID, { from: FIRST, to: seconds(94) })).toBe(true);
});

test('events of one lock that do not reach the window are not joined to it', () => {
  const window = windowOfSome(8, 12);
  window.setOwn(ID, rangeOf(EVENTS, 0, 4, false), seconds(30));
  expect(timesOf(window)).toEqual(ALL.slice(8, 12));
  expect(window.lacksEvents(ID, { from: seconds(0), to: seconds(54) })).toBe(true);
});

test('new live events are appended to the events that were loaded for one lock', () => {
  const window = new EventWindow();
  window.replace(rangeOf(EVENTS.slice(0, 16), 12));
  window.setOwn(ID, rangeOf(EVENTS.slice(0, 16)), seconds(74));
  expect(timesOf(window)).toEqual(ALL.slice(0, 16));
  window.append(EVENTS.slice(16), 1);
  expect(timesOf(window)).toEqual(ALL);
  expect(window.isWhole(ID, { from: FIRST, to: seconds(94) })).toBe(true);
});

test('a lock with too many events is requested again only for a much shorter view', () => {
  const window = windowOfSome(8, 12);
  window.own.setTooMany(ID, { from: seconds(0), to: seconds(94) });
  expect(window.lacksEvents(ID, { from: FIRST, to: seconds(94) })).toBe(false);
  expect(window.lacksEvents(ID, { from: seconds(0), to: seconds(20) })).toBe(true);
});
