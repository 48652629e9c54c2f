import { beforeEach, expect, test } from 'vitest';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import { workspaceWith } from '../../testing/story-workspace.ts';
import type { Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = workspaceWith(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  A releases
    2000.000  A attempts acquired
  `);
});

const length = () => workspace.timeline.view().to - workspace.timeline.view().from;

test('a timeline follows the last 30 s by default', () => {
  expect(workspace.timeline.isLive()).toBe(true);
  expect(length()).toBe(30_000_000);
  expect(workspace.timeline.view().to).toBeGreaterThan(seconds(2000));
});

test('a live view of everything extends from the oldest event to now', () => {
  workspace.actions.showEverything();
  expect(workspace.timeline.isLive()).toBe(true);
  expect(workspace.timeline.view().from).toBeLessThanOrEqual(seconds(0));
  expect(workspace.timeline.view().to).toBeGreaterThan(seconds(2000));
  workspace.actions.jump({ from: seconds(1), to: seconds(2) });
  expect(length()).toBe(1_000_000);
});

test('while paused, showing everything is a jump that can be undone', () => {
  workspace.actions.jump({ from: seconds(990), to: seconds(1010) });
  workspace.actions.putCursor(seconds(1000));
  const before = workspace.timeline.view();
  workspace.actions.showEverything();
  expect(workspace.timeline.isLive()).toBe(false);
  expect(workspace.timeline.view().from).toBeLessThanOrEqual(seconds(0));
  workspace.actions.zoomBack();
  expect(workspace.timeline.view()).toEqual(before);
});

test('letters are hidden if the timeline shows several locks, because each lock has its own letter A', () => {
  const { timeline } = workspaceWith('orders:42 lease 6s\n0.0 A attempts acquired');
  const letters = new Map([['story/0/orders:42', new Map([[holderOf('A'), 'A']])]]);
  const live = { ...timeline.live.get(), letters };
  timeline.live.get = () => live;
  expect(timeline.letterOf('story/0/orders:42', holderOf('A'))).toBe('A');
  timeline.set({ order: ['story/0/orders:42', 'story/0/stock:7'] });
  expect(timeline.letterOf('story/0/orders:42', holderOf('A'))).toBeNull();
  timeline.set({ onlyLock: 'orders:42' });
  expect(timeline.letterOf('story/0/orders:42', holderOf('A'))).toBe('A');
});
