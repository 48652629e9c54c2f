import { beforeEach, expect, test } from 'vitest';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import { workspaceWith } from '../../testing/story-workspace.ts';
import { THREAD_ROW_PX, WAITER_ROW_PX } from '../layout/metrics.ts';
import { shownLanes, shownLocks } from '../picture/shown-lanes.ts';
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
let workspace: Workspace;

beforeEach(() => {
  workspace = workspaceWith(STORY);
});

/** The lanes on screen, top to bottom; `folded` with its count. */
function lanes(): string[] {
  return workspace.rows.get().rows.flatMap((row) => {
    if (row.kind === 'empty') return [`${row.count} folded`];
    return row.kind === 'thread' ? ORDER.filter((actor) => holderOf(actor) === row.holder) : [];
  });
}

test('after a jump, lanes with nothing in the view are folded', () => {
  workspace.actions.jump({ from: seconds(39), to: seconds(42) });
  expect(lanes()).toEqual(['B', '2 folded']);
  workspace.actions.showAll();
  expect(lanes()).toEqual(['A', 'B', 'C']);
  workspace.actions.zoomBack();
  expect(lanes()).toEqual(['B', '2 folded']);
});

test('while the view moves, lanes only unfold, at their place', () => {
  workspace.actions.jump({ from: seconds(39), to: seconds(42) });
  workspace.timeline.show({ from: seconds(0.5), to: seconds(42) });
  expect(lanes()).toEqual(['A', 'B', '1 folded']);
  workspace.timeline.show({ from: seconds(39), to: seconds(42) });
  expect(lanes()).toEqual(['A', 'B', '1 folded']);
});

test('a selected mark unfolds its lane', () => {
  workspace.actions.jump({ from: seconds(39), to: seconds(42) });
  const track = workspace.timeline.tracks.newest('story/0/orders:42', 0);
  const mark = track?.lanes.find(({ holder }) => holder === holderOf('C'))?.spans[0];
  if (!track || !mark) throw new Error('C has no hold');
  workspace.actions.select(track, mark);
  expect(lanes()).toContain('C');
});

test('the row of folded lanes opens and closes as a lock does', () => {
  workspace.actions.jump({ from: seconds(39), to: seconds(42) });
  const fold = workspace.rows.get().rows.find(({ kind }) => kind === 'empty');
  if (!fold) throw new Error('no fold');
  workspace.actions.toggleOpen(fold);
  expect(lanes()).toEqual(['B', '2 folded', 'A', 'C']);
  workspace.actions.toggleOpen(fold);
  expect(lanes()).toEqual(['B', '2 folded']);
});

test('while live, a lane is folded only after a minute without marks', () => {
  workspace.timeline.goLive();
  expect(lanes()).toEqual(['C', '2 folded']);
  workspace = workspaceWith(STORY.replaceAll('40.000', '60.000').replaceAll('41.000', '61.000'));
  expect(workspace.timeline.view().from).toBeGreaterThan(seconds(61));
  expect(lanes()).toEqual(['B', 'C', '1 folded']);
});

test('hidden lanes do not count when gaps without marks are collapsed', () => {
  const { rows } = workspace.rows.get();
  expect(shownLanes(workspace.timeline, rows)).toHaveLength(3);
  workspace.timeline.set({ hidden: new Set([`orders:42#${holderOf('B')}`]) });
  expect(shownLanes(workspace.timeline, rows).map(({ holder }) => holder)).not.toContain(holderOf('B'));
});

test('a hidden lock is not listed among the shown locks', () => {
  expect(shownLocks(workspace.timeline, 200)).toEqual(['story/0/orders:42']);
  workspace.timeline.set({ hidden: new Set(['orders:42']) });
  expect(shownLocks(workspace.timeline, 200)).toEqual([]);
});

test('a lane without a hold in the view is low, until a hold enters the view', () => {
  workspace = workspaceWith(`
    orders:42 lease 60s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.100  B subscribes
    1.200  B attempts refused
    40.000  A releases
    40.100  B attempts acquired
  `);
  const heights = () => workspace.rows.get().rows.flatMap((row) => (row.kind === 'thread' ? [row.height] : []));
  workspace.actions.jump({ from: seconds(0), to: seconds(30) });
  // B holds the lock now, so its lane is the first
  expect(heights()).toEqual([WAITER_ROW_PX, THREAD_ROW_PX]);
  workspace.timeline.show({ from: seconds(20), to: seconds(50) });
  expect(heights()).toEqual([THREAD_ROW_PX, THREAD_ROW_PX]);
});
