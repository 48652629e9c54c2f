import { beforeEach, expect, test } from 'vitest';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import { workspaceWith } from '../../testing/story-workspace.ts';
import { THREAD_ROW_PX, WAITER_ROW_PX } from '../layout/metrics.ts';
import { shownLanes } from '../picture/shown-lanes.ts';
import type { Workspace } from './workspace.ts';

/** A holds at first, B in the middle, C at the end. */
const STORY = `
  orders:42 lease 6s
  0.000  A attempts acquired
  1.000  A releases
  40.000  B attempts acquired
  41.000  B releases
  100.000  C attempts acquired
  101.000  C releases
`;
const ORDER = ['A', 'B', 'C'];
let stage: Workspace;

beforeEach(() => {
  stage = workspaceWith(STORY);
});

/** The lanes on screen, top to bottom; `folded` with its count. */
function lanes(): string[] {
  return stage.rows.get().rows.flatMap((row) => {
    if (row.kind === 'empty') return [`${row.count} folded`];
    return row.kind === 'thread' ? ORDER.filter((actor) => holderOf(actor) === row.holder) : [];
  });
}

test('after a jump, lanes with nothing in the view are folded', () => {
  stage.actions.jump({ from: seconds(39), to: seconds(42) });
  expect(lanes()).toEqual(['B', '2 folded']);
  stage.actions.showAll();
  expect(lanes()).toEqual(['A', 'B', 'C']);
  stage.actions.zoomBack();
  expect(lanes()).toEqual(['B', '2 folded']);
});

test('while the view moves, lanes only unfold, at their place', () => {
  stage.actions.jump({ from: seconds(39), to: seconds(42) });
  stage.timeline.show({ from: seconds(0.5), to: seconds(42) });
  expect(lanes()).toEqual(['A', 'B', '1 folded']);
  stage.timeline.show({ from: seconds(39), to: seconds(42) });
  expect(lanes()).toEqual(['A', 'B', '1 folded']);
});

test('a selected mark unfolds its lane', () => {
  stage.actions.jump({ from: seconds(39), to: seconds(42) });
  const track = stage.timeline.tracks.newest('story/0/orders:42', 0);
  const mark = track?.lanes.find(({ holder }) => holder === holderOf('C'))?.spans[0];
  if (!track || !mark) throw new Error('C has no hold');
  stage.actions.select(track, mark);
  expect(lanes()).toContain('C');
});

test('the row of folded lanes opens and closes as a lock does', () => {
  stage.actions.jump({ from: seconds(39), to: seconds(42) });
  const fold = stage.rows.get().rows.find(({ kind }) => kind === 'empty');
  if (!fold) throw new Error('no fold');
  stage.actions.toggleOpen(fold);
  expect(lanes()).toEqual(['B', '2 folded', 'A', 'C']);
  stage.actions.toggleOpen(fold);
  expect(lanes()).toEqual(['B', '2 folded']);
});

test('while live, a lane is folded only after a minute without marks', () => {
  stage.timeline.goLive();
  expect(lanes()).toEqual(['C', '2 folded']);
  stage = workspaceWith(STORY.replaceAll('40.000', '60.000').replaceAll('41.000', '61.000'));
  expect(stage.timeline.view().from).toBeGreaterThan(seconds(61));
  expect(lanes()).toEqual(['B', 'C', '1 folded']);
});

test('hidden lanes are not listed when gaps without marks are collapsed', () => {
  const { rows } = stage.rows.get();
  expect(shownLanes(stage.timeline, rows)).toHaveLength(3);
  stage.timeline.set({ hidden: new Set([`orders:42#${holderOf('B')}`]) });
  expect(shownLanes(stage.timeline, rows).map(({ holder }) => holder)).not.toContain(holderOf('B'));
});

test('a lane without a hold in the view is low, until a hold enters the view', () => {
  stage = workspaceWith(`
    orders:42 lease 60s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.100  B subscribes
    1.200  B attempts refused
    40.000  A releases
    40.100  B attempts acquired
  `);
  const heights = () => stage.rows.get().rows.flatMap((row) => (row.kind === 'thread' ? [row.height] : []));
  stage.actions.jump({ from: seconds(0), to: seconds(30) });
  // B holds the lock now, so its lane is the first
  expect(heights()).toEqual([WAITER_ROW_PX, THREAD_ROW_PX]);
  stage.timeline.show({ from: seconds(20), to: seconds(50) });
  expect(heights()).toEqual([THREAD_ROW_PX, THREAD_ROW_PX]);
});
