import { beforeEach, expect, test } from 'vitest';
import type { LoggedProblem } from '../../../shared/wire/insights/problem-log.ts';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import { hasZoomed } from '../../choices/zoomed.ts';
import { TWO_THREADS } from '../../testing/stories.ts';
import { workspaceWith } from '../../testing/story-workspace.ts';
import { marksOf } from '../model/causes.ts';
import { type Mark, startOf, type Track } from '../model/marks.ts';
import type { Workspace } from './workspace.ts';

const LOCK = 'story/0/orders:42';
let workspace: Workspace;

beforeEach(() => {
  workspace = workspaceWith(TWO_THREADS);
});

function track(): Track {
  const found = workspace.timeline.tracks.newest(LOCK, 0);
  if (!found) throw new Error('no track');
  return found;
}

/** The first mark of an actor that is of a kind, for example `hold` or `released`. */
function markOf(actor: string, kind: string): Mark {
  const found = marksOf(track()).find(
    (mark) => mark.holder === holderOf(actor) && (mark.kind === 'point' ? mark.point : mark.kind) === kind,
  );
  if (!found) throw new Error(`${actor} has no ${kind}`);
  return found;
}

const select = (actor: string, kind: string, options = {}) =>
  workspace.actions.select(track(), markOf(actor, kind), options);
const selected = () => workspace.actions.selection()?.mark;

test.each([
  ['fit', () => workspace.actions.fitSelection()],
  ['centre', () => workspace.actions.showSelection()],
  ['all', () => workspace.actions.showAll()],
  ['start', () => workspace.actions.toStart()],
  ['another range', () => workspace.actions.jump({ from: seconds(2), to: seconds(3) })],
])('after the jump "%s", one step back shows the view before it', (_, jump) => {
  select('A', 'released');
  workspace.actions.jump({ from: seconds(1), to: seconds(8) });
  const before = workspace.timeline.view();
  jump();
  expect(workspace.timeline.view()).not.toEqual(before);
  workspace.actions.zoomBack();
  expect(workspace.timeline.view()).toEqual(before);
});

test('several jumps are undone in turn, with their breadcrumbs', () => {
  workspace.actions.jump({ from: seconds(0), to: seconds(9) });
  workspace.actions.commitZoom({ from: seconds(2), to: seconds(8) });
  workspace.actions.commitZoom({ from: seconds(4), to: seconds(6) });
  const { zooms } = workspace.timeline.get();
  expect(zooms).toHaveLength(3);
  workspace.actions.showAll();
  expect(workspace.timeline.get().zooms).toEqual([]);
  workspace.actions.zoomBack();
  expect(workspace.timeline.get().zooms).toEqual(zooms);
  workspace.actions.zoomBack();
  workspace.actions.zoomBack();
  expect(workspace.timeline.view()).toEqual({ from: seconds(0), to: seconds(9) });
});

test('a jump to a cause outside the view can be undone', () => {
  workspace.actions.jump({ from: seconds(7.005), to: seconds(7.015) });
  const before = workspace.timeline.view();
  select('B', 'hold');
  workspace.actions.toCause();
  expect(selected()).toMatchObject({ kind: 'point', point: 'released' });
  expect(workspace.timeline.view()).not.toEqual(before);
  workspace.actions.zoomBack();
  expect(workspace.timeline.view()).toEqual(before);
});

test('going live can be undone, too', () => {
  workspace.actions.jump({ from: seconds(2), to: seconds(3) });
  workspace.timeline.goLive();
  expect(workspace.timeline.isLive()).toBe(true);
  workspace.actions.zoomBack();
  expect(workspace.timeline.view()).toEqual({ from: seconds(2), to: seconds(3) });
});

test('the view of an instant includes its cause and its effect', () => {
  select('A', 'released');
  workspace.actions.fitSelection();
  const { from, to } = workspace.timeline.view();
  expect(from).toBeLessThan(seconds(7));
  expect(to).toBeGreaterThan(seconds(7.01));
  expect(to - from).toBeLessThan(100_000);
});

