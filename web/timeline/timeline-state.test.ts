import { expect, test } from 'vitest';
import { holderOf, seconds } from '../../shared/testing/story.ts';
import { TWO_THREADS, trackOf } from '../testing/stories.ts';
import { lettersForStrangers } from './lane-letters.ts';
import { FIRST_STATE, openedFirst, reordered, toggled, withZoom } from './timeline-state.ts';

test('only the first few locks open by themselves, and none that joins later', () => {
  const ids = Array.from({ length: 10 }, (_, i) => `s/0/${i}`);
  const { open } = openedFirst(FIRST_STATE, ids);
  expect([...open]).toEqual(ids.slice(0, 6));
  expect(openedFirst({ ...FIRST_STATE, order: ids, open }, ['s/0/new', ...ids]).open).toBe(open);
});

test('a lock moves to the place of another', () => {
  expect(reordered(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(reordered(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(reordered(['a', 'b'], 'x', 'a')).toEqual(['a', 'b']);
});

test('breadcrumbs keep what contains the new zoom', () => {
  const wide = { from: seconds(0), to: seconds(100) };
  const inside = { from: seconds(10), to: seconds(20) };
  const elsewhere = { from: seconds(50), to: seconds(60) };
  expect(withZoom([wide, inside], elsewhere)).toEqual([wide, elsewhere]);
  expect(toggled(new Set([1]), 1)).toEqual(new Set());
});

test('threads that left before the page was opened get letters nobody else has', () => {
  const track = trackOf(TWO_THREADS);
  expect(lettersForStrangers([track], new Map(), new Map()).get(holderOf('B'))).toBe('B');
  const given = new Map([['other:1', 'A']]);
  expect([...lettersForStrangers([track], given, new Map()).values()]).toEqual(['B', 'C']);
  const seen = new Map([[track.id, ['x:1', holderOf('A')]]]);
  expect([...lettersForStrangers([track], new Map(), seen)]).toEqual([[holderOf('B'), 'C']]);
});

test('at no lock do two threads have one letter, also where one of them is at another lock as well', () => {
  const track = trackOf(TWO_THREADS);
  const other = { ...track, id: 'story/0/other', lanes: [...track.lanes].reverse() };
  const seen = new Map([[track.id, [holderOf('A'), holderOf('B')]]]);
  expect(lettersForStrangers([track, other], new Map(), seen).size).toBe(0);
  const elsewhere = new Map([[other.id, ['x:1', 'y:1']]]);
  expect([...lettersForStrangers([track, other], new Map(), elsewhere).values()]).toEqual(['C', 'D']);
});
