import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { laneOf, scaleOf, TWO_THREADS, trackOf } from '../../testing/stories.ts';
import { layoutLane } from './layout-lane.ts';

const now = seconds(20);
const goneSince = new Map();

test('spans and points are placed by the scale', () => {
  const lane = laneOf(trackOf(TWO_THREADS), 'A');
  const items = layoutLane(lane, { scale: scaleOf(0, 10), now, goneSince });
  const [hold, ...points] = items;
  expect(hold).toMatchObject({ kind: 'hold', hasStart: true, hasEnd: true });
  expect(hold?.kind === 'hold' && Math.round(hold.x1)).toBe(700);
  expect(points.map((item) => item.kind === 'point' && Math.round(item.x))).toEqual([200, 400, 700]);
});

test('only marks that reach into the view are laid out', () => {
  const lane = laneOf(trackOf(TWO_THREADS), 'A');
  expect(layoutLane(lane, { scale: scaleOf(10, 12), now, goneSince })).toEqual([]);
  const inside = layoutLane(lane, { scale: scaleOf(5, 6), now, goneSince });
  expect(inside.map(({ kind }) => kind)).toEqual(['hold']);
  expect(inside[0]).toMatchObject({ hasStart: false, hasEnd: false });
});

test('renewals on one pixel become one mark with their count', () => {
  const lane = laneOf(
    trackOf(`
      orders:42 lease 6s
      0.000  A attempts acquired
      2.000  A renews
      2.010  A renews
      2.020  A renews
      8.000  A renews
    `),
    'A',
  );
  const points = layoutLane(lane, { scale: scaleOf(0, 10), now, goneSince }).filter(({ kind }) => kind === 'point');
  expect(points.map((item) => item.kind === 'point' && item.count)).toEqual([3, 1]);
});

test('short holds close together become one dense mark', () => {
  const lines = Array.from({ length: 20 }, (_, i) => [
    `${(i * 0.02).toFixed(3)} A attempts acquired`,
    `${(i * 0.02 + 0.01).toFixed(3)} A releases`,
  ]);
  const lane = laneOf(trackOf(['orders:42 lease 6s', ...lines.flat()].join('\n')), 'A');
  const spans = layoutLane(lane, { scale: scaleOf(0, 10), now, goneSince }).filter(({ kind }) => kind !== 'point');
  expect(spans.length).toBeLessThan(6);
  expect(spans.reduce((sum, item) => sum + (item.kind === 'dense' && item.of === 'hold' ? item.count : 0), 0)).toBe(20);
});

/** Two threads that alternate so quickly that every hold is narrower than 3 px. */
const TURNS = Array.from({ length: 100 }, (_, i) => {
  const at = (ms: number) => (1 + i * 0.02 + ms / 1000).toFixed(3);
  const [one, other] = i % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
  const wait = [`${at(5)} ${other} attempts refused`, `${at(6)} ${other} subscribes`];
  return [`${at(0)} ${one} attempts acquired`, ...wait, `${at(15)} ${one} releases`];
});

test('alternating short holds and waits become dense marks of both kinds', () => {
  const lane = laneOf(trackOf(['orders:42 lease 6s', ...TURNS.flat()].join('\n')), 'A');
  const spans = layoutLane(lane, { scale: scaleOf(0, 100), now, goneSince }).filter(({ kind }) => kind !== 'point');
  expect(new Set(spans.map((item) => (item.kind === 'dense' ? item.of : item.kind)))).toEqual(
    new Set(['hold', 'wait']),
  );
  expect(spans.length).toBeLessThan(40);
});

test('while the picture moves, a mark keeps the same spans', () => {
  const lane = laneOf(trackOf(['orders:42 lease 6s', ...TURNS.flat()].join('\n')), 'A');
  const shown = (from: number) =>
    layoutLane(lane, { scale: scaleOf(from, from + 60), now, goneSince }).map(({ mark }) => mark.id);
  expect(shown(0.003)).toEqual(shown(0));
  expect(shown(0.037)).toEqual(shown(0));
});
