import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { FIRST_STATE, reordered, toggled, withFirst, withZoom } from './timeline-state.ts';

test('the first 6 locks open without a click, and so does a new lock placed among them', () => {
  const ids = Array.from({ length: 10 }, (_, i) => `s/0/${i}`);
  const open = withFirst(FIRST_STATE, ids);
  expect([...open]).toEqual(ids.slice(0, 6));
  const state = { ...FIRST_STATE, order: ids, open };
  expect(withFirst(state, [...ids, 's/0/last'])).toBe(open);
  expect([...withFirst(state, ['s/0/stuck', ...ids])]).toEqual([...open, 's/0/stuck']);
});

test('a lock can be moved to the place of another lock', () => {
  expect(reordered(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
  expect(reordered(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(reordered(['a', 'b'], 'x', 'a')).toEqual(['a', 'b']);
});

test('the breadcrumbs keep the zooms that contain the new zoom', () => {
  const wide = { from: seconds(0), to: seconds(100) };
  const inside = { from: seconds(10), to: seconds(20) };
  const elsewhere = { from: seconds(50), to: seconds(60) };
  expect(withZoom([wide, inside], elsewhere)).toEqual([wide, elsewhere]);
  expect(toggled(new Set([1]), 1)).toEqual(new Set());
});