test('the view of an instant without cause and effect extends to the marks beside it', () => {
  select('A', 'renewed');
  workspace.actions.fitSelection();
  const { from, to } = workspace.timeline.view();
  expect(from).toBeLessThan(seconds(0));
  expect(to).toBeGreaterThan(seconds(4));
});

test('a selection moves the cursor to the start of its mark, but not with Shift', () => {
  select('A', 'released');
  const released = startOf(markOf('A', 'released'));
  expect(workspace.timeline.cursorAt()).toBe(released);
  select('B', 'wait', { keepsCursor: true });
  expect(selected()?.kind).toBe('wait');
  expect(workspace.timeline.cursorAt()).toBe(released);
  select('B', 'wait');
  expect(workspace.timeline.cursorAt()).toBe(startOf(markOf('B', 'wait')));
});

test('if the selected mark began before the view, the cursor moves to the click, or stays on the mark', () => {
  workspace.actions.jump({ from: seconds(3), to: seconds(6) });
  workspace.actions.putCursor(seconds(5));
  select('A', 'hold', { clickedAt: seconds(4.5) });
  expect(workspace.timeline.cursorAt()).toBe(seconds(4.5));
  select('B', 'wait');
  expect(workspace.timeline.cursorAt()).toBe(seconds(4.5));
});

test('the key [ on a mark without a cause selects the hold or wait to which the mark belongs', () => {
  select('A', 'renewed');
  workspace.actions.toCause();
  expect(selected()).toEqual(markOf('A', 'hold'));
  select('B', 'refused');
  workspace.actions.toCause();
  expect(selected()?.kind).toMatch(/hold|wait/);
});

test('without a cause or an effect the selection stays, and the bar can report that', () => {
  select('A', 'hold');
  workspace.actions.toCause();
  expect(selected()).toEqual(markOf('A', 'hold'));
  expect(workspace.timeline.get().noLink).toBe('cause');
  select('A', 'renewed');
  expect(workspace.timeline.get().noLink).toBeNull();
  workspace.actions.toEffect();
  expect(workspace.timeline.get().noLink).toBe('effect');
});

test('the first zoom is remembered, but panning is not', () => {
  hasZoomed.choose('no');
  workspace.actions.pan(1_000_000);
  expect(hasZoomed.get()).toBe('no');
  workspace.actions.zoom(0.5);
  expect(hasZoomed.get()).toBe('yes');
});

/** A logged problem that lasts from one second of the story to another; `to` null: it is still open. */
function problem(from: number, to: number | null, lock = 'orders:42'): LoggedProblem {
  return {
    ...{
      insight: `deadlock-${from}`,
      incident: 'deadlock',
      severity: 'critical',
      confidence: 'certain',
      source: 'story',
    },
    ...{ db: 0, lock, holders: [], seq: from, reportedAt: seconds(from), from: seconds(from), notes: [] },
    to: to === null ? null : seconds(to),
  };
}

test('the view goes to the next problem, and back to the previous problem', () => {
  const { timeline, actions } = workspace;
  timeline.problems = [problem(8, null), problem(2, 4), problem(5, 6, 'another')];
  timeline.set({ onlyLock: 'orders:42' });
  actions.putCursor(seconds(1));
  actions.toProblem(1);
  expect(timeline.cursorAt()).toBe(seconds(2));
  const { from, to } = timeline.view();
  expect([from < seconds(2), to > seconds(4)]).toEqual([true, true]);
  actions.toProblem(1);
  expect(timeline.cursorAt()).toBe(seconds(8));
  actions.toProblem(1);
  expect(timeline.cursorAt()).toBe(seconds(8));
  actions.toProblem(-1);
  expect(timeline.cursorAt()).toBe(seconds(2));
  expect(timeline.get().open.has(LOCK)).toBe(true);
});
