import { expect, test } from 'vitest';
import { seconds } from '../../../testing/stories/story.ts';
import { NAMED_INKS, RecordingPen } from '../../testing/recording-pen.ts';
import { workspaceWith } from '../../testing/story-workspace.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import type { Workspace } from '../store/workspace.ts';
import { drawLanes } from './picture-file.ts';

/** A and B alternate once a second. A's release wakes B, and B's release wakes A. */
const CONVOY = Array.from({ length: 60 }, (_, turn) => {
  const [holder, waiter] = turn % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
  return `
    ${turn}.0 ${holder} attempts acquired
    ${turn}.1 ${waiter} attempts refused
    ${turn}.11 ${waiter} subscribes
    ${turn}.12 ${waiter} attempts refused
    ${turn}.99 ${holder} releases`;
}).join('');

function pictureOf({ timeline, rows }: Workspace): RecordingPen {
  const pen = new RecordingPen();
  const view = { from: seconds(0), to: seconds(60) };
  drawLanes(pen, NAMED_INKS, timeline, rows.get().rows, view, 400);
  return pen;
}

/** Selects the hold that ends the tenth wake-up. */
function selectWoken(timeline: TimelineStore): void {
  const [id = ''] = timeline.get().order;
  const arrow = timeline.tracks.newest(id, 0)?.arrows[9];
  timeline.set({ selectedLock: id, selected: `h${arrow?.seq}` });
}

const wakeUpsIn = (pen: RecordingPen) => pen.words().filter((word) => word.startsWith('PUBLISH'));

test('a shared picture has the wake-ups of the selected mark with their words, also in a crowd', () => {
  const workspace = workspaceWith(`orders:42 lease 30s${CONVOY}`);
  expect(wakeUpsIn(pictureOf(workspace))).toEqual([]);
  selectWoken(workspace.timeline);
  const pen = pictureOf(workspace);
  // the wake-up that began the hold, and the wake-up that its release caused
  expect(wakeUpsIn(pen)).toHaveLength(2);
  expect(pen.in('ink').filter(({ call }) => call === 'strokeRect')).toHaveLength(1);
});
